export { acceptsEventStream, acceptsOnlyEventStream } from './accepted.ts';
export { apiBody } from './api-body.ts';
export { apiFailure } from './api-failure.ts';
export { isJsonType, jsonOf, readAs, sentJson } from './api-read.ts';
export { bodyText, checkJsonType } from './body.ts';
export { cookie, type Cookie } from './cookies.ts';
export type { Translate } from './edge.ts';
export { endpoint, serve, type Step } from './endpoint.ts';
export { type Failure, failure } from './errors.ts';
export { type HttpEvent, methodOf, type RoutedEvent } from './event.ts';
export { isOperatorEvent, operated, operatorCommand } from './operator.ts';
export { bodyParameters, formParameters, jsonBody } from './parameters.ts';
export { queryParameters, queryState } from './query.ts';
export {
  accepted,
  apiReply,
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
  silentStream,
} from './reply.ts';
export { type Endpoint, type Endpoints, methodNotAllowed, type Routes } from './router.ts';
export { sentBytes } from './sent-bytes.ts';
export { readToolTrial } from './tool-trial.ts';
