/** How a text was written as bytes. */
export interface Encoding {
  readonly name: 'utf-8' | 'utf-16le' | 'utf-16be';
  /** Whether it begins with a byte order mark. */
  readonly hasMark: boolean;
}

/** UTF-16 says so with a byte order mark, and else by every other byte of its first character being 0. */
export const encodingOf = ([first, second, third]: Uint8Array): Encoding => {
  if (first === 0xff && second === 0xfe) return { name: 'utf-16le', hasMark: true };
  if (first === 0xfe && second === 0xff) return { name: 'utf-16be', hasMark: true };
  if (first !== 0 && second === 0) return { name: 'utf-16le', hasMark: false };
  if (first === 0) return { name: 'utf-16be', hasMark: false };
  return { name: 'utf-8', hasMark: first === 0xef && second === 0xbb && third === 0xbf };
};

/** @throws TypeError if they are no such bytes */
export const decodedText = (bytes: Uint8Array, { name }: Encoding): string =>
  new TextDecoder(name, { fatal: true }).decode(bytes);

/** The bytes that a text was decoded from. */
export const encodedText = (text: string, { name, hasMark }: Encoding): Uint8Array => {
  const whole = hasMark ? `\uFEFF${text}` : text;
  if (name === 'utf-8') return Buffer.from(whole);
  const bytes = Buffer.from(whole, 'utf16le');
  return name === 'utf-16le' ? bytes : bytes.swap16();
};
