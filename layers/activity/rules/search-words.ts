/** Of one search. */
const MOST_WORDS = 8;
const MOST_LETTERS = 24;

/**
 * The words of a search as they may be on record: letters alone, in lower case, each once, 8 at most. Whatever has a
 * digit or a sign in it is left out, such as an address, a number or a key: it tells nothing of what was wanted.
 */
export const searchWords = (text: string): readonly string[] => {
  const words = text
    .slice(0, 1000)
    .toLowerCase()
    .split(/[\s"'“”‘’(),;!?]/)
    .map((word) => (/[.:]$/.test(word) ? word.slice(0, -1) : word))
    .filter((word) => /^\p{L}+(?:[-_/]\p{L}+)*$/u.test(word))
    .flatMap((word) => word.split(/[-_/]/))
    .filter((word) => [...word].length <= MOST_LETTERS);
  return [...new Set(words)].slice(0, MOST_WORDS);
};
