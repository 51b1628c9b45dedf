import { actFits, isPlainAct, operationAct, type OperationAct } from './acts.ts';
import type { SearchedOperation, SearchIndex } from './search-index.ts';
import { readRanked, type RankedWords } from './ranked.ts';
import { fullSpelling, type Spelling, similarWords } from './similar-words.ts';
import { type Concept, readWish, type Wish } from './wish.ts';
import { wordsAndNamesOf, wordsOf } from './words.ts';

export interface SearchQuery {
  readonly text: string;
  readonly area?: string | undefined;
  readonly method?: string | undefined;
}

/** Returns the operations that match, best first; the same text always gives the same order. */
export type Search = (query: SearchQuery) => readonly SearchedOperation[];

/** Results that score below this share of the best are dropped. */
const FAR_BEHIND = 0.2;
/** Largest share that is taken off where the name of an operation says more than was asked for. */
const FOCUS = 0.6;
/** Factors for an operation whose path ends with what the wish asks for, or with a secondary word of it. */
const SUBJECT_IS_HEAD = 1.25;
const SUBJECT_IS_TAIL = 0.9;
/** Exponents: how much it counts that all concepts are covered, and that the act fits. */
const COVERAGE = 0.4;
const ACT = 0.9;
/** Exponent that lowers operations with many variables in their path. */
const NESTED = 0.11;
/** Raises synonyms in a name, which are nearly as good as the word itself. */
const SYNONYMS_COUNT = 1.5;

/** Weight of an operation's word that an everyday word may mean: alone, and beside a better word. */
const EVERYDAY = 0.7;
const EVERYDAY_BESIDE = 0.5;
/** Exponent that lowers everyday words with many meanings. */
const VAGUE = 0.2;

interface Profile {
  readonly act: OperationAct;
  /** Stems of name and path, without words that name only the kind of act. */
  readonly key: readonly string[];
  readonly subject: readonly string[];
  /** Factor of its rank: 1 without variables in its path, less with each. */
  readonly nearness: number;
}

/** Opens a search. Reading the index is slow: keep the result. */
export const openSearch = ({ operations, ranked }: SearchIndex): Search => {
  const index = readRanked(ranked);
  const profiles = operations.map(profileOf);
  return ({ text, area, method }) => {
    const isWanted = wantedBy(area, method);
    const wish = readWish(text);
    if (wish.concepts.length === 0) return operations.filter(isWanted);

    const spelling = fullSpelling();
    const concepts = wish.concepts.map((concept) => inIndex(concept, index, spelling));
    const fitness = fitnessOf(wish, concepts, index);
    const scored = [...scoresOf(concepts, index)]
      .flatMap(([id, score]) => {
        const [operation, profile] = [operations[id], profiles[id]];
        if (!operation || !profile || !isWanted(operation)) return [];
        return [{ id, operation, score: score * fitness(profile) }];
      })
      .toSorted((a, b) => b.score - a.score || a.id - b.id);
    const least = (scored[0]?.score ?? 0) * FAR_BEHIND;
    return scored.filter(({ score }) => score >= least).map(({ operation }) => operation);
  };
};

/** Score of each operation over all concepts, lowered where it covers few of them. */
const scoresOf = (
  concepts: readonly Concept[],
  index: RankedWords,
): ReadonlyMap<number, number> => {
  const scores = new Map<number, number>();
  const covered = new Map<number, number>();
  let all = 0;
  for (const { words, weight } of concepts) {
    const best = bestOf(words, index);
    let most = 0;
    for (const score of best.values()) most = Math.max(most, score);
    if (most > 0) all += weight;
    for (const [id, score] of best) {
      scores.set(id, (scores.get(id) ?? 0) + weight * score);
      covered.set(id, (covered.get(id) ?? 0) + (weight * score) / most);
    }
  }
  for (const [id, score] of scores) {
    scores.set(id, score * ((covered.get(id) ?? 0) / all) ** COVERAGE);
  }
  return scores;
};

