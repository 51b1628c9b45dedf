import { isoTime } from '../../platform/rules/time.ts';
import type { Schema } from '../../openapi/json-schema/schema.ts';
import { isObject, member } from '../../platform/rules/json/json.ts';
import type { TargetAnswer } from '../../target/rules/target.ts';
import type { AnswerExcerpt } from './answer-excerpt.ts';
import type { StoredReplyKey } from './result-continuation.ts';

type Cut = TargetAnswer['cut'];

/** Up to so many parts are listed; of more, the first and the last, since they are numbered. */
const MOST_NAMED = 4;

const HOW_TO_GET_LESS =
  `To get less, use arguments of this tool that page, filter or limit the answer or select fields, if ` +
  `it has any, or ask for single items.`;

/** The note at the end of a text that was cut, where the rest is lost. */
export const truncationNote = (shownBytes: number, totalBytes: number | undefined): string => {
  const howMuch =
    totalBytes !== undefined && totalBytes > shownBytes
      ? `the first ${shownBytes} of ${totalBytes} bytes are shown, ${totalBytes - shownBytes} are missing`
      : `the first ${shownBytes} bytes are shown, how many are missing is not known`;
  return `[The answer is too long and was cut here: ${howMuch}. ${HOW_TO_GET_LESS}]`;
};

/**
 * The note at the end of an answer that did not arrive completely.
 * @param shown - number of whole elements, such as `12 events`; undefined for what is not a stream
 */
export const partNote = (
  { by, totalBytes }: NonNullable<Cut>,
  shownBytes: number,
  shown: string | undefined,
): string => {
  const why = WHY_PART[by ?? 'time'];
  const howMuch =
    shown === undefined
      ? `the first ${shownBytes}${totalBytes === undefined ? '' : ` of ${totalBytes}`} bytes are shown`
      : `${shown} came whole and are shown; anything unfinished after them is left out`;
  const next =
    shown === undefined ? HOW_TO_GET_LESS : 'Call again for what comes later, or ask for less.';
  return `[${why}, so the answer was cut here: ${howMuch}. ${next}]`;
};

const WHY_PART = {
  time: 'The target API had not finished when the time for its answer was over',
  connection: 'The connection to the target API broke before its answer was whole',
} as const;

/**
 * The note at the end of a text that was cut, where the rest can be read.
 * @param keptBytes - number of bytes after the shown ones, in UTF-8
 * @param cut - set where the answer itself was cut, too: what follows the kept bytes is lost
 */
export const continuationNote = (
  shownBytes: number,
  keptBytes: number,
  cut: Cut,
  kept: StoredReplyKey,
): string =>
  `[The answer is too long for one result and was cut here: the first ${shownBytes} bytes are shown, ` +
  `the ${cut ? 'next' : 'remaining'} ${keptBytes} bytes are kept ${readInstructions(kept)}\n` +
  `${lostAfter(cut)}${HOW_TO_GET_LESS}]`;

/** Token budget of an answer, with what the note about it needs. */
export interface BudgetTerms {
  /** Tokens, estimated. */
  readonly budget: number;
  /** Tokens that headers and notes beside the body take. */
  readonly beside?: number;
  /** Arguments of the tool with which a caller can ask for less. */
  readonly narrowing: readonly string[];
}

/**
 * The note after an answer that was cut to its token budget.
 * @param excerpt - `isSplit`: at least one element takes several parts
 * @param kept - where the rest is kept; undefined: it is lost
 */
export const budgetNote = (
  {
    howMuch,
    isEmpty,
    isJson,
    isSplit,
  }: Omit<AnswerExcerpt, 'pieces'> & { readonly isSplit: boolean },
  { budget, narrowing }: BudgetTerms,
  cut: Cut,
  kept: StoredReplyKey | undefined,
): string => {
  const texts = isSplit
    ? ' (what is too large for one part comes as JSON strings, which joined are its JSON)'
    : '';
  const form = isJson ? `, each JSON of the same kind${texts},` : '';
  const rest = kept
    ? ` The rest${form} is kept ${readInstructions(kept)}\n`
    : ' The rest is not kept. ';
  const less =
    narrowing.length === 0
      ? HOW_TO_GET_LESS
      : `To get less, use what this tool has for it: ${narrowing.join(', ')}.`;
  const raise = isEmpty
    ? ' Not one fits: only the owner of this server can raise the budget (answer_token_budget).'
    : '';
  return (
    `[The answer takes more than the ${budget} tokens that it may here, so it was cut: ${howMuch} are shown.` +
    `${raise}${rest}${lostAfter(cut)}${less}]`
  );
};

/** Until when parts are kept, and their URIs, one per line. */
export const readInstructions = ({ uris, until }: StoredReplyKey): string => {
  const parts = uris.length === 1 ? 'one part' : `${uris.length} parts, in this order`;
  const how = `until ${isoTime(until)} for resources/read by the same caller, in ${parts}:`;
  const [first = '', last = ''] = [uris[0], uris.at(-1)];
  return uris.length <= MOST_NAMED ? [how, ...uris].join('\n') : `${how}\n${first} to ${last}`;
};

const lostAfter = (cut: Cut): string => {
  if (!cut) return '';
  if (cut.by) return `${WHY_PART[cut.by]}: what would have come later is not there. `;
  const howMuch =
    cut.missingBytes === undefined
      ? 'how much that is, the target API did not say'
      : `${cut.missingBytes} of the ${cut.totalBytes} bytes that the target API announced`;
  return `What comes after them was not read and is lost: ${howMuch}. `;
};

/** Names of arguments that page, filter or select fields, without case and punctuation. */
const NAMES = new Set(
  (
    'limit perpage pagesize size count rows top first take max maxresults maxitems page pagenumber pagetoken ' +
    'offset skip start cursor marker after startingafter fields field select columns only projection attributes ' +
    'filter filters query q search where since until'
  ).split(' '),
);
const SAID =
  /\b(?:max(?:imum|\.)? number of|how many|number of (?:items|results|records|entries|rows)|page (?:size|number)|(?:fields|columns|properties) to (?:return|include|show|select))\b/i;
const MOST_ARGUMENTS = 8;
const MOST_READ = 300;

export const narrowingArguments = (inputSchema: Schema): readonly string[] => {
  const properties = member(inputSchema, 'properties');
  if (!isObject(properties)) return [];
  return Object.entries(properties)
    .filter(([name, schema]) => NAMES.has(plain(name)) || SAID.test(descriptionOf(schema)))
    .map(([name]) => name)
    .slice(0, MOST_ARGUMENTS);
};

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '');

const descriptionOf = (schema: unknown): string => {
  const text = isObject(schema) ? member(schema, 'description') : undefined;
  return typeof text === 'string' ? text.slice(0, MOST_READ) : '';
};
