import { isObject, type Json, type JsonObject, member } from '../platform/rules/json/json.ts';
import { type FoundOperation, resolved } from './document.ts';
import { plainText } from './plain-text.ts';

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
