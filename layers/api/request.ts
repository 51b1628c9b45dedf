import { createHash } from 'node:crypto';
import * as z from 'zod';
import { type HttpEvent, methodOf } from '../platform/http/event.ts';
import { readAs } from '../platform/http/api-body.ts';
import { ApiRefusal } from '../platform/rules/refusal/api-refusal.ts';

/** A strong validator: every change makes a new revision. Source: RFC 9110 §8.8.3. */
export const etag = (revision: string) => ({ etag: `"${revision}"` });

/**
 * Revisions in `If-Match`. Weak tags match none.
 * @returns undefined for any revision (`*` or no header); empty if no tag can match. Source: RFC 9110 §13.1.1.
 */
export const ifMatch = ({ headers }: HttpEvent): readonly string[] | undefined => {
  const sent = headers['if-match']?.trim();
  if (sent === undefined || sent === '*') return undefined;
  return sent.split(',').flatMap((tag) => /^\s*"([\w-]{1,100})"\s*$/.exec(tag)?.slice(1) ?? []);
};

/** For routes without query parameters: unknown ones are refused as mistakes. */
const NOTHING = z.strictObject({});

/**
 * Reads the query with a schema: a text for each name, or a list if it is repeated. @throws ApiRefusal
 * invalid_request
 */
export const readQuery = (event: HttpEvent, schema: z.ZodType = NOTHING): unknown => {
  const sent = new Map<string, string | string[]>();
  for (const [name, value] of new URLSearchParams(event.rawQueryString ?? '')) {
    const before = sent.get(name);
    sent.set(name, before === undefined ? value : [before, value].flat());
  }
  return readAs(schema, Object.fromEntries(sent));
};

const KEY = /^[\x21-\x7e]{1,255}$/;

/** @throws ApiRefusal malformed_request */
export const idempotencyKey = ({ headers }: HttpEvent): string | undefined => {
  const key = headers['idempotency-key']?.trim();
  if (key === undefined || KEY.test(key)) return key;
  throw new ApiRefusal(
    'malformed_request',
    'An Idempotency-Key is 1 to 255 visible ASCII characters.',
  );
};

/** SHA-256 (hex) of everything that identifies a request. */
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
