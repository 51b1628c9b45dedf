export { acceptsEventStream, acceptsOnlyEventStream } from './accepted.ts';
export { bodyText, checkJsonType } from './body.ts';
export { endpoint, serve, type Step } from './endpoint.ts';
export type { HttpEvent, RoutedEvent } from './event.ts';
export { bodyParameters, formParameters, jsonBody } from './parameters.ts';
export {
  accepted,
  document,
  done,
  type HttpReply,
  json,
  jsonText,
  messageEvent,
  page,
  seeOther,
  silentStream,
} from './reply.ts';
export { type Endpoint, methodNotAllowed } from './router.ts';
