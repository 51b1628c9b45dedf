import type { Json } from '../../document.ts';
import { quoted } from './quoted.ts';
import {
  APOSTROPHE,
  CLOSING_BRACE,
  CLOSING_BRACKET,
  COLON,
  COMMA,
  count,
  DASH,
  HASH,
  isBlank,
  nested,
  NEWLINE,
  NotPlain,
  OPENING_BRACE,
  OPENING_BRACKET,
  QUOTE,
  type Reader,
  skipSpaces,
  SPACE,
  TAB,
} from './reader.ts';
import { canBegin, keyOf, valueOf } from './scalars.ts';
import { put, whole } from './put.ts';

/** Reads what stands in brackets or braces, whose further lines are further in than `parent`. */
export const flow = (reader: Reader, parent: number): Json =>
  nested(reader, () =>
    reader.text.charCodeAt(reader.at) === OPENING_BRACKET
      ? list(reader, parent)
      : object(reader, parent),
  );

const list = (reader: Reader, parent: number): Json => {
  const items: Json[] = [];
  reader.at += 1;
  for (;;) {
    if (next(reader, parent) === CLOSING_BRACKET) break;
    count(reader);
    items.push(value(reader, parent));
    const after = next(reader, parent);
    if (after === COMMA) reader.at += 1;
    else if (after !== CLOSING_BRACKET) throw new NotPlain();
  }
  reader.at += 1;
  return items;
};

const object = (reader: Reader, parent: number): Json => {
  const members: Record<string, Json> = {};
  reader.at += 1;
  for (;;) {
    const first = next(reader, parent);
    if (first === CLOSING_BRACE) break;
    const isQuoted = first === QUOTE || first === APOSTROPHE;
    const { at } = reader;
    const key = isQuoted ? quoted(reader, parent) : keyOf(words(reader));
    if (reader.text.slice(at, reader.at).includes('\n')) throw new NotPlain();
    skipSpaces(reader);
    if (reader.text.charCodeAt(reader.at) !== COLON) throw new NotPlain();
    reader.at += 1;
    next(reader, parent);
    count(reader);
    put(members, key, value(reader, parent));
    const after = next(reader, parent);
    if (after === COMMA) reader.at += 1;
    else if (after !== CLOSING_BRACE) throw new NotPlain();
  }
  reader.at += 1;
  return whole(members);
};

const value = (reader: Reader, parent: number): Json => {
  const first = reader.text.charCodeAt(reader.at);
  if (first === OPENING_BRACKET || first === OPENING_BRACE) return flow(reader, parent);
  return first === QUOTE || first === APOSTROPHE ? quoted(reader, parent) : valueOf(words(reader));
};

/** A scalar without quotes, on one line. */
const words = (reader: Reader): string => {
  const { text, at: start } = reader;
  const first = text.charCodeAt(start);
  if (!canBegin(first) || (first === DASH && endsWord(text.charCodeAt(start + 1)))) {
    throw new NotPlain();
  }
  let end = start;
  let at = start;
  for (; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === SPACE) continue;
    if (character === NEWLINE || isIndicator(character)) break;
    if (character === COLON && endsWord(text.charCodeAt(at + 1))) break;
    if (character === TAB || (character === HASH && text.charCodeAt(at - 1) === SPACE)) {
      throw new NotPlain();
    }
    end = at + 1;
  }
  reader.at = at;
  return text.slice(start, end);
};

const isIndicator = (character: number): boolean =>
  character === COMMA ||
  character === OPENING_BRACKET ||
  character === CLOSING_BRACKET ||
  character === OPENING_BRACE ||
  character === CLOSING_BRACE;

const endsWord = (character: number): boolean => isBlank(character) || isIndicator(character);

/** Skips blanks and line ends. @returns the character that comes next */
const next = (reader: Reader, parent: number): number => {
  const { text } = reader;
  skipSpaces(reader);
  while (text.charCodeAt(reader.at) === NEWLINE) {
    const lineStart = reader.at + 1;
    reader.at = lineStart;
    skipSpaces(reader);
    const isEmpty = text.charCodeAt(reader.at) === NEWLINE;
    if (!isEmpty && reader.at - lineStart <= parent) throw new NotPlain();
  }
  if (reader.at >= text.length) throw new NotPlain();
  return text.charCodeAt(reader.at);
};
