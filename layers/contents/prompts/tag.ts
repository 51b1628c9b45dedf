import { type Filter, filterNames, isPlainFilter } from './filters.ts';
import { TemplateError } from './template-error.ts';

export interface Cursor {
  readonly text: string;
  at: number;
}

export interface Expression {
  readonly argument: string;
  readonly filters: readonly Filter[];
}

export interface Condition {
  readonly condition: Expression;
  /** Absent: the condition holds if the value is not empty. */
  readonly equals: string | undefined;
}

export type Tag =
  | { readonly kind: 'value'; readonly expression: Expression }
  | ({ readonly kind: 'if' } & Condition)
  | { readonly kind: 'else' }
  | ({ readonly kind: 'else-if' } & Condition)
  | { readonly kind: 'end' };

/** @throws TemplateError */
export const readTag = (cursor: Cursor): Tag => {
  const start = cursor.at;
  cursor.at += 2;
  const tag = readInside(cursor);
  skipSpace(cursor);
  if (cursor.text.startsWith('}}', cursor.at)) {
    cursor.at += 2;
    return tag;
  }
  if (cursor.at === cursor.text.length) {
    throw new TemplateError(cursor.text, start, 'this tag is never closed', 'add }}');
  }
  throw unexpected(cursor, tag.kind === 'value' ? 'a tag is {{argument | filter}}' : FORMS);
};

const FORMS =
  "conditions are {{#if argument}} or {{#if argument eq 'text'}}, {{else}}, {{else if ...}} and {{/if}}";

const readInside = (cursor: Cursor): Tag => {
  if (take(cursor, '#')) {
    readKeyword(cursor, 'if', 'the only block is {{#if argument}}');
    return { kind: 'if', ...readCondition(cursor) };
  }
  if (take(cursor, '/')) {
    readKeyword(cursor, 'if', 'blocks end with {{/if}}');
    return { kind: 'end' };
  }
  const argument = readArgument(cursor);
  if (argument === 'else') {
    skipSpace(cursor);
    if (!isWordNext(cursor)) return { kind: 'else' };
    readKeyword(cursor, 'if', FORMS);
    return { kind: 'else-if', ...readCondition(cursor) };
  }
  return { kind: 'value', expression: { argument, filters: readFilters(cursor) } };
};

const readCondition = (cursor: Cursor): Condition => {
  const condition = { argument: readArgument(cursor), filters: readFilters(cursor) };
  const equals = isWordNext(cursor) ? readComparison(cursor) : undefined;
  return { condition, equals };
};

const readArgument = (cursor: Cursor): string =>
  readWord(cursor, "an argument's name", 'write {{name}}; \\{ is a brace as text');

const readFilters = (cursor: Cursor): Filter[] => {
  const filters: Filter[] = [];
  while (take(cursor, '|')) filters.push(readFilter(cursor));
  return filters;
};

const readFilter = (cursor: Cursor): Filter => {
  const hint = `the filters are ${filterNames()}`;
  const name = readWord(cursor, 'a filter', hint);
  if (name === 'default') return { name, fallback: readString(cursor) };
  if (isPlainFilter(name)) return { name };
  throw backAt(cursor, name, `there is no filter "${short(name)}"`, hint);
};

const readComparison = (cursor: Cursor): string => {
  readKeyword(cursor, 'eq', FORMS);
  return readString(cursor);
};

const readKeyword = (cursor: Cursor, keyword: string, hint: string): void => {
  const word = readWord(cursor, `"${keyword}"`, hint);
  if (word !== keyword) {
    throw backAt(cursor, word, `expected "${keyword}" and found "${short(word)}"`, hint);
  }
};

const readWord = (cursor: Cursor, expected: string, hint: string): string => {
  skipSpace(cursor);
  const start = cursor.at;
  while (isWordNext(cursor)) cursor.at += 1;
  if (start < cursor.at) return cursor.text.slice(start, cursor.at);
  throw new TemplateError(cursor.text, cursor.at, `expected ${expected}`, hint);
};

const readString = (cursor: Cursor): string => {
  skipSpace(cursor);
  const { text } = cursor;
  const start = cursor.at;
  const quote = text[start];
  if (quote !== "'" && quote !== '"') {
    throw new TemplateError(text, start, 'expected a text in quotes', "write it as 'text'");
  }
  const pieces: string[] = [];
  let from = start + 1;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === quote) {
      cursor.at = at + 1;
      return pieces.join('') + text.slice(from, at);
    }
    if (text[at] !== '\\') continue;
    const escaped = ESCAPES.get(text[at + 1] ?? '');
    if (escaped === undefined) {
      throw new TemplateError(text, at, 'unknown escape in a text', 'write \\\\ for a backslash');
    }
    pieces.push(text.slice(from, at), escaped);
    at += 1;
    from = at + 1;
  }
  throw new TemplateError(text, start, 'this text is never closed', `add ${quote}`);
};

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ...Array.from('\'"\\{}', (character) => [character, character] as const),
  ['n', '\n'],
  ['t', '\t'],
]);

const isWordNext = ({ text, at }: Cursor): boolean =>
  at < text.length && !/[\s{}|'"\\]/.test(text.charAt(at));

const skipSpace = (cursor: Cursor): void => {
  while (/\s/.test(cursor.text.charAt(cursor.at))) cursor.at += 1;
};

/** Skips space, then the character if it is there. */
const take = (cursor: Cursor, character: string): boolean => {
  skipSpace(cursor);
  const found = cursor.text[cursor.at] === character;
  if (found) cursor.at += 1;
  return found;
};

const unexpected = ({ text, at }: Cursor, hint: string): TemplateError =>
  new TemplateError(text, at, `unexpected "${text.charAt(at)}"`, hint);

const backAt = ({ text, at }: Cursor, word: string, what: string, hint: string): TemplateError =>
  new TemplateError(text, at - word.length, what, hint);

const short = (word: string): string => (word.length > 40 ? `${word.slice(0, 40)}...` : word);
