import type { SearchedOperation, SearchIndex } from './search-index.ts';
import { findByWords } from './ranked.ts';
import { wordsAndNamesOf, wordsOf } from './words.ts';

export interface SearchQuery {
  readonly text: string;
  readonly area?: string | undefined;
  readonly method?: string | undefined;
}

/** All operations that match, the best first; for one text always in the same order. */
export type Search = (query: SearchQuery) => readonly SearchedOperation[];

const MAX_QUERY = 500;
const MAX_WORDS = 24;
/** What scores less than this share of the best is not what was asked for. */
const FAR_BEHIND = 0.15;
/** What an operation that has none of the words as a whole keeps of its score. */
const NONE_SAID = 0.2;

/** A search that is ready: read the index once and keep it. */
export const openSearch = ({ operations, ranked }: SearchIndex): Search => {
  const find = findByWords(ranked);
  return ({ text, area, method }) => {
    const asked = text.slice(0, MAX_QUERY);
    const words = [...new Set(wordsAndNamesOf(asked))].slice(0, MAX_WORDS);
    const isWanted = wantedBy(area, method);
    if (words.length === 0) return operations.filter(isWanted);

    const said = new Set(wordsOf(asked));
    const hits = find(words, (id) => {
      const operation = operations[id];
      return operation !== undefined && isWanted(operation);
    });
    const scored = hits
      .map(({ id, score, words: by }) => {
        const share = by.filter((word) => said.has(word)).length / Math.max(said.size, 1);
        return { id, score: score * (NONE_SAID + share) };
      })
      .toSorted((a, b) => b.score - a.score || a.id - b.id);
    const least = (scored[0]?.score ?? 0) * FAR_BEHIND;
    return scored.flatMap(({ id, score }) => (score < least ? [] : (operations[id] ?? [])));
  };
};

const wantedBy =
  (area: string | undefined, method: string | undefined) =>
  (operation: SearchedOperation): boolean =>
    (area === undefined || operation.areas.some((one) => same(one, area))) &&
    (method === undefined || same(operation.method, method));

const same = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
