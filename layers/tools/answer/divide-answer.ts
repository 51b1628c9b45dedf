import { type ReplyPart, MOST_PART_BYTES } from './result-continuation.ts';
import { fittingEnd, MOST_RESULT_BYTES, type TextLimits } from './fitting-text.ts';

/** Room for the members around the content. */
const AROUND = 2048;

const PART: TextLimits = { maxBytes: MOST_PART_BYTES, maxWireBytes: MOST_RESULT_BYTES - AROUND };

/**
 * What follows in a text, in pieces that fit one result each. None is cut within a character, and all of
 * them together are the text from there on.
 */
export const textParts = (text: string, from: number): readonly ReplyPart[] => {
  const parts: ReplyPart[] = [];
  for (let start = from; start < text.length;) {
    const end = fittingEnd(text, PART, start);
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
  if (fittingEnd(json, PART) === json.length) return [{ form: 'text', text: json }];
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
