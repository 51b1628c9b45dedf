import { withoutMarks } from '../platform/rules/text.ts';

/** Runs of letters and digits with `_` and `-` inside; scripts without blanks go letter by letter. */
const RUN =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]|[[\p{L}\p{N}_\-]--[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]]+/gv;
/** The parts of `getHTTPCode_v2`: get, HTTP, Code, v, 2. */
const PART = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|\p{N}+/gu;

const MAX_WORD = 40;

/**
 * The words of a text in the form in which they are compared: without case, accents and endings, names
 * taken apart (`listIssueComments`, `issue_comments`).
 */
export const wordsOf = (text: string): readonly string[] =>
  runsOf(text).flatMap(partsOf).map(wordOf);

/** Those words, and names as a whole too, for whoever writes them in one: `listissuecomments`. */
export const wordsAndNamesOf = (text: string): readonly string[] =>
  runsOf(text).flatMap((run) => {
    const parts = partsOf(run);
    return [...parts.map(wordOf), ...(parts.length > 1 ? [runTogether(run)] : [])];
  });

/** The words of a text as they are said, in lower case and without accents. */
export const rawWordsOf = (text: string): readonly string[] =>
  runsOf(text).flatMap(partsOf).map(lowerCase);

/** The parts of a name, in lower case. */
export const partsOfName = rawWordsOf;

/** A name without case and separators. */
const runTogether = (name: string): string =>
  name.replaceAll(/[_-]/g, '').toLowerCase().slice(0, MAX_WORD);

const runsOf = (text: string): readonly string[] => withoutMarks(text).match(RUN) ?? [];

const partsOf = (run: string): readonly string[] => run.match(PART) ?? [];

const lowerCase = (part: string): string => part.toLowerCase().slice(0, MAX_WORD);

const wordOf = (part: string): string => stemOf(lowerCase(part));

/**
 * English endings taken off, so that `refunds`, `refunded` and `refunding` are one word. Coarser than
 * a stemmer: what it misses, prefixes and near spellings find.
 */
export const stemOf = (word: string): string => {
  const singular = word
    .replace(/(?<=..)ies$/, 'y')
    .replace(/(?<=s|x|ch|sh)es$/, '')
    .replace(/(?<=..[^su])s$/, '');
  const plain = singular.replace(/(?<=.{4})(?:ing|ed)$/, '');
  const undoubled = plain === singular ? plain : plain.replace(/([^lsz])\1$/, '$1');
  return undoubled.replace(/(?<=...)e$|(?<=.{5})ion$/, '');
};
