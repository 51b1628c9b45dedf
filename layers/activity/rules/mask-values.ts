import { MASK } from '../../tools/masking/mask-secrets.ts';
import { isSecretName, type NamePlace, namesIn } from './secret-names.ts';

/**
 * Masks values after names of secrets in JSON, forms, and XML elements and attributes, wherever these begin and end:
 * after a heading, in the lines of a stream, in a text that is cut. Runs in linear time on any text.
 */
export const maskedValues = (text: string): string => {
  const pieces: string[] = [];
  let done = 0;
  for (const place of namesIn(text, () => done)) {
    const found = inJson(text, place) ?? inForm(text, place) ?? inElement(text, place);
    if (!found) continue;
    pieces.push(text.slice(done, found.start), found.masked);
    done = found.end;
  }
  return done === 0 ? text : [...pieces, text.slice(done)].join('');
};

interface Value extends NamePlace {
  readonly masked: string;
}

/** A quote in JSON that is nested in strings of JSON `level` times: it follows 1, 3 or 7 backslashes. */
interface Quote {
  readonly sign: string;
  readonly level: number;
  readonly end: number;
}

const quoteAt = (text: string, at: number): Quote | undefined => {
  const end = pastBackslashes(text, at);
  const sign = text.charAt(end);
  if (sign !== '"' && sign !== "'") return undefined;
  return { sign, level: Math.floor(Math.log2(end - at + 1)), end: end + 1 };
};

const pastBackslashes = (text: string, at: number): number => {
  let end = at;
  while (text.charAt(end) === '\\') end += 1;
  return end;
};

/** Also skips escaped line breaks and tabs of JSON that is nested in a string. */
const pastBlanks = (text: string, from: number): number => {
  let at = from;
  for (;;) {
    const letter = pastBackslashes(text, at);
    const isBlank = letter === at ? /\s/.test(text.charAt(at)) : /[nrt]/.test(text.charAt(letter));
    if (!isBlank) return at;
    at = letter + 1;
  }
};

