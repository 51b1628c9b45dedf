import { stringOf } from '../json.ts';

/**
 * Characters that could command a terminal or reorder what stands on it: controls (escape sequences
 * begin with one), marks of text direction, and separators of lines and paragraphs.
 */
const COMMANDING = /[\p{Cc}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/gu;
const REPLACEMENT = '\uFFFD';

/** What a stranger wrote, as one line that is safe to show. */
export const plain = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[\r\n\t]+/g, ' ')
    .replaceAll(COMMANDING, REPLACEMENT);

/** A member that should be a text as one line that is safe to show; empty if it is none. */
export const plainOf = (value: unknown): string => plain(stringOf(value));

/** What a stranger wrote, safe to show, with its lines and tabs. */
export const plainLines = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll('\r\n', '\n')
    .replaceAll(COMMANDING, (character) => (/[\n\t]/.test(character) ? character : REPLACEMENT));

/** JSON that says the same and is safe to show: what could command a terminal is escaped. */
export const plainJson = (value: unknown): string => escaped(JSON.stringify(value, null, 2));

/** Text with strings of JSON in it, which says the same and is safe to show. */
export const escaped = (text: string): string =>
  text.replaceAll(COMMANDING, (character) =>
    character === '\n' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** As one word for a shell, whatever the description says. */
export const quoted = (word: string): string =>
  /^[\w.-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
