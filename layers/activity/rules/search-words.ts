/** Limits per search. */
const MOST_WORDS = 8;
const MOST_LETTERS = 24;

/**
 * Words of a search that may be recorded: only letters, lower case, distinct. Words with digits or signs are dropped,
 * since they may be addresses, numbers or keys of a person.
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
