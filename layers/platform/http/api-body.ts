import * as z from 'zod/mini';
import { pointerTo } from '../rules/json/pointer.ts';
import { ApiRefusal, type Finding } from '../rules/refusal/api-refusal.ts';
import { member, nestsDeeperThan } from '../rules/json/json.ts';
import {
  bodyBytes,
  type HttpEvent,
  isGzipType,
  isJsonType,
  isRepaired,
  parseJson,
  unpacked,
  utf8Text,
} from './event.ts';
import { parsedJson } from '../rules/json/parsed-json.ts';

const MAX_BYTES = 1024 * 1024;
/** Deeper than any legitimate body, and shallow enough for recursive functions. */
const MAX_NESTING = 1000;

/** Any JSON body. @throws ApiRefusal unsupported_media_type, payload_too_large, malformed_request */
export const apiJson = (event: HttpEvent, maxBytes: number = MAX_BYTES): unknown => {
  if (!isJsonType(event)) {
    throw new ApiRefusal('unsupported_media_type', 'Send the body as application/json.');
  }
  return parsedBytes(apiBytes(event, maxBytes), parseJson);
};

/** JSON document that others wrote, such as an API description. @throws ApiRefusal malformed_request */
export const documentJson = (bytes: Uint8Array): unknown => parsedBytes(bytes, parsedJson);

/**
 * Bytes of a body, decompressed if sent as `application/gzip` or with `Content-Encoding: gzip`. API Gateway limits
 * events to 6 MB and encodes non-text bodies as base64; compressed, every description that can be published fits.
 * @param tooLarge - makes the refusal of a body of more than `maxBytes`
 * @throws ApiRefusal unsupported_media_type, malformed_request, and `tooLarge`
 */
export const apiBytes = (
  event: HttpEvent,
  maxBytes: number,
  tooLarge: () => ApiRefusal = () => payloadTooLarge(maxBytes),
): Uint8Array => {
  const encoding = event.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding !== 'identity' && encoding !== 'gzip') {
    throw new ApiRefusal(
      'unsupported_media_type',
      'Bodies may be packed with gzip and nothing else.',
    );
  }
  const isPacked = encoding === 'gzip' || isGzipType(event);
  if (isPacked && event.body && !event.isBase64Encoded) throw packedText();
  if (isRepaired(event)) throw malformed('The body is not valid UTF-8.');
  const sent = bodyBytes(event);
  const bytes = isPacked ? unpacked(sent, maxBytes) : sent;
  if (bytes === 'malformed') throw malformed('The body is not what gzip makes.');
  if (bytes === 'too_large' || bytes.length > maxBytes) throw tooLarge();
  return bytes;
};

/** Validates sent data against a schema. @throws ApiRefusal invalid_request with a finding for each fault */
export const readAs = <Schema extends z.core.$ZodType>(
  schema: Schema,
  sent: unknown,
): z.output<Schema> => {
  const read = z.safeParse(schema, sent, { error: inPlainWords });
  if (read.success) return read.data;
  const findings = read.error.issues.flatMap(findingsOf);
  throw new ApiRefusal('invalid_request', 'Some fields are missing or wrong.', findings);
};

/** Words for faults that a schema has none for. Of others the library's are sent. */
const inPlainWords = (issue: z.core.$ZodRawIssue): string | undefined => {
  if (issue.code === 'invalid_type') {
    const kind = member(KINDS, issue.expected);
    return kind === undefined ? undefined : `Give ${kind}.`;
  }
  if (issue.code === 'too_big') return `Give at most ${amount(issue.maximum, issue.origin)}.`;
  if (issue.code === 'too_small') return `Give at least ${amount(issue.minimum, issue.origin)}.`;
  return undefined;
};

const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

const amount = (most: number | bigint, origin: string): string => {
  const unit = origin === 'string' ? 'character' : ['array', 'set'].includes(origin) ? 'entry' : '';
  if (unit === '') return `${most}`;
  const units = unit === 'entry' ? 'entries' : `${unit}s`;
  return `${most} ${Number(most) === 1 ? unit : units}`;
};

/** One finding per unknown field; of a union, that of its first alternative. */
const findingsOf = (issue: z.core.$ZodIssue): readonly Finding[] =>
  issue.code === 'unrecognized_keys'
    ? issue.keys.map((key) => ({
        where: pointerOf([...issue.path, key]),
        what: 'unknown',
        hint: 'Leave this field out.',
      }))
    : [{ where: pointerOf(issue.path), what: 'missing or wrong', hint: issue.message }];

const pointerOf = (path: readonly PropertyKey[]): string =>
  pointerTo(...path.map((key) => String(key).slice(0, 200)));

const parsedBytes = (bytes: Uint8Array, parse: (text: string) => unknown): unknown => {
  const text = utf8Text(bytes);
  if (text === undefined) throw malformed('The body is not valid UTF-8.');
  if (nestsDeeperThan(text, MAX_NESTING)) throw malformed('The body nests too deep.');
  try {
    return parse(text);
  } catch {
    throw malformed('The body is not valid JSON.');
  }
};

/** API Gateway reads bodies of text types as UTF-8, which destroys gzip data. */
const packedText = () =>
  new ApiRefusal(
    'unsupported_media_type',
    'A packed body of this type is spoilt on its way. Send packed JSON as application/gzip, or a description as application/yaml.',
  );

const payloadTooLarge = (maxBytes: number) =>
  new ApiRefusal('payload_too_large', `The body is larger than ${maxBytes} bytes.`);

const malformed = (description: string) => new ApiRefusal('malformed_request', description);
