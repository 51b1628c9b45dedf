import { createHash } from 'node:crypto';
import * as z from 'zod';
import { type HttpEvent, methodOf } from '../platform/http/event.ts';
import { readAs } from '../platform/http/api-body.ts';
import { ApiRefusal } from '../platform/rules/refusal/api-refusal.ts';

/** Revisions are strong validators: every change makes another one. Source: RFC 9110 §8.8.3. */
export const etag = (revision: string) => ({ etag: `"${revision}"` });

/**
 * Which revisions a change may be made to. `*`, like no header at all, means whichever there is. Weak
 * ones match none.
 *
 * @returns undefined for any; an empty list for what no revision is
 *
 * Source: RFC 9110 §13.1.1.
 */
export const ifMatch = ({ headers }: HttpEvent): readonly string[] | undefined => {
  const sent = headers['if-match']?.trim();
  if (sent === undefined || sent === '*') return undefined;
  return sent.split(',').flatMap((tag) => /^\s*"([\w-]{1,100})"\s*$/.exec(tag)?.slice(1) ?? []);
};

/** For routes that take no query: what is sent all the same is a mistake worth telling. */
const NOTHING = z.strictObject({});

/**
 * The query of a request, read by a schema: each name a text, or a list of texts where it is repeated.
 *
 * @throws ApiRefusal invalid_request
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
