import type { HttpEvent } from '../platform/http/event.ts';
import { readAs } from '../platform/http/api-body.ts';
import * as z from 'zod';

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
