import * as z from 'zod/mini';
import { ApiRefusal, type Finding } from '../domain/refusal.ts';
import type { HttpEvent } from './event.ts';
import { jsonBody } from './parameters.ts';

const MAX_FINDINGS = 20;

/**
 * The JSON body of a request to the management API, in the form that a schema wants.
 *
 * @throws ApiRefusal malformed_request if it is no JSON; invalid_request, with what is wrong where
 *
 * Source: D41.
 */
export const apiBody = <Schema extends z.core.$ZodType>(
  event: HttpEvent,
  schema: Schema,
): z.output<Schema> => {
  const body = jsonBody(event);
  if (body === undefined) {
    throw new ApiRefusal('malformed_request', 'Send a JSON object as application/json.');
  }
  const read = z.safeParse(schema, body);
  if (read.success) return read.data;
  const findings = read.error.issues.slice(0, MAX_FINDINGS).map(findingOf);
  throw new ApiRefusal('invalid_request', 'Some fields are missing or wrong.', findings);
};

const findingOf = ({ path, message }: z.core.$ZodIssue): Finding => ({
  where: path.map((key) => `/${pointerPart(String(key))}`).join(''),
  what: 'missing or wrong',
  mend: message,
});

/** Source: RFC 6901 §3. */
const pointerPart = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');
