import { withoutMarks } from '../platform/rules/text.ts';

/** Runs of letters, digits, `_` and `-`; in scripts without blanks each letter is a run. */
const RUN =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]|[[\p{L}\p{N}_\-]--[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]]+/gv;
/** Parts of a name: `getHTTPCode_v2` has get, HTTP, Code, v, 2. */
const PART = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|\p{N}+/gu;

/** Faster paths for runs in ASCII and for runs of a single part, as most are. */
const PLAIN_RUN = /[\w-]+/g;
const IS_PLAIN = /^[\0-\x7f]*$/;
const IS_ONE_PART = /^[A-Z]?[a-z]+$/;

const MAX_WORD = 40;

/** Stems of a text without case and accents; names are split (`listIssueComments`, `issue_comments`). */
export const wordsOf = (text: string): readonly string[] =>
  runsOf(text).flatMap(partsOf).map(wordOf);

/** As `wordsOf`, and each name as one word too, as people may type it: `listissuecomments`. */
export const wordsAndNamesOf = (text: string): readonly string[] =>
  runsOf(text).flatMap((run) => {
    const parts = partsOf(run);
    return [...parts.map(wordOf), ...(parts.length > 1 ? [runTogether(run)] : [])];
  });

/** Words of a text in lower case without accents, unstemmed. */
export const rawWordsOf = (text: string): readonly string[] =>
  runsOf(text).flatMap(partsOf).map(lowerCase);

const runTogether = (name: string): string =>
  name.replaceAll(/[_-]/g, '').toLowerCase().slice(0, MAX_WORD);

const runsOf = (text: string): readonly string[] =>
  (IS_PLAIN.test(text) ? text.match(PLAIN_RUN) : withoutMarks(text).match(RUN)) ?? [];

const partsOf = (run: string): readonly string[] =>
  IS_ONE_PART.test(run) ? [run] : (run.match(PART) ?? []);

const lowerCase = (part: string): string => part.toLowerCase().slice(0, MAX_WORD);

const wordOf = (part: string): string => stemOf(lowerCase(part));

/** Removes endings: `refunds`, `refunded` and `refunding` are one word. Search by prefix finds what it misses. */
export const stemOf = (word: string): string => {
  const singular = word.endsWith('s') ? withoutPlural(word) : word;
  const verb = ['ing', 'ed'].find((ending) => endsWith(singular, ending, 4));
  const plain = verb === undefined ? singular : withoutDouble(singular.slice(0, -verb.length));
  if (endsWith(plain, 'e', 3)) return plain.slice(0, -1);
  return endsWith(plain, 'ion', 5) ? plain.slice(0, -3) : plain;
};

const endsWith = (word: string, ending: string, least: number): boolean =>
  word.length >= ending.length + least && word.endsWith(ending);

const withoutPlural = (word: string): string => {
  if (endsWith(word, 'ies', 2)) return `${word.slice(0, -3)}y`;
  const isHissing = ['ses', 'xes', 'ches', 'shes'].some((ending) => word.endsWith(ending));
  const bare = isHissing ? word.slice(0, -2) : word;
  return endsWith(bare, 's', 3) && !'su'.includes(bare.charAt(bare.length - 2))
    ? bare.slice(0, -1)
    : bare;
};

/** `stopp`, which is left of `stopped`, becomes `stop`. */
const withoutDouble = (word: string): string => {
  const last = word.at(-1) ?? '';
  return last === word.at(-2) && !'lsz'.includes(last) ? word.slice(0, -1) : word;
};
