import { stringOf } from '../json.ts';

/** Control characters (escape sequences begin with one), direction marks, line and paragraph separators. */
const COMMANDING = /[\p{Cc}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/gu;
const REPLACEMENT = '\uFFFD';

/** Foreign text as one line that is safe to show. */
export const plain = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[\r\n\t]+/g, ' ')
    .replaceAll(COMMANDING, REPLACEMENT);

/** A value as one safe line; empty if it is no string. */
export const plainOf = (value: unknown): string => plain(stringOf(value));

/** Foreign text that is safe to show, with its lines and tabs. */
export const plainLines = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll('\r\n', '\n')
    .replaceAll(COMMANDING, (character) => (/[\n\t]/.test(character) ? character : REPLACEMENT));

/** JSON that is safe to show: control characters are escaped. */
export const plainJson = (value: unknown): string => escaped(JSON.stringify(value, null, 2));

/** Escapes control characters in text that contains JSON strings, whose values stay the same. */
export const escaped = (text: string): string =>
  text.replaceAll(COMMANDING, (character) =>
    character === '\n' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Quotes a word for a shell, since descriptions may contain anything. */
export const quoted = (word: string): string =>
  /^[\w.-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
