import { MAX_VALUES } from '../tame.ts';

/** A walk through a text from its first character to its last. */
export interface Reader {
  readonly text: string;
  /** The next character. */
  at: number;
  /** Where the line of the next character begins. */
  lineStart: number;
  /** Where on its line a node begins; -1 at the end of the text. */
  column: number;
  depth: number;
  /** How many there are so far. */
  values: number;
}

/** Says that a text goes beyond what is read here; never seen outside. */
export class NotPlain extends Error {
  override readonly name = 'NotPlain';
}

const MAX_DEPTH = 100;

export const TAB = 9;
export const NEWLINE = 10;
export const SPACE = 32;
export const QUOTE = 34;
export const HASH = 35;
export const APOSTROPHE = 39;
export const COMMA = 44;
export const DASH = 45;
export const COLON = 58;
export const ANGLE = 62;
export const OPENING_BRACKET = 91;
export const CLOSING_BRACKET = 93;
export const OPENING_BRACE = 123;
export const BAR = 124;
export const CLOSING_BRACE = 125;

/** What separates tokens; a tab does as well, but is not read here. */
export const isBlank = (character: number): boolean =>
  character === SPACE || character === NEWLINE || Number.isNaN(character);

/** Whether the next character begins an entry of a sequence. */
export const isEntry = ({ text, at }: Reader): boolean =>
  text.charCodeAt(at) === DASH && isBlank(text.charCodeAt(at + 1));

export const skipSpaces = (reader: Reader): void => {
  while (reader.text.charCodeAt(reader.at) === SPACE) reader.at += 1;
};

/** Counts one more value. */
export const count = (reader: Reader): void => {
  reader.values += 1;
  if (reader.values > MAX_VALUES) throw new NotPlain();
};

/** Goes deeper for as long as `read` takes. */
export const nested = <Value>(reader: Reader, read: () => Value): Value => {
  reader.depth += 1;
  if (reader.depth > MAX_DEPTH) throw new NotPlain();
  const value = read();
  reader.depth -= 1;
  return value;
};

/** Leaves a line on which nothing but a comment may follow, for the next one with something on it. */
export const leaveLine = (reader: Reader): void => {
  skipSpaces(reader);
  const { text, at } = reader;
  const next = text.charCodeAt(at);
  if (next === HASH && text.charCodeAt(at - 1) === SPACE) reader.at = lineEnd(text, at);
  else if (next !== NEWLINE && at < text.length) throw new NotPlain();
  toContent(reader);
};

/** From the end of a line to the next line with something on it. */
export const toContent = (reader: Reader): void => {
  const { text } = reader;
  while (reader.at < text.length) {
    reader.at += 1;
    const lineStart = reader.at;
    skipSpaces(reader);
    const next = text.charCodeAt(reader.at);
    if (next === HASH) reader.at = lineEnd(text, reader.at);
    else if (next !== NEWLINE && reader.at < text.length) {
      reader.lineStart = lineStart;
      reader.column = reader.at - lineStart;
      if (reader.column === 0 && isMarker(text, reader.at)) throw new NotPlain();
      return;
    }
  }
  reader.column = -1;
};

/** Where documents begin and end, and directives. */
const isMarker = (text: string, at: number): boolean =>
  text.startsWith('---', at) || text.startsWith('...', at) || text.startsWith('%', at);

export const lineEnd = (text: string, at: number): number => {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end;
};
