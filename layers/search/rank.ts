import MiniSearch, { type Options } from 'minisearch';
import { type RankedField, WEIGHTS } from './ranked.ts';
import { wordsAndNamesOf } from './words.ts';

export type RankedTexts = Readonly<Record<RankedField, string>> & { readonly id: number };

const OPTIONS: Options<RankedTexts> = {
  fields: Object.keys(WEIGHTS),
  tokenize: (text) => [...wordsAndNamesOf(text)],
  // `tokenize` returns stems already: MiniSearch must not change them.
  processTerm: (word) => word,
};

/** Ranked index as JSON text, which `readRanked` reads. */
export const rank = (texts: readonly RankedTexts[]): string => {
  const index = new MiniSearch(OPTIONS);
  index.addAll(texts);
  return JSON.stringify(index);
};
