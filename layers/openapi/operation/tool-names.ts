import type { FoundOperation } from '../document.ts';
import { saysNothing, writtenId } from '../frameworks/operation-ids.ts';
import { latinLetters } from '../schema/latin-letters.ts';
import { withPinyin } from '../schema/pinyin.ts';
import { nameWithout, shortHash, tidyText } from '../schema/texts.ts';
import {
  joinedWords,
  longName,
  type LongName,
  MAX_TOOL_NAME,
  shortName,
  type Word,
  writtenWords,
} from './short-names.ts';
import { differences, differingWords } from './differences.ts';
import { shownPath } from './path-places.ts';

/**
 * Unique tool names that all model APIs accept (`^[a-zA-Z_][a-zA-Z0-9_-]*$`, up to 48 characters): the operationId, or
 * method and path if that is missing or meaningless. Longer names lose their middle.
 *
 * A name depends on its operation alone, unless several want the same: then one whose operationId is literally that
 * name keeps it, and the others get what distinguishes them: words lost by shortening, words of their paths, methods,
 * finally a hash. So order does not matter, and importing again renames nothing. Pass all operations of the
 * description, so that selecting some changes no name.
 * Source: docs/tools.md, "Names".
 */
export const toolNames = (
  operations: readonly FoundOperation[],
): ReadonlyMap<FoundOperation, string> => {
  const claims = operations.map((operation) => ({ operation, ...wantedName(operation) }));
  // Parts that a framework added distinguish operations whose other parts are equal.
  const wanted = [...Map.groupBy(claims, ({ name }) => name).values()].flatMap((alike) =>
    alike.every(({ operation }) => operation.operationId === alike[0]?.operation.operationId)
      ? alike
      : alike.map(({ operation }) => ({ operation, ...completeName(operation) })),
  );
  const groups = [...Map.groupBy(wanted, (claim) => shortName(claim)).entries()].toSorted(
    ([one], [other]) => (one < other ? -1 : 1),
  );

  const taken = new Set<string>();
  const names = new Map<FoundOperation, string>();
  const give = (operation: FoundOperation, name: string): void => {
    names.set(operation, name);
    taken.add(name);
  };
  for (const [name, its] of groups) {
    const owner = soleOwner(name, its);
    if (owner) give(owner, name);
  }
  for (const [, its] of groups) {
    const open = its.filter(({ operation }) => !names.has(operation));
    if (open.length === 0) continue;
    const found = firstOf(
      toldApart(open, its),
      (choice) =>
        new Set(choice).size === open.length &&
        choice.every((name) => name !== '' && name.length <= MAX_TOOL_NAME && !taken.has(name)),
    );
    for (const [index, { operation, name }] of open.entries()) {
      give(operation, found?.[index] ?? hashed(operation, name, taken));
    }
  }
  return new Map(operations.map((operation) => [operation, names.get(operation) ?? '']));
};

/** Iterators have no `find` in Node 20, on which packages run. */
const firstOf = <Value>(
  values: Iterable<Value>,
  isIt: (value: Value) => boolean,
): Value | undefined => {
  for (const value of values) if (isIt(value)) return value;
  return undefined;
};

interface Claim extends LongName {
  readonly operation: FoundOperation;
}

