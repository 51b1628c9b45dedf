import MiniSearch, { type Options } from 'minisearch';
import { type RankedField, WEIGHTS } from './ranked.ts';
import { wordsAndNamesOf } from './words.ts';

/** Of one operation: a text per field, and its place in the list. */
export type RankedTexts = Readonly<Record<RankedField, string>> & { readonly id: number };

const OPTIONS: Options<RankedTexts> = {
  fields: Object.keys(WEIGHTS),
  tokenize: (text) => [...wordsAndNamesOf(text)],
  // The words come as they are compared.
  processTerm: (word) => word,
};

/** The ranked index of texts, which `readRanked` reads. @returns JSON text */
export const rank = (texts: readonly RankedTexts[]): string => {
  const index = new MiniSearch(OPTIONS);
  index.addAll(texts);
  return JSON.stringify(index);
};
