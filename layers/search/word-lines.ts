import { stemOf } from './words.ts';

/** A line of a table of words that contains the word which was looked for. */
export interface FoundLine {
  /** Words before the colon; all words where the line has none. */
  readonly left: readonly string[];
  readonly right: readonly string[];
  readonly isLeft: boolean;
}

const SEPARATORS = ['\n', ' '] as const;

/**
 * Lines of a table with a word of this stem, in order; a line with two such words comes twice. Other lines are not
 * parsed: a query looks up few of thousands of words.
 * @param table - a line break, then lines of words between blanks; a colon may end the left words
 */
export const linesWith = (table: string, stem: string): readonly FoundLine[] => {
  // A word begins with its stem, except one in `ies`, whose stem has at least three letters and ends in `y`. Without
  // that limit, a query of `y` alone would parse each word of the table.
  const begin = stem.length > 2 && stem.endsWith('y') ? stem.slice(0, -1) : stem;
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

/** Letters of the longest ending, with a doubled consonant: `batchings`. */
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