/** Candidates for names that operations compete for, best first; they may be too long or not unique. */
const toldApart = function* (
  open: readonly Claim[],
  all: readonly Claim[],
): Generator<readonly string[]> {
  const counts = new Map<string, number>();
  for (const text of all.flatMap(({ words }) => [...new Set(words.map((one) => one.text))])) {
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  const differs = ({ text }: Word): boolean => counts.get(text) !== all.length;
  const ofOpen = (named: (claim: Claim, index: number) => string): readonly string[] =>
    all.map(named).filter((_, index) => open.includes(all[index] as Claim));

  if (all.some(({ name }) => name.length > MAX_TOOL_NAME)) {
    yield ofOpen((claim) => shortName(claim, MAX_TOOL_NAME, differs));
  }
  const operations = all.map(({ operation }) => operation);
  for (const labels of [...differences(operations), differingWords(operations, true)]) {
    yield ofOpen((claim, index) => labelled(claim, labels[index] ?? ''));
  }
};

const labelled = (claim: Claim, label: string): string => {
  const ending = joinedWords(label);
  if (ending === '') return shortName(claim);
  const room = MAX_TOOL_NAME - 1 - ending.length;
  return room < MIN_NAME ? '' : `${shortName(claim, room)}_${ending}`;
};

/** Least characters kept of a name before a distinguishing suffix. */
const MIN_NAME = 8;

/** Six hash digits suffice in practice; longer ones protect against deliberate collisions. */
const hashed = (
  { method, path, pointer }: FoundOperation,
  name: string,
  taken: ReadonlySet<string>,
): string => {
  const endings = [
    shortHash(`${method} ${path}`, 6),
    shortHash(`${method} ${path}`, 32),
    shortHash(`${method} ${path} ${pointer}`, 32),
  ];
  const unique = endings
    .map((ending) => `${name.slice(0, MAX_TOOL_NAME - 1 - ending.length)}_${ending}`)
    .find((free) => !taken.has(free));
  if (unique === undefined) throw new Error('an operation stands in the list twice');
  return unique;
};

const wantedName = (found: FoundOperation): LongName => {
  const { operationId } = found;
  const given = operationId === undefined ? '' : telling(writtenId(operationId, found));
  return given === '' ? pathName(found) : longName(given);
};

const completeName = (found: FoundOperation): LongName => {
  const { operationId = '' } = found;
  const given = writtenId(operationId, found) === '' ? '' : telling(operationId);
  return given === '' ? pathName(found) : longName(given);
};

/** As a tool name; empty where what says something is in letters that no name can have: `get订单`. */
const telling = (operationId: string): string => {
  // Syllables between letters that are lost tell nothing: the `no` of `日本語の操作`.
  const isTold = !isLost(latinLetters(operationId)) || !saysNothing(toolName(asciiOf(operationId)));
  return isTold ? toolName(operationId) : '';
};

const asciiOf = (text: string): string => text.replaceAll(/[^\0-\x7F]+/g, '');

/** Whether letters of it stand in no name. */
const isLost = (latin: string): boolean => /[^\0-\x7F]/.test(latin);

/** Key in an OData path, which names its variable twice: `(ID='{ID}')`. */
const KEYED = /([(,])\w+=(?:\w*')?(\{[^{}]*\})'?/g;

/** Method and words of the path; what the summary says in Latin letters, where the path has others. */
const pathName = (found: FoundOperation): LongName => {
  const { method, path } = found;
  const latin = latinLetters(decoded(shownPath(path)));
  const said = isLost(latin) ? summaryName(found) : '';
  if (said !== '') return longName(said);
  // With a capturing group, every second piece is a variable's name.
  const words = latin
    .replaceAll(KEYED, '$1$2')
    .split(/\{([^{}]*)\}/)
    .flatMap((piece, index): readonly Word[] => {
      const texts = piece.split(/[^a-zA-Z0-9-]+/).filter((text) => text !== '');
      if (index % 2 === 0) return texts.map((text) => ({ before: '_', text }));
      const named = texts.length > 0 ? texts : [soundOf(piece)].filter((sound) => sound !== '');
      return [{ before: '_', text: ['by', ...named].join('_'), isPlace: true }];
    });
  const none = { before: '_', text: path === '/' ? 'root' : soundOf(path) || shortHash(path, 6) };
  const isNamed = isLost(latin) ? words.some((word) => !word.isPlace) : words.length > 0;
  const verb = { before: '', text: method.toLowerCase() };
  const all = [verb, ...(isNamed ? [] : [none]), ...words];
  return longName(writtenWords(all), all);
};

/** The words of a path by their sound, where it has none in Latin letters. */
const soundOf = (path: string): string =>
  joinedWords(withPinyin(decoded(shownPath(path)).replaceAll(/\{[^{}]*\}/g, '/')));

/** Words of a summary; more do not make a name. */
const MAX_SUMMARY_WORDS = 8;

/** Empty where a summary says nothing in Latin letters. */
const summaryName = ({ operation }: FoundOperation): string => {
  const summary = latinLetters(tidyText(operation, 'summary') ?? '');
  const words = isLost(summary) ? [] : joinedWords(summary).toLowerCase().split('_');
  const name = toolName(words.slice(0, MAX_SUMMARY_WORDS).join('_'));
  return saysNothing(name) ? '' : name;
};

/** A path as people read it. */
const decoded = (path: string): string => {
  if (!/%[89A-Fa-f]/.test(path)) return path;
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
};

const toolName = (text: string): string => {
  const name = nameWithout(text, /[^a-zA-Z0-9_-]+/g).replace(/^(?=[^a-zA-Z_])/, '_');
  return name === '_' ? '' : name;
};

/** The operation that keeps the plain name: the only candidate, or the only one whose operationId is exactly that. */
const soleOwner = (name: string, claims: readonly Claim[]): FoundOperation | undefined => {
  const literal = claims.filter(({ operation }) => operation.operationId === name);
  if (literal.length === 1) return literal[0]?.operation;
  return claims.length === 1 && name !== '' ? claims[0]?.operation : undefined;
};
