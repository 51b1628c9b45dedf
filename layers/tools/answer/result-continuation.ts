import type { EpochSeconds } from '../../platform/rules/time.ts';

/** A piece of an answer that is too long for one result, kept so that its caller can read on. */
export type ReplyPart =
  | { readonly form: 'text'; readonly text: string }
  | { readonly form: 'bytes'; readonly bytes: Uint8Array };

/**
 * Bytes that the content of a result may take on its way: escaped as JSON in the result, and once more
 * in what the function returns, which may hold 6 MB.
 */
export const MOST_RESULT_BYTES = 5.5 * 1024 * 1024;

/** Of one part: as text in UTF-8, or as bytes, of which base64 still fits one result. */
export const MOST_PART_BYTES = 4 * 1024 * 1024;

export interface StoredReplyPlace {
  readonly deploymentId: string;
  /** Who asked for the answer: nobody else finds it. */
  readonly caller: string;
  /** Random: 64 hexadecimal digits. */
  readonly answerId: string;
}

/** How the parts of an answer are asked for, and until when there is something to be had. */
export interface StoredReplyKey {
  /** In the order of the answer. */
  readonly uris: readonly string[];
  readonly until: EpochSeconds;
}

/** Of the uris of parts, and of nothing else: owners' resources may have any other. */
export const REPLY_PART_SCHEME = 'kept-answer';

const PART_URI = new RegExp(`^${REPLY_PART_SCHEME}://([0-9a-f]{64})/([1-9][0-9]{0,3})$`);

/** @param number - of the part, from 1 */
export const replyPartUri = (answerId: string, number: number): string =>
  `${REPLY_PART_SCHEME}://${answerId}/${number}`;

interface PartName {
  readonly answerId: string;
  readonly number: number;
}

/** @returns undefined for whatever `replyPartUri` does not make */
export const readReplyPartUri = (uri: string): PartName | undefined => {
  const [, answerId, number] = PART_URI.exec(uri) ?? [];
  return answerId === undefined ? undefined : { answerId, number: Number(number) };
};

/** Whether a uri is of the parts' scheme, as the name of a part or not. */
export const hasReplyPartScheme = (uri: string): boolean =>
  uri.slice(0, REPLY_PART_SCHEME.length + 1).toLowerCase() === `${REPLY_PART_SCHEME}:`;

/** Room for the members around the content. */
const AROUND = 2048;

const PART_LIMITS: TextLimits = {
  maxBytes: MOST_PART_BYTES,
  maxWireBytes: MOST_RESULT_BYTES - AROUND,
};

/**
 * What follows in a text, in pieces that fit one result each. None is cut within a character, and all of
 * them together are the text from there on.
 */
export const textParts = (text: string, from: number): readonly ReplyPart[] => {
  const parts: ReplyPart[] = [];
  for (let start = from; start < text.length;) {
    const end = fittingEnd(text, PART_LIMITS, start);
    parts.push({ form: 'text', text: text.slice(start, end) });
    start = end;
  }
  return parts;
};

/** Characters of JSON that fit a part in any case: escaped once more, each takes 8 bytes on its way at most. */
const CHUNK = 500_000;

/**
 * A piece of JSON as parts that are JSON each: itself, or where that is too large for one result, as texts which one
 * after the other are the piece.
 */
export const jsonParts = (json: string): readonly ReplyPart[] => {
  if (fittingEnd(json, PART_LIMITS) === json.length) return [{ form: 'text', text: json }];
  return Array.from({ length: Math.ceil(json.length / CHUNK) }, (_, index) => ({
    form: 'text',
    text: JSON.stringify(json.slice(index * CHUNK, (index + 1) * CHUNK)),
  }));
};

/** Bytes in pieces that fit one result each, as base64. */
export const byteParts = (bytes: Uint8Array): readonly ReplyPart[] =>
  Array.from({ length: Math.ceil(bytes.length / MOST_PART_BYTES) }, (_, index) => ({
    form: 'bytes',
    bytes: bytes.subarray(index * MOST_PART_BYTES, (index + 1) * MOST_PART_BYTES),
  }));

export interface TextLimits {
  /** In UTF-8. */
  readonly maxBytes: number;
  /** Escaped twice. */
  readonly maxWireBytes: number;
}

/**
 * How far a text fits: the index of the first character, whole characters only, that does not.
 *
 * @param from - where to begin
 */
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

/** Of one UTF-16 code unit. */
const MOST_WIRE_BYTES = 7;

const MOST_BYTES = 3;

/** `"` is `\"`, then `\\\"`; a newline `\n`, then `\\n`; another control character `\u0001`, then `\\u0001`. */
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
