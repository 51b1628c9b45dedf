import type { Json } from '../../document.ts';
import { blockScalar } from './block-scalar.ts';
import { flow } from './flow.ts';
import { put, whole } from './put.ts';
import { quoted } from './quoted.ts';
import {
  ANGLE,
  APOSTROPHE,
  BAR,
  COLON,
  count,
  HASH,
  isBlank,
  isEntry,
  leaveLine,
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
  toContent,
} from './reader.ts';
import { canBegin, endsKey, keyOf, plainScalar } from './scalars.ts';

/** Characters that YAML has rules for, none of which is kept here. */
const SPECIAL = /[[\p{Cc}\ufeff\ufffe\uffff]--[\t\n]]/v;

/**
 * Reads YAML as nearly all descriptions are written, several times as fast as a reader of all of YAML:
 * one document without anchors, aliases, tags, explicit keys, keys that stand twice, and tabs between
 * tokens. Whatever it reads, it reads as the other one does.
 *
 * @returns a tree that is bounded in depth and number of values, of finite numbers, and without
 *   `__proto__`; undefined for everything else, be it right or wrong
 *
 * Source: YAML 1.2.2.
 */
export const parsePlainYaml = (text: string): Json | undefined => {
  if (SPECIAL.test(text) || !text.isWellFormed()) return undefined;
  const reader: Reader = { text, at: start(text), lineStart: 0, column: 0, depth: 0, values: 0 };
  try {
    toContent(reader);
    if (reader.column !== 0) return undefined;
    const root = node(reader, -1);
    return isAtEnd(reader) && typeof root === 'object' ? root : undefined;
  } catch (error) {
    if (error instanceof NotPlain) return undefined;
    throw error;
  }
};

const isAtEnd = ({ column }: Reader): boolean => column === -1;

/** Just before the first line that counts: after `---`, if that is all there is before. */
const start = (text: string): number => {
  const marker = /^(?:(?: *| *#.*)\n)*---(?: +#.*| *)(?=\n)/.exec(text);
  return marker === null ? -1 : marker[0].length;
};

/** A node in block style, which begins at the next character. */
const node = (reader: Reader, parent: number): Json =>
  nested(reader, () => {
    const { text, at, column } = reader;
    if (isEntry(reader)) return sequence(reader, column);
    const first = text.charCodeAt(at);
    if (first === QUOTE || first === APOSTROPHE) {
      const scalar = quoted(reader, parent);
      const { at: end } = reader;
      skipSpaces(reader);
      if (text.charCodeAt(reader.at) !== COLON) {
        reader.at = end;
        leaveLine(reader);
        return scalar;
      }
      if (text.slice(at, end).includes('\n')) throw new NotPlain();
      return mapping(reader, column, scalar);
    }
    if (first === OPENING_BRACKET || first === OPENING_BRACE) return inline(reader, parent);
    if (!canBegin(first)) throw new NotPlain();
    const key = plainKey(reader);
    return key === undefined ? plainScalar(reader, parent) : mapping(reader, column, key);
  });

/** @param firstKey - read already; its colon comes next */
const mapping = (reader: Reader, column: number, firstKey: string): Json => {
  const members: Record<string, Json> = {};
  let key = firstKey;
  for (;;) {
    if (!endsKey(reader.text, reader.at)) throw new NotPlain();
    reader.at += 1;
    count(reader);
    put(members, key, member(reader, column));
    if (reader.column < column) return whole(members);
    if (reader.column > column || isEntry(reader)) throw new NotPlain();
    key = nextKey(reader, column);
  }
};

const nextKey = (reader: Reader, column: number): string => {
  const { text, at } = reader;
  const first = text.charCodeAt(at);
  if (first === QUOTE || first === APOSTROPHE) {
    const key = quoted(reader, column);
    if (text.slice(at, reader.at).includes('\n')) throw new NotPlain();
    skipSpaces(reader);
    if (text.charCodeAt(reader.at) !== COLON) throw new NotPlain();
    return key;
  }
  const key = canBegin(first) ? plainKey(reader) : undefined;
  if (key === undefined) throw new NotPlain();
  return key;
};

/** A key without quotes, up to its colon; undefined, and nothing is read, if the line has none. */
const plainKey = (reader: Reader): string | undefined => {
  const { text, at: start } = reader;
  let end = start;
  for (let at = start; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === SPACE) continue;
    if (character === NEWLINE) return undefined;
    if (character === COLON && endsKey(text, at)) {
      reader.at = at;
      return keyOf(text.slice(start, end));
    }
    if (character === HASH && text.charCodeAt(at - 1) === SPACE) return undefined;
    if (character === TAB) throw new NotPlain();
    end = at + 1;
  }
  return undefined;
};

/** What stands after a key. */
const member = (reader: Reader, column: number): Json => {
  skipSpaces(reader);
  const { text, at } = reader;
  const first = text.charCodeAt(at);
  if (first === NEWLINE || first === HASH || at >= text.length) {
    leaveLine(reader);
    if (reader.column > column) return node(reader, column);
    return reader.column === column && isEntry(reader) ? sequence(reader, column) : null;
  }
  return inline(reader, column);
};

const sequence = (reader: Reader, column: number): Json =>
  nested(reader, () => {
    const items: Json[] = [];
    do {
      reader.at += 1;
      count(reader);
      skipSpaces(reader);
      const first = reader.text.charCodeAt(reader.at);
      if (isBlank(first) || first === HASH) {
        leaveLine(reader);
        items.push(reader.column > column ? node(reader, column) : null);
      } else if (first === BAR || first === ANGLE) {
        items.push(blockScalar(reader, column));
      } else {
        reader.column = reader.at - reader.lineStart;
        items.push(node(reader, column));
      }
    } while (reader.column === column && isEntry(reader));
    if (reader.column > column) throw new NotPlain();
    return items;
  });

/** A value that begins on the line of its key; and leaves the line where it ends. */
const inline = (reader: Reader, parent: number): Json => {
  const { text, at } = reader;
  switch (text.charCodeAt(at)) {
    case BAR:
    case ANGLE:
      return blockScalar(reader, parent);
    case QUOTE:
    case APOSTROPHE: {
      const scalar = quoted(reader, parent);
      leaveLine(reader);
      return scalar;
    }
    case OPENING_BRACKET:
    case OPENING_BRACE: {
      const collection = flow(reader, parent);
      leaveLine(reader);
      return collection;
    }
    default:
      if (!canBegin(text.charCodeAt(at)) || isEntry(reader)) throw new NotPlain();
      return plainScalar(reader, parent);
  }
};
