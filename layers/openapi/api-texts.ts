import { isObject, type Json, type JsonObject, member } from '../platform/rules/json/json.ts';
import { type FoundOperation, resolved } from './document.ts';
import { shortened } from './schema/texts.ts';

/** What a description says of its API as a whole, as plain text. */
export interface ApiTexts {
  /** Title and description, 2,000 characters at most. */
  readonly instructions: string;
  /** In one paragraph. */
  readonly description?: string;
}

/** What clients hand to models is in every conversation: a longer text is cut. */
const MOST_INSTRUCTIONS = 2000;
const MOST_TITLE = 200;
const MOST_DESCRIPTION = 300;

/**
 * What a description says of its API as a whole, in words; behind that its areas, how lists are paged, and that calls
 * are limited, as far as its operations say so. All of it together has 2,000 characters at most.
 *
 * @param operations - those that are published
 * @returns undefined if it says nothing
 *
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
/** Of what is no area or argument by its looks, nothing is repeated. */
const NAME = /^[\w$[\].-]{1,40}$/;
/** Names without case and marks. */
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

/** Each once, the most frequent first. */
const countedNames = (names: readonly string[]): readonly (readonly [string, number])[] =>
  [...Map.groupBy(names, (name) => name)]
    .map(([name, its]) => [name, its.length] as const)
    .toSorted(([, one], [, other]) => other - one);

const pagingOf = (root: JsonObject, { operation, pathItem }: FoundOperation): readonly string[] => {
  const lists = [operation, pathItem].map((level) => member(level, 'parameters'));
  return lists
    .flatMap((list): readonly Json[] => (Array.isArray(list) ? list : []))
    .flatMap((node) => {
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

/** Far more than is ever shown of it: what comes after is not looked at. */
const MOST_READ = 10_000;

/** Tags whose content nobody reads. A close tag that never comes takes the rest with it. */
const UNREAD = /<!--[^]*?(?:-->|$)|<(script|style|template|svg)\b[^]*?(?:<\/\1\s*>|$)/gi;
const BLOCK_TAGS = /<\/?(?:br|div|h[1-6]|hr|li|ol|p|pre|table|tr|ul)\b[^<>]*>/gi;
const TAGS = /<[a-z/!?][^<>]*>/gi;
/** What is left of a tag that was put together from parts, or never ends. */
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
/** Nothing that commands a terminal, turns text around, or is read by models alone. */
const UNSEEN = /[\p{C}\p{Default_Ignorable_Code_Point}\u2800]/gu;
/** Marks that pile up over the lines around. */
const PILED_MARKS = /(\p{M}{2})\p{M}+/gu;

/**
 * What a text in Markdown, with HTML in it or without, says in words: for readers that show it as it is.
 * Whoever wrote it may mean no good: no tag, no address behind a word and no character that is not seen
 * is left. No pattern goes over the same text more than a few times.
 *
 * @param most - characters; what is longer is cut after a sentence or a word
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
        // Last, since what is taken out between a bracket and a word joins them.
        .replace(TAG_STARTS, ' ')
        .trim(),
    )
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
