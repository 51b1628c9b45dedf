export { acceptsEventStream, acceptsOnlyEventStream } from './accepted.ts';
export { bodyText, checkJsonType } from './body.ts';
export { endpoint, serve, type Step } from './endpoint.ts';
export type { HttpEvent, RoutedEvent } from './event.ts';
export {
  accepted,
  document,
  type HttpReply,
  json,
  jsonText,
  messageEvent,
  page,
  silentStream,
} from './reply.ts';
export { type Endpoint, methodNotAllowed } from './router.ts';
