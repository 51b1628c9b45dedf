import { readFileSync } from 'node:fs';
import { openSearch } from '../../layers/search/search.ts';
import { REAL_DESCRIPTIONS } from '../../test/support/service/publisher.ts';
import { searchIndexOf } from '../../test/support/mcp/searching.ts';

/** What a user's assistant would search, and the operations that do it, as `METHOD /path`. */
export type Wish = readonly [wish: string, ...operations: string[]];

/** Which of the wishes: those that the search is tuned by, or those that only measure it. */
export type Half = 'tuned by' | 'set apart';

const WISHES = JSON.parse(
  readFileSync(new URL('wishes.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, readonly Wish[]>>;

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
  Object.entries(WISHES).flatMap(([file, wishes]) => {
    const index = searchIndexOf(readFileSync(new URL(file, REAL_DESCRIPTIONS)));
    const search = openSearch(index);
    const all = new Set(index.operations.map(({ method, path }) => `${method} ${path}`));
    return wishes
      .filter((_, at) => (at % 2 === 0) === (half === 'tuned by'))
      .map(([wish, ...operations]) => {
        const unknown = operations.find((operation) => !all.has(operation));
        if (unknown !== undefined) throw new Error(`${file} has no operation ${unknown}`);
        const found = search({ text: wish }).map(({ method, path }) => `${method} ${path}`);
        const place = found.findIndex((operation) => operations.includes(operation)) + 1;
        return { file, wish, place, found };
      });
  });

/** How many stand first, among the first three and among the first ten. */
export const scoreOf = (places: readonly Place[]): readonly [number, number, number] => {
  const within = (most: number) => places.filter(({ place }) => place > 0 && place <= most).length;
  return [within(1), within(3), within(10)];
};
