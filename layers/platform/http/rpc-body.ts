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