/** Factor for how well act and subject of an operation fit the wish: 1 is neutral. */
const fitnessOf = (wish: Wish, concepts: readonly Concept[], index: RankedWords) => {
  const inHead = meaningsOf(concepts.filter(({ isHead }) => isHead));
  const inTail = meaningsOf(concepts.filter(({ isHead }) => !isHead));
  const meant = (stem: string): number => Math.max(inHead.get(stem) ?? 0, inTail.get(stem) ?? 0);
  return ({ act, key, subject, nearness }: Profile): number => {
    let [all, asked] = [0.5, 0.5];
    for (const stem of key) {
      const rarity = index.get(stem)?.rarity ?? 0;
      all += rarity;
      asked += rarity * Math.min(1, meant(stem) * SYNONYMS_COUNT);
    }
    const isAbout = (meanings: ReadonlyMap<string, number>): boolean =>
      subject.some((stem) => (meanings.get(stem) ?? 0) > 0.5);
    const about = isAbout(inHead) ? SUBJECT_IS_HEAD : isAbout(inTail) ? SUBJECT_IS_TAIL : 1;
    return actFits(wish, act) ** ACT * (1 - FOCUS + FOCUS * (asked / all)) * about * nearness;
  };
};

const meaningsOf = (concepts: readonly Concept[]): ReadonlyMap<string, number> => {
  const most = new Map<string, number>();
  for (const { words } of concepts) {
    for (const [word, counts] of words) most.set(word, Math.max(most.get(word) ?? 0, counts));
  }
  return most;
};

const profileOf = (operation: SearchedOperation): Profile => {
  const { name, path } = operation;
  const fixed = path.split('/').filter((part) => part !== '' && !part.includes('{'));
  const stems = [...wordsOf(name), ...fixed.flatMap(wordsOf)];
  return {
    act: operationAct(operation),
    key: [...new Set(stems)].filter((stem) => !isPlainAct(stem) && stem.length > 2),
    subject: wordsAndNamesOf(fixed.at(-1) ?? ''),
    nearness: path.split('{').length ** -NESTED,
  };
};

/** Adds to a concept the meanings of everyday words, and words of the index with a similar form or spelling. */
const inIndex = (concept: Concept, index: RankedWords, spelling: Spelling): Concept => {
  const words = new Map(concept.words);
  const everyday = concept.everyday?.filter((stem) => index.has(stem)) ?? [];
  const hasBetter = [...words.keys()].some((word) => index.has(word));
  const share = (hasBetter ? EVERYDAY_BESIDE : EVERYDAY) * everyday.length ** -VAGUE;
  for (const stem of everyday) words.set(stem, Math.max(words.get(stem) ?? 0, share));
  for (const [word, counts] of concept.words) {
    if (counts < 1) continue;
    for (const [similar, share] of similarWords(word, index, spelling)) {
      if ((words.get(similar) ?? 0) < share) words.set(similar, share);
    }
  }
  return { ...concept, words };
};

/** Score of each operation by its best word of a concept: several words that mean the same add nothing. */
const bestOf = (
  words: ReadonlyMap<string, number>,
  index: RankedWords,
): ReadonlyMap<number, number> => {
  const best = new Map<number, number>();
  const most = mostRarity(words, index);
  for (const [word, counts] of words) {
    const found = index.get(word);
    if (!found) continue;
    const rarity = Math.min(found.rarity, most);
    found.ids.forEach((id, at) => {
      const score = counts * rarity * (found.strengths[at] ?? 0);
      if (score > (best.get(id) ?? 0)) best.set(id, score);
    });
  }
  return best;
};

/** Highest rarity of a synonym: where the API has the word that was said, a rarer synonym is worth no more. */
const mostRarity = (words: ReadonlyMap<string, number>, index: RankedWords): number => {
  const said = [...words].flatMap(([word, counts]) =>
    counts === 1 ? (index.get(word) ?? []) : [],
  );
  return said.length === 0 ? Infinity : Math.max(...said.map(({ rarity }) => rarity));
};

const wantedBy =
  (area: string | undefined, method: string | undefined) =>
  (operation: SearchedOperation): boolean =>
    (area === undefined || operation.areas.some((one) => same(one, area))) &&
    (method === undefined || same(operation.method, method));

const same = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
