/** A JSON text as it can stand within another one, or why it cannot. */
export type PortableJson = { readonly text: string } | { readonly why: string };

const NO_UNICODE = 'it has text that is no Unicode';
const TOO_LARGE = 'it has a number that is too large';

/**
 * A JSON text without the blanks between its values, so that it stands on one line; every value is written
 * as it was, each digit of a number included. What some clients cannot read would cost them all of the
 * message that it stands in.
 *
 * @param json - valid
 *
 * Source: RFC 8259 §2, §6, §8.2, §9.
 */
export const portableJson = (json: string): PortableJson => {
  let [text, from] = ['', 0];
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) {
      const end = stringEnd(json, at);
      if (!isUnicode(json.slice(at, end))) return { why: NO_UNICODE };
      at = end - 1;
    } else if (code <= 0x20) {
      text += json.slice(from, at);
      from = at + 1;
    } else if (code === 0x2d || isDigit(code)) {
      const end = numberEnd(json, at);
      if (!Number.isFinite(Number(json.slice(at, end)))) return { why: TOO_LARGE };
      at = end - 1;
    }
  }
  return { text: from === 0 ? json : text + json.slice(from) };
};

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Behind the quotation mark that ends a string. */
const stringEnd = (json: string, start: number): number => {
  for (let at = json.indexOf('"', start + 1); at >= 0; at = json.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (json.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return at + 1;
  }
  return json.length;
};

/** Half of a character may stand there by itself, escaped or not. */
const isUnicode = (string: string): boolean =>
  /\\u[dD][89a-fA-F]/.test(string)
    ? (JSON.parse(string) as string).isWellFormed()
    : string.isWellFormed();

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

const numberEnd = (json: string, start: number): number => {
  let end = start;
  while (/[-+.eE\d]/.test(json.charAt(end))) end += 1;
  return end;
};
