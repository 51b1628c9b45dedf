import { RouterRefusal } from '../domain/refusal.ts';
import type { HttpEvent } from './event.ts';

const MAX_BYTES = 4 * 1024 * 1024;
const JSON_TYPE = /^\s*application\/json\s*(?:;|$)/i;

/** @throws RouterRefusal unsupported_media_type unless the body is declared as JSON. Source: T5. */
export const checkJsonType = ({ headers }: HttpEvent): void => {
  if (JSON_TYPE.test(headers['content-type'] ?? '')) return;
  throw new RouterRefusal('unsupported_media_type', 'Send the body as application/json.');
};

/**
 * The body as text; empty if there is none.
 *
 * @returns undefined if its bytes are not valid UTF-8
 * @throws RouterRefusal payload_too_large
 *
 * Source: T8.
 */
export const bodyText = ({ body = '', isBase64Encoded }: HttpEvent): string | undefined => {
  if (!isBase64Encoded) {
    checkSize(Buffer.byteLength(body));
    return body;
  }
  const bytes = Buffer.from(body, 'base64');
  checkSize(bytes.length);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
};

const checkSize = (bytes: number): void => {
  if (bytes <= MAX_BYTES) return;
  throw new RouterRefusal('payload_too_large', `The body is larger than ${MAX_BYTES} bytes.`);
};
