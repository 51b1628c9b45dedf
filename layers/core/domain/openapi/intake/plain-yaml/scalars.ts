import { floatCoreTag, intCoreTag } from 'js-yaml';
import type { Json } from '../../document.ts';
import {
  COLON,
  HASH,
  isBlank,
  lineEnd,
  NEWLINE,
  NotPlain,
  type Reader,
  SPACE,
  TAB,
  toContent,
} from './reader.ts';

/** What a scalar without quotes cannot begin with. */
const INDICATORS: ReadonlySet<number> = new Set(
  Array.from('&*!|>%@`"\'[]{},#?:\t', (character) => character.charCodeAt(0)),
);

/** How numbers begin. */
const NUMERIC: ReadonlySet<number> = new Set(
  Array.from('0123456789+-.', (character) => character.charCodeAt(0)),
);

const WORDS: ReadonlyMap<string, Json> = new Map<string, Json>([
  ...['~', 'null', 'Null', 'NULL'].map((word) => [word, null] as const),
  ...['true', 'True', 'TRUE'].map((word) => [word, true] as const),
  ...['false', 'False', 'FALSE'].map((word) => [word, false] as const),
]);

const LONGEST_WORD = 5;

export const canBegin = (character: number): boolean => !INDICATORS.has(character);

/** What a scalar without quotes stands for. */
export const valueOf = (scalar: string): Json => {
  if (NUMERIC.has(scalar.charCodeAt(0))) return numberOrText(scalar);
  const word = scalar.length <= LONGEST_WORD ? WORDS.get(scalar) : undefined;
  return word === undefined ? scalar : word;
};

const numberOrText = (scalar: string): Json => {
  // Most are short and plain.
  if (/^(?:0|[1-9]\d{0,14})$/.test(scalar)) return Number(scalar);
  for (const tag of [intCoreTag, floatCoreTag]) {
    const number = tag.resolve(scalar, false, tag.tagName);
    if (typeof number === 'number') return finite(number);
  }
  return scalar;
};

/** JSON has no other numbers. */
const finite = (number: number): number => {
  if (!Number.isFinite(number)) throw new NotPlain();
  return number;
};

/** The key that a scalar without quotes stands for: `200` is a number, but a key all the same. */
export const keyOf = (scalar: string): string => {
  const value = valueOf(scalar);
  if (typeof value === 'string' || String(value) === scalar) return scalar;
  throw new NotPlain();
};

/**
 * Reads a scalar without quotes, which goes on over all lines further in than `parent`, and leaves the
 * line.
 */
export const plainScalar = (reader: Reader, parent: number): Json => {
  const { text } = reader;
  const first = lineOf(text, reader.at);
  if (first.isCommented) {
    reader.at = lineEnd(text, first.end);
    toContent(reader);
    return valueOf(first.words);
  }
  let end = first.end;
  let words = first.words;
  for (;;) {
    const next = continuation(text, end, parent);
    if (next === undefined) break;
    const line = lineOf(text, next.at);
    words += (next.blankLines === 0 ? ' ' : '\n'.repeat(next.blankLines)) + line.words;
    end = line.end;
    if (line.isCommented) throw new NotPlain();
  }
  reader.at = end;
  toContent(reader);
  return end === first.end ? valueOf(words) : words;
};

interface Line {
  readonly words: string;
  /** Of the line, or where its comment begins. */
  readonly end: number;
  readonly isCommented: boolean;
}

const lineOf = (text: string, start: number): Line => {
  let at = start;
  let wordsEnd = start;
  let isCommented = false;
  for (; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === NEWLINE) break;
    if (character === SPACE) continue;
    if (character === HASH && text.charCodeAt(at - 1) === SPACE) {
      isCommented = true;
      break;
    }
    if (character === TAB) throw new NotPlain();
    if (character === COLON && endsKey(text, at)) throw new NotPlain();
    wordsEnd = at + 1;
  }
  return { words: text.slice(start, wordsEnd), end: at, isCommented };
};

/** Whether a colon has a key before it. */
export const endsKey = (text: string, colon: number): boolean => {
  const next = text.charCodeAt(colon + 1);
  return isBlank(next) || next === TAB;
};

/** Where the next line goes on, if it is further in than `parent` and no comment. */
const continuation = (
  text: string,
  end: number,
  parent: number,
): { readonly at: number; readonly blankLines: number } | undefined => {
  let blankLines = 0;
  for (let lineStart = end + 1; lineStart < text.length; blankLines += 1) {
    let at = lineStart;
    while (text.charCodeAt(at) === SPACE) at += 1;
    const character = text.charCodeAt(at);
    if (character !== NEWLINE) {
      const goesOn = at < text.length && at - lineStart > parent && character !== HASH;
      return goesOn ? { at, blankLines } : undefined;
    }
    lineStart = at + 1;
  }
  return undefined;
};
