import { latinLetters } from '../schema/latin-letters.ts';
import { shortHash } from '../schema/texts.ts';

/** Model APIs allow 64 characters, of which clients use some for a prefix. */
export const MAX_TOOL_NAME = 48;

/** A word of a name, and the separators before it; empty where only a capital letter separates them. */
export interface Word {
  readonly before: string;
  readonly text: string;
  /** Whether the word names the path parameter by which something is found: `by_id`. */
  readonly isPlace?: boolean;
}

/** `get_users` and `getUsers` have two words each, `getUsersById` three. */
export const wordsOf = (name: string): readonly Word[] => {
  const words = [
    ...name.matchAll(/([_-]*)([A-Z]+(?![a-z])\d*|[A-Z]?[a-z]+\d*|\d+|[^A-Za-z\d_-]+)/g),
  ].map(([, before = '', text = '']) => ({ before, text }));
  return words.reduce<Word[]>((read, word) => {
    const last = read.at(-1);
    const isMore = word.before === '' && last?.isPlace === true && word.text !== 'By';
    if (isMore) read[read.length - 1] = { ...last, text: last.text + word.text };
    else read.push(word.before === '' && word.text === 'By' ? { ...word, isPlace: true } : word);
    return read;
  }, []);
};

export interface LongName {
  readonly name: string;
  readonly words: readonly Word[];
}

/** Longest name that is split; of longer ones only both ends. */
const MAX_READ = 400;

export const longName = (name: string, words?: readonly Word[]): LongName => ({
  name,
  words:
    words ??
    wordsOf(
      name.length <= MAX_READ
        ? name
        : `${name.slice(0, MAX_READ / 2)}_${name.slice(-MAX_READ / 2)}`,
    ),
});

export const writtenWords = (words: readonly Word[]): string =>
  words.map(({ before, text }, index) => (index === 0 ? text : before + text)).join('');

export const joinedWords = (text: string): string =>
  latinLetters(text)
    .split(/[^a-zA-Z0-9-]+/)
    .filter((word) => word !== '')
    .join('_');

/**
 * Shortens a name by removing its middle, path parameters first. Its beginning tells the action, its end the object.
 * @param mustStay - words to keep before all others
 */
export const shortName = (
  { name, words }: LongName,
  most = MAX_TOOL_NAME,
  mustStay: (word: Word) => boolean = () => false,
): string => {
  if (name.length <= most) return name;
  const fewer = withoutPlaces(words, most, mustStay);
  const short = writtenWords(withoutMiddle(fewer, most, mustStay));
  // A single word may be too long.
  return short.length > most / 3 ? short : `${name.slice(0, most - 7)}_${shortHash(name, 6)}`;
};

/** Removes path parameters from the left until the rest is short enough, except at the end of the name. */
const withoutPlaces = (
  words: readonly Word[],
  most: number,
  mustStay: (word: Word) => boolean,
): readonly Word[] => {
  const gone = new Set<Word>();
  const isKept = (word: Word): boolean => !gone.has(word);
  let size = sizeOf(words);
  let first = words[0];
  for (const word of words.slice(0, -1)) {
    if (size - (first?.before.length ?? 0) <= most) break;
    if (!word.isPlace || mustStay(word)) continue;
    gone.add(word);
    size -= sizeOf([word]);
    if (word === first) first = words.find(isKept);
  }
  const kept = words.filter(isKept);
  const last = kept.at(-1);
  if (!last?.isPlace || mustStay(last) || writtenWords(kept).length <= most) return kept;
  // `by_BPIdentificationNumber` becomes `by_Number`, before other words are removed.
  const end = wordsOf(last.text).at(-1)?.text ?? '';
  const text = last.before === '' ? `By${end.replace(/^By/, '')}` : `by_${end}`;
  const before = kept.slice(0, -1);
  const shorter = [...before, { ...last, text }];
  return writtenWords(shorter).length <= most || before.length < 2 ? shorter : before;
};

const withoutMiddle = (
  words: readonly Word[],
  most: number,
  mustStay: (word: Word) => boolean,
): readonly Word[] => {
  const isKept = words.map((word) => mustStay(word));
  const kept = (): readonly Word[] => words.filter((_, index) => isKept[index]);
  if (writtenWords(kept()).length > most) return [];
  let size = sizeOf(kept());
  let head = isKept.includes(true) ? isKept.indexOf(true) : words.length;
  const open = new Set([1, -1]);
  let [first, last] = [0, words.length - 1];
  for (let end = 1; open.size > 0 && first <= last; end = open.has(-end) ? -end : end) {
    const index = end === 1 ? first++ : last--;
    if (isKept[index] || !open.has(end)) continue;
    const wider = size + sizeOf(words.slice(index, index + 1));
    const front = Math.min(head, index);
    if (wider - (words[front]?.before.length ?? 0) > most) open.delete(end);
    else {
      isKept[index] = true;
      [size, head] = [wider, front];
    }
  }
  return kept();
};

/** Characters including separators. Sizes are updated incrementally, since a path may have a thousand words. */
const sizeOf = (words: readonly Word[]): number =>
  words.reduce((sum, { before, text }) => sum + before.length + text.length, 0);
