import { isObject, type JsonObject, member } from '../platform/rules/json/json.ts';
import { listOf } from '../platform/rules/json/members.ts';
import { type FoundOperation, resolved } from './document.ts';
import { shortened } from './schema/texts.ts';

export interface ApiTexts {
  readonly instructions: string;
  readonly description?: string;
}

/** Limit in characters: clients put this text into every conversation. */
const MOST_INSTRUCTIONS = 2000;
const MOST_TITLE = 200;
const MOST_DESCRIPTION = 300;

/**
 * Title and description of an API, then its tags, how its lists are paged, and whether calls are limited, as far as its
 * operations tell.
 * @param operations - those that are published
 * @returns undefined if the description says nothing
 * Source: OpenAPI 3.1.1, "Info Object"; docs/tools.md, "The API as a whole".
 */
export const apiTexts = (
  { root }: { readonly root: JsonObject },
  operations: readonly FoundOperation[] = [],
): ApiTexts | undefined => {
  const info = member(root, 'info');
  const textIn = (key: string, most: number): string => {
    const text = isObject(info) ? member(info, key) : undefined;
    return typeof text === 'string' ? plainText(text, most) : '';
  };
  const title = textIn('title', MOST_TITLE).replaceAll('\n', ' ');
  const facts = factsOf(root, operations);
  const others = [title, facts].filter((text) => text !== '');
  const taken = others.reduce((sum, text) => sum + text.length + 2, 0);
  const about = textIn('description', MOST_INSTRUCTIONS - taken);
  const instructions = [title, about, facts].filter((text) => text !== '').join('\n\n');
  if (instructions === '') return undefined;
  const [opening = ''] = about.split('\n\n');
  const description = textIn('summary', MOST_DESCRIPTION) || plainText(opening, MOST_DESCRIPTION);
  return { instructions, ...(description !== '' && { description }) };
};

const MOST_AREAS = 8;
const MOST_AREA = 40;
const MOST_PAGING = 4;
/** Names of parameters that may be repeated to clients; others could be any text of a stranger. */
const NAME = /^[\w$[\].-]{1,40}$/;
const PAGING = new Set(
  'limit offset page perpage pagesize pagenumber pagetoken cursor nexttoken maxresults startingafter skip top'.split(
    ' ',
  ),
);

const factsOf = (root: JsonObject, operations: readonly FoundOperation[]): string => {
  const areas = countedNames(operations.flatMap(({ tags }) => tags.slice(0, 1)))
    .map(([name, count]) => [plainText(name, MOST_AREA).replaceAll('\n', ' '), count] as const)
    .filter(([name]) => name !== '');
  const shown = areas.slice(0, MOST_AREAS).map(([name, count]) => `${name} (${count})`);
  const more = areas.length - shown.length;
  const paging = countedNames(operations.flatMap((found) => pagingOf(root, found)));
  const names = paging.slice(0, MOST_PAGING).map(([name]) => name);
  const isLimited = operations.some(({ operation }) => {
    const responses = member(operation, 'responses');
    return isObject(responses) && member(responses, '429') !== undefined;
  });
  return [
    areas.length > 1 &&
      `Areas, with their number of operations: ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`,
    names.length > 0 && `Lists come in pages: ${names.join(', ')}.`,
    isLimited && 'The API limits how often it is called: after an answer 429, wait.',
  ]
    .filter((text) => text !== false)
    .join('\n');
};

const countedNames = (names: readonly string[]): readonly (readonly [string, number])[] =>
  [...Map.groupBy(names, (name) => name)]
    .map(([name, its]) => [name, its.length] as const)
    .toSorted(([, one], [, other]) => other - one);

const pagingOf = (root: JsonObject, { operation, pathItem }: FoundOperation): readonly string[] => {
  const lists = [operation, pathItem].map((level) => member(level, 'parameters'));
  return lists.flatMap(listOf).flatMap((node) => {
    const parameter = resolved(root, node);
    if (!isObject(parameter) || member(parameter, 'in') !== 'query') return [];
    const name = member(parameter, 'name');
    const isPaging =
      typeof name === 'string' &&
      NAME.test(name) &&
      PAGING.has(name.toLowerCase().replace(/[^a-z]/g, ''));
    return isPaging ? [name] : [];
  });
};

/** Characters that are read, far more than are shown: the patterns below must not run over megabytes. */
const MOST_READ = 10_000;

/** Tags with invisible content. A missing close tag removes the rest. */
const UNREAD = /<!--[^]*?(?:-->|$)|<(script|style|template|svg)\b[^]*?(?:<\/\1\s*>|$)/gi;
const BLOCK_TAGS = /<\/?(?:br|div|h[1-6]|hr|li|ol|p|pre|table|tr|ul)\b[^<>]*>/gi;
const TAGS = /<[a-z/!?][^<>]*>/gi;
/** Start of a tag that is unclosed, or was assembled by removing other tags. */
const TAG_STARTS = / ?<(?=[a-z/!?])/gi;

const FENCES = /^ {0,3}(?:`{3,}|~{3,}).*$/gm;
const LINK_TARGETS = /^ {0,3}\[[^[\]\n]+\]:.*$/gm;
const IMAGES_AND_LINKS = /!?\[([^[\]]*)\](?:\([^()\n]*\)|\[[^[\]\n]*\])/g;
const HEADINGS_AND_QUOTES = /^ {0,3}(?:#{1,6}|>)[ \t]+/gm;
const RULES = /^ {0,3}(?:-{3,}|={3,}|\*{3,}|_{3,}) *$/gm;
const EMPHASIS = /(?<![\w*])\*{1,3}(?=[^\s*])([^*\n]*[^\s*])\*{1,3}(?!\w)|`{1,3}([^`\n]+)`{1,3}/g;

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', quot: '"', '#39': "'", nbsp: ' ' };

const LINE_ENDS = /\r\n?|[\u2028\u2029\u0085]/g;
const BLANKS = /[^\S\n]+/g;
/** Control characters, bidirectional overrides, and characters that only models see. */
const UNSEEN = /[\p{C}\p{Default_Ignorable_Code_Point}\u2800]/gu;
/** Combining marks that would pile up over adjacent lines. */
const PILED_MARKS = /(\p{M}{2})\p{M}+/gu;

/**
 * Plain text of Markdown with or without HTML, by a perhaps hostile author: without tags, link targets and invisible
 * characters. Linear time.
 * @param most - characters; longer text is cut after a sentence or word
 */
export const plainText = (markdown: string, most: number): string => {
  const read = markdown.slice(0, MOST_READ).toWellFormed().replace(LINE_ENDS, '\n');
  const untagged = read.replace(UNREAD, ' ').replace(BLOCK_TAGS, '\n').replace(TAGS, '');
  const unmarked = untagged
    .replace(FENCES, '')
    .replace(LINK_TARGETS, '')
    .replace(RULES, '')
    .replace(IMAGES_AND_LINKS, '$1')
    .replace(HEADINGS_AND_QUOTES, '')
    .replace(EMPHASIS, (_, words?: string, code?: string) => words ?? code ?? '')
    .replace(/&(amp|quot|#39|nbsp);/g, (_, name: string) => member(ENTITIES, name) ?? '');
  return shortened(inLines(unmarked), most);
};

const inLines = (text: string): string =>
  text
    .split('\n')
    .map((line) =>
      line
        .replace(BLANKS, ' ')
        .replace(UNSEEN, '')
        .replace(PILED_MARKS, '$1')
        // Removed last, because removing characters can join a bracket with a word.
        .replace(TAG_STARTS, ' ')
        .trim(),
    )
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
