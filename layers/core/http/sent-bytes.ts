import { gunzipSync } from 'node:zlib';
import { ApiRefusal } from '../domain/refusal.ts';
import type { HttpEvent } from './event.ts';

/**
 * The body of a request to the management API, unpacked where it was sent with `Content-Encoding: gzip`.
 * Packed, every description that may be published passes the gateway, which takes 6 MB of event and
 * hands on as base64 whatever it does not take for text.
 *
 * @param tooLarge - what a body of more than `maxBytes` is refused with
 * @throws ApiRefusal unsupported_media_type, malformed_request, and `tooLarge`
 */
export const sentBytes = (
  { body = '', headers, isBase64Encoded }: HttpEvent,
  maxBytes: number,
  tooLarge: () => ApiRefusal = () => payloadTooLarge(maxBytes),
): Uint8Array => {
  const sent = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding !== 'identity' && encoding !== 'gzip') {
    throw new ApiRefusal(
      'unsupported_media_type',
      'Bodies may be packed with gzip and nothing else.',
    );
  }
  const bytes = encoding === 'gzip' ? unpacked(sent, maxBytes, tooLarge) : sent;
  if (bytes.length > maxBytes) throw tooLarge();
  return bytes;
};

const payloadTooLarge = (maxBytes: number) =>
  new ApiRefusal('payload_too_large', `The body is larger than ${maxBytes} bytes.`);

/** Stops unpacking at the first byte too many, so that a small body cannot become a large one. */
const unpacked = (sent: Buffer, maxBytes: number, tooLarge: () => ApiRefusal): Buffer => {
  try {
    return gunzipSync(sent, { maxOutputLength: maxBytes });
  } catch (error) {
    if (isTooLarge(error)) throw tooLarge();
    throw new ApiRefusal('malformed_request', 'The body is not what gzip makes.');
  }
};

const isTooLarge = (error: unknown): boolean =>
  (error as { readonly code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE';
