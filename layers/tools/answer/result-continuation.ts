import type { EpochSeconds } from '../../platform/rules/time.ts';

/** A piece of an answer that is too long for one result, kept for its caller to read on. */
export type ReplyPart =
  | { readonly form: 'text'; readonly text: string }
  | { readonly form: 'bytes'; readonly bytes: Uint8Array };

/** Limit for a result's content, escaped as JSON twice: a Lambda function may return 6 MB. */
export const MOST_RESULT_BYTES = 5.5 * 1024 * 1024;

/** Limit for one part: text in UTF-8, or bytes whose base64 still fits one result. */
export const MOST_PART_BYTES = 4 * 1024 * 1024;

export interface StoredReplyPlace {
  readonly deploymentId: string;
  /** Who asked for the answer; nobody else can read it. */
  readonly caller: string;
  readonly answerId: string;
}

/** URIs of the parts of an answer, and until when they can be read. */
export interface StoredReplyKey {
  readonly uris: readonly string[];
  readonly until: EpochSeconds;
}

/** URI scheme of parts alone: resources of owners may have any other. */
export const REPLY_PART_SCHEME = 'kept-answer';

const PART_URI = new RegExp(`^${REPLY_PART_SCHEME}://([0-9a-f]{64})/([1-9][0-9]{0,3})$`);

/** @param number - of the part, counted from 1 */
export const replyPartUri = (answerId: string, number: number): string =>
  `${REPLY_PART_SCHEME}://${answerId}/${number}`;

interface PartName {
  readonly answerId: string;
  readonly number: number;
}

/** @returns undefined for any URI that `replyPartUri` does not make */
export const readReplyPartUri = (uri: string): PartName | undefined => {
  const [, answerId, number] = PART_URI.exec(uri) ?? [];
  return answerId === undefined ? undefined : { answerId, number: Number(number) };
};

/** Whether a URI has the scheme of parts, even if it names no part. */
export const hasReplyPartScheme = (uri: string): boolean =>
  uri.slice(0, REPLY_PART_SCHEME.length + 1).toLowerCase() === `${REPLY_PART_SCHEME}:`;

const AROUND = 2048;

const PART_LIMITS: TextLimits = {
  maxBytes: MOST_PART_BYTES,
  maxWireBytes: MOST_RESULT_BYTES - AROUND,
};

/** The text from an index on, in pieces that fit one result each. No character is split. */
export const textParts = (text: string, from: number): readonly ReplyPart[] => {
  const parts: ReplyPart[] = [];
  for (let start = from; start < text.length;) {
    const end = fittingEnd(text, PART_LIMITS, start);
    parts.push({ form: 'text', text: text.slice(start, end) });
    start = end;
  }
  return parts;
};

/** Characters of JSON that fit a part in any case: as a JSON string, escaped three times, each takes up to 8 bytes. */
const CHUNK = 500_000;

/** A JSON value as parts of valid JSON: itself, or if too large for one result, strings that joined are its text. */
export const jsonParts = (json: string): readonly ReplyPart[] => {
  if (fittingEnd(json, PART_LIMITS) === json.length) return [{ form: 'text', text: json }];
  return Array.from({ length: Math.ceil(json.length / CHUNK) }, (_, index) => ({
    form: 'text',
    text: JSON.stringify(json.slice(index * CHUNK, (index + 1) * CHUNK)),
  }));
};

export const byteParts = (bytes: Uint8Array): readonly ReplyPart[] =>
  Array.from({ length: Math.ceil(bytes.length / MOST_PART_BYTES) }, (_, index) => ({
    form: 'bytes',
    bytes: bytes.subarray(index * MOST_PART_BYTES, (index + 1) * MOST_PART_BYTES),
  }));

export interface TextLimits {
  /** Bytes in UTF-8. */
  readonly maxBytes: number;
  /** Bytes after escaping as a JSON string twice. */
  readonly maxWireBytes: number;
}

/** Index of the first character that no longer fits; a surrogate pair is not split. */
export const fittingEnd = (
  text: string,
  { maxBytes, maxWireBytes }: TextLimits,
  from = 0,
): number => {
  const length = text.length - from;
  if (length * MOST_WIRE_BYTES <= maxWireBytes && length * MOST_BYTES <= maxBytes) {
    return text.length;
  }
  let [bytes, wireBytes] = [0, 0];
  for (let index = from; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    const isPair = isHigh(code) && isLow(text.charCodeAt(index + 1));
    bytes += isPair ? 4 : bytesOf(code);
    wireBytes += isPair ? 4 : wireBytesOf(code);
    if (bytes > maxBytes || wireBytes > maxWireBytes) return index;
    if (isPair) index += 1;
  }
  return text.length;
};

/** Highest bytes for one UTF-16 code unit. */
const MOST_WIRE_BYTES = 7;

const MOST_BYTES = 3;

/** Bytes after escaping twice: `"` becomes `\\\"`, a newline `\\n`, other control characters `\\u0001`. */
const wireBytesOf = (code: number): number => {
  if (code === 0x22 || code === 0x5c) return 4;
  if (code < 0x20)
    return code === 9 || code === 10 || code === 13 || code === 8 || code === 12 ? 3 : 7;
  return isSurrogate(code) ? 7 : bytesOf(code);
};

const bytesOf = (code: number): number => (code < 0x80 ? 1 : code < 0x800 ? 2 : 3);

const isSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdfff;

const isHigh = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;

const isLow = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;
