/**
 * Bytes that the content of a result may take on its way: escaped as JSON in the result, and once more
 * in what the function returns, which may hold 6 MB.
 */
export const MOST_RESULT_BYTES = 5.5 * 1024 * 1024;

/** What one result can take of a text. */
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
