import type { RankedWords } from './ranked.ts';

const LEAST_PREFIX = 3;
const LEAST_SPELLED = 5;
const MOST_SIMILAR = 20;
const LEAST_RELATED = 4;
/** Letters that two words with the same root have in common. */
const LEAST_ROOT = 5;

/**
 * Words of an index that one query may compare by spelling, about a second of work. A large index has more: those
 * beyond are not found by a misspelled word.
 */
const MOST_SPELLED = 300_000;

export interface Spelling {
  left: number;
}

export const fullSpelling = (): Spelling => ({ left: MOST_SPELLED });

/**
 * Words of an index that begin or end with a word or share its root. If the index has neither these nor the word
 * itself, those spelled nearly like it.
 * @returns each with the weight of a match, 0 to 1
 */
export const similarWords = (
  word: string,
  index: RankedWords,
  spelling: Spelling = fullSpelling(),
): readonly (readonly [string, number])[] => {
  const isThere = index.has(word);
  const begun: (readonly [string, number])[] = [];
  const related: (readonly [string, number])[] = [];
  if (word.length >= LEAST_PREFIX) {
    for (const other of index.keys()) {
      if (other === word) continue;
      if (other.startsWith(word)) {
        const share = (word.length / other.length) * (isThere ? 0.5 : 0.9);
        if (share > 0.2 && begun.push([other, share]) === MOST_SIMILAR) break;
      } else if (word.length >= LEAST_RELATED && related.length < MOST_SIMILAR) {
        const share = relatedShare(word, other);
        if (share > 0) related.push([other, share * (isThere ? 0.5 : 1)]);
      }
    }
  }
  const found = [...begun, ...related].slice(0, MOST_SIMILAR);
  if (isThere || found.length > 0 || word.length < LEAST_SPELLED) return found;
  const most = word.length >= 8 ? 2 : 1;
  const letters = lettersOf(word);
  for (const other of index.keys()) {
    if (Math.abs(other.length - word.length) > most || other.length < LEAST_SPELLED - 1) continue;
    if ((spelling.left -= 1) < 0) break;
    if (hasMoreThan(letters, lettersOf(other), most)) continue;
    const distance = editDistance(word, other, most);
    if (distance <= most) found.push([other, distance === 1 ? 0.6 : 0.4]);
    if (found.length === MOST_SIMILAR) break;
  }
  return found;
};

/** Weight of words with one root (`notify`, `notification`), and of a compound with its end (`geofence`, `fence`). */
const relatedShare = (word: string, other: string): number => {
  if (other.length > word.length + 2 && other.endsWith(word)) return 0.4;
  if (word.charCodeAt(0) !== other.charCodeAt(0)) return 0;
  const shorter = Math.min(word.length, other.length);
  if (shorter < LEAST_RELATED) return 0;
  let same = 1;
  while (same < shorter && word.charCodeAt(same) === other.charCodeAt(same)) same += 1;
  const isOneRoot =
    same >= LEAST_ROOT && same / shorter >= 0.75 && Math.max(word.length, other.length) - same <= 4;
  return isOneRoot || (same === shorter && other.length < word.length && word.length - same <= 4)
    ? 0.6
    : 0;
};

/** Set of the letters of a word, one bit each: comparing two sets is much faster than an edit distance. */
const lettersOf = (word: string): number => {
  let letters = 0;
  for (let at = 0; at < word.length; at += 1) letters |= 1 << (word.charCodeAt(at) % 32);
  return letters;
};

/** Whether one of two words has more than `most` letters that the other lacks: then they differ by more than that. */
const hasMoreThan = (one: number, other: number, most: number): boolean =>
  bitsIn(one & ~other) > most || bitsIn(other & ~one) > most;

const bitsIn = (letters: number): number => {
  let count = 0;
  for (let left = letters; left !== 0; left &= left - 1) count += 1;
  return count;
};

/** Damerau-Levenshtein distance, where a swap of neighbours counts 1; `most + 1` for anything above `most`. */
const editDistance = (one: string, other: string, most: number): number => {
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let at = 1; at <= one.length; at += 1) {
    const next = [at];
    for (let to = 1; to <= other.length; to += 1) {
      const isSame = one[at - 1] === other[to - 1];
      let least = Math.min(
        (row[to - 1] ?? 0) + (isSame ? 0 : 1),
        (row[to] ?? 0) + 1,
        (next[to - 1] ?? 0) + 1,
      );
      const isSwap =
        at > 1 && to > 1 && one[at - 1] === other[to - 2] && one[at - 2] === other[to - 1];
      if (isSwap) least = Math.min(least, (before[to - 2] ?? 0) + 1);
      next.push(least);
    }
    if (Math.min(...next) > most) return most + 1;
    [before, row] = [row, next];
  }
  return row.at(-1) ?? most + 1;
};