/** Characters searched before and after the part by which a name was found. */
const MOST_OF_NAME = 40;
const NOT_IN_NAME = /["'\\<>={}\n]/;

const inJson = (text: string, place: NamePlace): Value | undefined => {
  let { start, end } = place;
  while (end < place.end + MOST_OF_NAME && !NOT_IN_NAME.test(text.charAt(end))) end += 1;
  const quote = quoteAt(text, end);
  if (!quote) return undefined;
  const colon = pastBlanks(text, quote.end);
  if (text.charAt(colon) !== ':') return undefined;
  const least = Math.max(0, place.start - MOST_OF_NAME);
  while (start > least && !NOT_IN_NAME.test(text.charAt(start - 1))) start -= 1;
  const name = text.slice(text.charAt(start - 1) === quote.sign ? start : place.start, end);
  if (!isSecretName(name)) return undefined;
  const at = pastBlanks(text, colon + 1);
  const valueEnd = jsonEnd(text, at, quote);
  if (valueEnd === undefined) return undefined;
  const sign = text.slice(end, quote.end);
  return { start: at, end: valueEnd, masked: `${sign}${MASK}${sign}` };
};

const NUMBER = /-?\d[\d.eE+-]*/y;

/** End of a JSON value; undefined for one that needs no mask: boolean, null or empty text. */
const jsonEnd = (text: string, at: number, { level }: Quote): number | undefined => {
  const quote = quoteAt(text, at);
  if (quote) return textEnd(text, quote);
  if (/[[{]/.test(text.charAt(at))) return bracketEnd(text, at, level);
  NUMBER.lastIndex = at;
  return NUMBER.test(text) ? NUMBER.lastIndex : undefined;
};

/** Position after a string's closing quote, or at the end of what contains it; undefined if the string is empty. */
const textEnd = (text: string, { sign, level, end: from }: Quote): number | undefined => {
  for (let at = text.indexOf(sign, from); at !== -1; at = text.indexOf(sign, at + 1)) {
    const backslashes = backslashesBefore(text, at, from);
    const meaning = meaningOf(backslashes, level);
    if (meaning === 'inside') continue;
    if (meaning === 'outer') return at - backslashes;
    const ownBackslashes = 2 ** level - 1;
    return at - ownBackslashes === from ? undefined : at + 1;
  }
  return from === text.length ? undefined : text.length;
};

const backslashesBefore = (text: string, at: number, from: number): number => {
  let start = at;
  while (start > from && text.charAt(start - 1) === '\\') start -= 1;
  return at - start;
};

/** Meaning of a quote after some backslashes, in JSON that is nested in strings `level` times. */
const meaningOf = (backslashes: number, level: number): 'end' | 'inside' | 'outer' => {
  let rest = backslashes;
  for (let within = level; within > 0; within -= 1) {
    if (rest % 2 === 0) return 'outer';
    rest = (rest - 1) / 2;
  }
  return rest % 2 === 0 ? 'end' : 'inside';
};

/** Position after the matching bracket, or at the end of what contains it. */
const bracketEnd = (text: string, from: number, level: number): number => {
  let depth = 0;
  let inText = false;
  for (let at = from; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (sign === '"') {
      const backslashes = backslashesBefore(text, at, from);
      const meaning = meaningOf(backslashes, level);
      if (meaning === 'outer') return at - backslashes;
      if (meaning === 'end') inText = !inText;
    } else if (!inText && (sign === '[' || sign === '{')) depth += 1;
    else if (!inText && (sign === ']' || sign === '}')) depth -= 1;
    if (depth === 0) return at + 1;
  }
  return text.length;
};

const BARE = /[^&\s"'<>;]+/y;

/** `name=value`, also with quotes, as in attributes. */
const inForm = (text: string, { start, end }: NamePlace): Value | undefined => {
  if (text.charAt(end) !== '=') return undefined;
  if (!isSecretName(text.slice(start, end).replaceAll(ENCODED, ' '))) return undefined;
  const at = end + 1;
  const quote = quoteAt(text, at);
  if (quote) {
    const sign = text.slice(at, quote.end);
    const valueEnd = textEnd(text, quote);
    return valueEnd === undefined
      ? undefined
      : { start: at, end: valueEnd, masked: `${sign}${MASK}${sign}` };
  }
  BARE.lastIndex = at;
  return BARE.test(text) ? { start: at, end: BARE.lastIndex, masked: MASK } : undefined;
};

const ENCODED = /%[\da-f]{2}/gi;

/** Masks the content of an XML element, child elements included. */
const inElement = (text: string, { start, end }: NamePlace): Value | undefined => {
  if (!/[\s>]/.test(text.charAt(end)) || !isSecretName(text.slice(start, end))) return undefined;
  const least = Math.max(0, start - MOST_OF_NAME);
  let before = start;
  while (before > least && /[\w:]/.test(text.charAt(before - 1))) before -= 1;
  if (text.charAt(before - 1) !== '<') return undefined;
  const closed = angleFrom(text, end);
  if (text.charAt(closed) !== '>' || text.charAt(closed - 1) === '/') return undefined;
  const content = closed + 1;
  const contentEnd = endOfContent(text, content);
  if (text.slice(content, contentEnd).trim() === '') return undefined;
  const attributes = maskedValues(text.slice(end, closed));
  return { start: end, end: contentEnd, masked: `${attributes}>${MASK}` };
};

const angleFrom = (text: string, from: number): number => {
  let at = from;
  while (at < text.length && text.charAt(at) !== '<' && text.charAt(at) !== '>') at += 1;
  return at;
};

/** Position of the closing tag, or the end of a text that is cut. */
const endOfContent = (text: string, from: number): number => {
  let depth = 1;
  for (let at = text.indexOf('<', from); at !== -1; at = text.indexOf('<', at + 1)) {
    const sign = text.charAt(pastBackslashes(text, at + 1));
    if (sign === '/') depth -= 1;
    if (depth === 0) return at;
    if (!/\w/.test(sign)) continue;
    const closed = angleFrom(text, at + 1);
    if (text.charAt(closed) === '>' && text.charAt(closed - 1) !== '/') depth += 1;
  }
  return text.length;
};
