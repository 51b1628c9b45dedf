import { RouterRefusal } from '../rules/refusal/router-refusal.ts';
import { bodyLength, bodyText, type HttpEvent, isJsonType } from './event.ts';

const MAX_BYTES = 4 * 1024 * 1024;

/** @throws RouterRefusal unsupported_media_type unless the body is declared as JSON */
export const checkJsonType = (event: HttpEvent): void => {
  if (isJsonType(event)) return;
  throw new RouterRefusal('unsupported_media_type', 'Send the body as application/json.');
};

/**
 * The text of a JSON-RPC body, whose own errors say what is wrong with it; empty if there is none.
 *
 * @returns undefined if its bytes are not valid UTF-8
 * @throws RouterRefusal payload_too_large
 */
export const rpcText = (event: HttpEvent): string | undefined => {
  if (bodyLength(event) <= MAX_BYTES) return bodyText(event);
  throw new RouterRefusal('payload_too_large', `The body is larger than ${MAX_BYTES} bytes.`);
};

/**
 * Whether a client takes an event stream, and whether it takes nothing but that. A client that says
 * nothing takes anything, and gets JSON.
 *
 * Source: RFC 9110 §12.5.1; docs/protocol.md, "Media types".
 */
export const acceptsEventStream = (event: HttpEvent): boolean =>
  acceptedTypes(event).includes(EVENT_STREAM);

export const acceptsOnlyEventStream = (event: HttpEvent): boolean => {
  const types = acceptedTypes(event);
  return types.includes(EVENT_STREAM) && !types.some((type) => JSON_RANGES.has(type));
};

const EVENT_STREAM = 'text/event-stream';

const JSON_RANGES: ReadonlySet<string> = new Set(['application/json', 'application/*', '*/*']);

const acceptedTypes = ({ headers }: HttpEvent): readonly string[] =>
  (headers['accept'] ?? '')
    .toLowerCase()
    .split(',')
    .map((range) => range.split(';').map((part) => part.trim()))
    .filter(([, ...parameters]) => !parameters.some((one) => REFUSED.test(one)))
    .map(([type = '']) => type);

/** A weight of zero means "not acceptable". */
const REFUSED = /^q\s*=\s*0(?:\.0*)?$/;
