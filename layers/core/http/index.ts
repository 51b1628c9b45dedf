export { acceptsEventStream, acceptsOnlyEventStream } from './accepted.ts';
export { apiBytes, apiJson, documentJson, readAs } from './api-body.ts';
export { apiFailure } from './failures/api-failure.ts';
export { isGzipType, isJsonType } from './body.ts';
export { cookie, type Cookie, sessionCookie } from './cookies.ts';
export type { Translate } from './edge.ts';
export { endpoint, serve, type Step } from './endpoint.ts';
export { type Failure, failure } from './errors.ts';
export { type HttpEvent, methodOf, type RoutedEvent } from './event.ts';
export { modernFailure } from './failures/modern-failure.ts';
export {
  isOperatorEvent,
  operated,
  type OperatedPorts,
  operatorCommand,
  theService,
} from './operator.ts';
export {
  bodyParameters,
  formParameters,
  jsonBody,
  queryParameters,
  queryState,
} from './parameters.ts';
export {
  accepted,
  fileReply,
  apiReply,
  cachedDocument,
  document,
  done,
  type Headers,
  type HtmlPage,
  htmlPage,
  type HttpReply,
  json,
  jsonText,
  messageEvent,
  page,
  seeOther,
  sendable,
  silentStream,
} from './reply.ts';
export { MOST_BODY_BYTES } from '../domain/rpc/index.ts';
export { type Endpoint, type Endpoints, methodNotAllowed, type Routes } from './router.ts';
export { checkJsonType, rpcText } from './rpc-body.ts';
export { readDescriptionFetch, readToolTrial } from './tool-trial.ts';
