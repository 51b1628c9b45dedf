import * as z from 'zod/mini';
import { ApiRefusal, type Finding } from '../domain/refusal.ts';
import { nestsDeeperThan } from '../domain/rpc/index.ts';
import type { HttpEvent } from './event.ts';
import { sentBytes } from './sent-bytes.ts';

const MAX_FINDINGS = 20;
const MAX_BYTES = 1024 * 1024;
/** Deeper than anything that may be sent, and shallow enough for what reads it by recursion. */
const MAX_NESTING = 1000;
const JSON_TYPE = /^\s*application\/json\s*(?:;|$)/i;

export const isJsonType = ({ headers }: HttpEvent): boolean =>
  JSON_TYPE.test(headers['content-type'] ?? '');

/**
 * The JSON body of a request to the management API, whatever it is.
 *
 * @throws ApiRefusal unsupported_media_type, payload_too_large, malformed_request
 *
 * Source: D41.
 */
export const sentJson = (event: HttpEvent, maxBytes: number = MAX_BYTES): unknown => {
  if (!isJsonType(event)) {
    throw new ApiRefusal('unsupported_media_type', 'Send the body as application/json.');
  }
  return jsonOf(sentBytes(event, maxBytes));
};

/** @throws ApiRefusal malformed_request */
export const jsonOf = (bytes: Uint8Array): unknown => {
  const text = textOf(bytes);
  if (nestsDeeperThan(text, MAX_NESTING)) throw malformed('The body nests too deep.');
  try {
    return JSON.parse(text);
  } catch {
    throw malformed('The body is not valid JSON.');
  }
};

/**
 * What was sent, in the form that a schema wants.
 *
 * @throws ApiRefusal invalid_request that says what is wrong where
 *
 * Source: D41.
 */
export const readAs = <Schema extends z.core.$ZodType>(
  schema: Schema,
  sent: unknown,
): z.output<Schema> => {
  const read = z.safeParse(schema, sent);
  if (read.success) return read.data;
  const findings = read.error.issues.flatMap(findingsOf).slice(0, MAX_FINDINGS);
  throw new ApiRefusal('invalid_request', 'Some fields are missing or wrong.', findings);
};

/** Each unknown field is one finding; of alternatives, what is said of the first. */
const findingsOf = (issue: z.core.$ZodIssue): readonly Finding[] =>
  issue.code === 'unrecognized_keys'
    ? issue.keys.map((key) => ({
        where: pointerOf([...issue.path, key]),
        what: 'unknown',
        mend: 'Leave this field out.',
      }))
    : [{ where: pointerOf(issue.path), what: 'missing or wrong', mend: issue.message }];

/** Source: RFC 6901 §3. */
const pointerOf = (path: readonly PropertyKey[]): string =>
  path
    .map((key) => `/${String(key).slice(0, 200).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');

const textOf = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw malformed('The body is not valid UTF-8.');
  }
};

const malformed = (description: string) => new ApiRefusal('malformed_request', description);
