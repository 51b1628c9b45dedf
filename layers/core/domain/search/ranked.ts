import MiniSearch, { type Options } from 'minisearch';
import { wordsAndNamesOf } from './words.ts';

/** What is searched of an operation, and how much a word counts there. */
const WEIGHTS = {
  name: 3,
  summary: 4,
  subject: 4,
  path: 2,
  verbs: 3,
  areas: 1,
  arguments: 0.7,
  description: 0.7,
} as const;

type RankedField = keyof typeof WEIGHTS;

/** Of one operation: a text per field, and its place in the list. */
export type RankedTexts = Readonly<Record<RankedField, string>> & { readonly id: number };

const OPTIONS: Options<RankedTexts> = {
  fields: Object.keys(WEIGHTS),
  tokenize: (text) => [...wordsAndNamesOf(text)],
  // The words come as they are compared.
  processTerm: (word) => word,
};

/** @returns JSON text */
export const ranked = (texts: readonly RankedTexts[]): string => {
  const index = new MiniSearch(OPTIONS);
  index.addAll(texts);
  return JSON.stringify(index);
};

interface Hit {
  /** The operation's place in the list. */
  readonly id: number;
  readonly score: number;
  /** The words of the query that it was found by. */
  readonly words: readonly string[];
}

/** Finds operations by words, the best first; also by how words begin and by near spellings. */
export type FindByWords = (words: readonly string[], isWanted: (id: number) => boolean) => Hit[];

export const findByWords = (json: string): FindByWords => {
  const index = MiniSearch.loadJSON(json, OPTIONS);
  return (words, isWanted) =>
    index
      .search(words.join(' '), {
        tokenize: () => [...words],
        boost: WEIGHTS,
        prefix: (word) => word.length >= 3,
        fuzzy: (word) => (word.length >= 5 ? 0.2 : false),
        maxFuzzy: 2,
        filter: ({ id }) => isWanted(id),
      })
      .map(({ id, score, queryTerms }) => ({ id, score, words: queryTerms }));
};
