export interface TextBytes {
  /** As the sender names it, lower case. */
  readonly charset: string | undefined;
  /** Whether the bytes go on: a character that is cut in two is left out. */
  readonly isCut: boolean;
  /** Text of the older web, which without a charset may be Windows-1252. */
  readonly isWeb: boolean;
}

/**
 * Bytes as text. A byte order mark decides, then the charset, then UTF-8. What is no character becomes
 * U+FFFD; an unknown charset counts as none.
 *
 * Source: WHATWG Encoding, "BOM sniff".
 */
export const decodeText = (bytes: Uint8Array, { charset, isCut, isWeb }: TextBytes): string => {
  const marked = markedCharset(bytes);
  const decoder = marked ? new TextDecoder(marked) : charset && decoderFor(charset);
  // Streaming holds an incomplete last character back.
  if (decoder) return decoder.decode(bytes, { stream: isCut });
  const isUtf8 = !isWeb || isValidUtf8(bytes, isCut);
  return new TextDecoder(isUtf8 ? 'utf-8' : 'windows-1252').decode(bytes, { stream: isCut });
};

/** Whether bytes are Unicode text beyond doubt: UTF-8 without control characters, or marked UTF-16. */
export const isPlainText = (bytes: Uint8Array, isCut: boolean): boolean => {
  const marked = markedCharset(bytes);
  if (marked === 'utf-16le' || marked === 'utf-16be') return bytes.length % 2 === 0 || isCut;
  return !bytes.some(isControl) && isValidUtf8(bytes, isCut);
};

/** Tab, line feed, form feed, carriage return and escape occur in text; the others do not. */
const isControl = (byte: number): boolean =>
  byte < 0x20 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13 && byte !== 27;

const isValidUtf8 = (bytes: Uint8Array, isCut: boolean): boolean => {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut });
    return true;
  } catch {
    return false;
  }
};

const markedCharset = ([first, second, third]: Uint8Array): string | undefined => {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return undefined;
};

const decoderFor = (charset: string) => {
  try {
    return new TextDecoder(charset);
  } catch {
    return undefined;
  }
};
