import { createHash } from 'node:crypto';
import { type HttpEvent, methodOf } from '../platform/http/event.ts';
import { ApiRefusal } from '../platform/rules/refusal/api-refusal.ts';

const KEY = /^[\x21-\x7e]{1,255}$/;

/**
 * What the client names its request by, so that it may be repeated.
 *
 * @throws ApiRefusal malformed_request
 */
export const idempotencyKey = ({ headers }: HttpEvent): string | undefined => {
  const key = headers['idempotency-key']?.trim();
  if (key === undefined || KEY.test(key)) return key;
  throw new ApiRefusal(
    'malformed_request',
    'An Idempotency-Key is 1 to 255 visible ASCII characters.',
  );
};

/** SHA-256 (hex) of all that makes two requests the same. */
export const requestHash = (event: HttpEvent): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        methodOf(event),
        event.rawPath,
        event.rawQueryString ?? '',
        event.headers['content-type'] ?? '',
        event.headers['content-encoding'] ?? '',
        event.isBase64Encoded,
      ]),
    )
    .update(event.body ?? '')
    .digest('hex');
