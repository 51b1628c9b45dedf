export { acceptsEventStream, acceptsOnlyEventStream } from './accepted.ts';
export { apiBody } from './api-body.ts';
export { bodyText, checkJsonType } from './body.ts';
export { cookie, type Cookie } from './cookies.ts';
export type { Translate } from './edge.ts';
export { endpoint, serve, type Step } from './endpoint.ts';
export { type Failure, failure } from './errors.ts';
export type { HttpEvent, RoutedEvent } from './event.ts';
export { isOperatorEvent, operated, operatorCommand } from './operator.ts';
export { bodyParameters, formParameters, jsonBody } from './parameters.ts';
export { problem } from './problem.ts';
export { queryParameters, queryState } from './query.ts';
export {
  accepted,
  document,
  done,
  type Headers,
  type HtmlPage,
  htmlPage,
  type HttpReply,
  json,
  jsonText,
  messageEvent,
  noContent,
  page,
  seeOther,
  silentStream,
} from './reply.ts';
export { type Endpoint, methodNotAllowed, type Routes } from './router.ts';
