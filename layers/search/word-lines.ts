import { stemOf } from './words.ts';

/** A line of a table of words, where a word has been found in it. */
export interface FoundLine {
  /** Words before the colon, all of them where there is none. */
  readonly left: readonly string[];
  readonly right: readonly string[];
  readonly isLeft: boolean;
}

const SEPARATORS = ['\n', ' '] as const;

/**
 * The lines of a table that have a word of a stem, in their order; one that has two of them twice. Nothing is made of
 * the other lines: a table of thousands of words would be read for a few.
 *
 * @param table - a line break, then lines of words between blanks, each with a colon behind the left ones or without
 */
export const linesWith = (table: string, stem: string): readonly FoundLine[] => {
  // Words that have a stem begin with it, but for the `y` of those that end in `ies`.
  const begin = stem.endsWith('y') ? stem.slice(0, -1) : stem;
  const places: number[] = [];
  for (const separator of SEPARATORS) {
    const sought = separator + begin;
    for (let at = table.indexOf(sought); at >= 0; at = table.indexOf(sought, at + 1)) {
      const word = wordAt(table, at + 1);
      if (word.length <= stem.length + MOST_ENDING && stemOf(word) === stem) places.push(at + 1);
    }
  }
  return places.toSorted((one, other) => one - other).map((at) => lineAt(table, at));
};

/** Letters that a word may have beyond its stem: those of `batchings`, with one that is doubled. */
const MOST_ENDING = 6;

const wordAt = (table: string, start: number): string => {
  let end = start;
  while (end < table.length && !' :\n'.includes(table.charAt(end))) end += 1;
  return table.slice(start, end);
};

const lineAt = (table: string, at: number): FoundLine => {
  const start = table.lastIndexOf('\n', at) + 1;
  const end = table.indexOf('\n', at);
  const [left = '', right = ''] = table.slice(start, end < 0 ? undefined : end).split(': ');
  return {
    left: left.split(' '),
    right: right === '' ? [] : right.split(' '),
    isLeft: at - start < left.length,
  };
};
