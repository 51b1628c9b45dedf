import { parsedJson } from '../../platform/rules/json/parsed-json.ts';

const QUOTE = 0x22;
export const BACKSLASH = 0x5c;

export const isContainer = (text: string, at: number): boolean =>
  text[at] === '[' || text[at] === '{';

export const skipBlanks = (text: string, from: number): number => {
  let at = from;
  while (at < text.length && text.charCodeAt(at) <= 0x20) at += 1;
  return at;
};

/** Index after the value that begins at `start`; -1 if it has no end. What is between brackets is not validated. */
export const valueEnd = (text: string, start: number): number => {
  if (text.charCodeAt(start) === QUOTE) return stringEnd(text, start);
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = stringEnd(text, at) - 1;
      if (at < 0) return -1;
    } else if (code === 0x5b || code === 0x7b) {
      depth += 1;
    } else if (code === 0x5d || code === 0x7d) {
      if (depth === 0) return at;
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (depth === 0 && (code === 0x2c || code <= 0x20)) {
      return at;
    }
  }
  return depth === 0 ? text.length : -1;
};

/** Index after the closing quotation mark; -1 if there is none. */
const stringEnd = (text: string, start: number): number => {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    if (text.charCodeAt(at - 1) !== BACKSLASH || !isEscaped(text, at, start + 1)) return at + 1;
  }
  return -1;
};

/** Whether the character at `at` follows an odd number of backslashes. */
export const isEscaped = (text: string, at: number, from: number): boolean => {
  let before = 0;
  while (at - 1 - before >= from && text.charCodeAt(at - 1 - before) === BACKSLASH) before += 1;
  return before % 2 === 1;
};

export const isJson = (text: string): boolean => {
  try {
    parsedJson(text);
    return true;
  } catch {
    return false;
  }
};

/** A JSON text that can be embedded in another one, or why it cannot. */
type PortableJson = { readonly text: string } | { readonly why: string };

const NO_UNICODE = 'it has text that is no Unicode';
const TOO_LARGE = 'it has a number that is too large';

/**
 * Removes blanks between values, so that the text is one line; values stay as written, to the digit. Lone surrogates
 * and numbers beyond a double are refused: a client that cannot parse them would lose the whole message.
 * @param json - valid
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

/** Whether a string has no lone surrogate, escaped or not. */
const isUnicode = (string: string): boolean =>
  /\\u[dD][89a-fA-F]/.test(string)
    ? (parsedJson(string) as string).isWellFormed()
    : string.isWellFormed();

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

const numberEnd = (json: string, start: number): number => {
  let end = start;
  while (/[-+.eE\d]/.test(json.charAt(end))) end += 1;
  return end;
};
