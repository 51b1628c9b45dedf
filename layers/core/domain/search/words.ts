import { withoutMarks } from '../without-marks.ts';

/** Runs of letters and digits with `_` and `-` inside; scripts without blanks go letter by letter. */
const RUN =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]|[[\p{L}\p{N}_\-]--[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]]+/gv;
/** The parts of `getHTTPCode_v2`: get, HTTP, Code, v, 2. */
const PART = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|\p{N}+/gu;

const MAX_WORD = 40;

/** What questions hold besides what they ask for. */
const EMPTY_WORDS = new Set(
  (
    'a an and any are at be by can could do does for from how i if in into is it its my of on or our ' +
    'please some that the their then there these this to using want was we what when where which who ' +
    'will with would you your'
  ).split(' '),
);

/**
 * The words of a text in the form in which they are compared: without case, accents and endings, names
 * taken apart (`listIssueComments`, `issue_comments`). Words that say nothing are left out.
 */
export const wordsOf = (text: string): readonly string[] =>
  runsOf(text).flatMap(partsOf).flatMap(wordOf);

/** Those words, and names as a whole too, for whoever writes them in one: `listissuecomments`. */
export const wordsAndNamesOf = (text: string): readonly string[] =>
  runsOf(text).flatMap((run) => {
    const parts = partsOf(run);
    return [...parts.flatMap(wordOf), ...(parts.length > 1 ? [nameOf(run)] : [])];
  });

/** A name without case and separators. */
const nameOf = (name: string): string =>
  name.replaceAll(/[_-]/g, '').toLowerCase().slice(0, MAX_WORD);

const runsOf = (text: string): readonly string[] => withoutMarks(text).match(RUN) ?? [];

const partsOf = (run: string): readonly string[] => run.match(PART) ?? [];

const wordOf = (part: string): readonly string[] => {
  const word = part.toLowerCase().slice(0, MAX_WORD);
  return EMPTY_WORDS.has(word) ? [] : [stemOf(word)];
};

/**
 * English endings taken off, so that `refunds`, `refunded` and `refunding` are one word. Coarser than
 * a stemmer: what it misses, prefixes and near spellings find.
 */
const stemOf = (word: string): string => {
  const singular = word
    .replace(/(?<=..)ies$/, 'y')
    .replace(/(?<=s|x|ch|sh)es$/, '')
    .replace(/(?<=..[^su])s$/, '');
  const plain = singular.replace(/(?<=.{4})(?:ing|ed)$/, '');
  const undoubled = plain === singular ? plain : plain.replace(/([^lsz])\1$/, '$1');
  return undoubled.replace(/(?<=...)e$|(?<=.{5})ion$/, '');
};
