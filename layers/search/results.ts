import type { SearchedOperation } from './search-index.ts';
import { areasInWords, areasOf } from './areas.ts';
import type { SearchQuery } from './search.ts';
import { MAX_HITS } from './search-tools.ts';
import { CALL, DESCRIBE, SEARCH } from './tool-names.ts';

/** Characters of the areas in a help text. */
const MAX_AREAS = 1500;
const MAX_REPEATED = 100;

/**
 * Text of a search result: a line per operation and the next step; where nothing was asked or found, how to ask.
 * @param found - best first
 * @param all - all operations of the deployment
 * @param best - JSON Schema of the first result's arguments, where that is short
 */
export const resultsText = (
  query: SearchQuery,
  found: readonly SearchedOperation[],
  all: readonly SearchedOperation[],
  limit: number,
  best?: string,
): string => {
  const { text, area, method } = query;
  const isOpen = text.trim() === '' && area === undefined && method === undefined;
  if (isOpen) return `There are ${all.length} operations. ${help(all)}`;
  if (found.length === 0) return `No operation matches ${asked(query)}. ${help(all)}`;

  const shown = found.slice(0, limit);
  const counted = found.length === 1 ? '1 operation matches' : `${found.length} operations match`;
  const isPart = shown.length < found.length;
  const more = limit < MAX_HITS ? `a larger limit (at most ${MAX_HITS}), ` : '';
  return [
    isPart ? `${counted}, the best ${shown.length} first:` : `${counted}:`,
    '',
    ...shown.map(line),
    '',
    ...(isPart ? [`For others: ${more}a tag, a method, or other words.`] : []),
    ...(best === undefined
      ? [`Next: ${DESCRIBE}, then ${CALL}.`]
      : [
          `Arguments of ${shown[0]?.name} (JSON Schema): ${best}`,
          `Next: ${CALL}; for any other operation ${DESCRIBE} first.`,
        ]),
  ].join('\n');
};

const line = ({ name, method, path, summary }: SearchedOperation): string =>
  `${name}  ${method} ${path}${summary === '' || summary === name ? '' : `  ${summary}`}`;

const help = (all: readonly SearchedOperation[]): string => {
  const areas = areasInWords(areasOf(all), MAX_AREAS);
  const tags = areas === '' ? '' : `\n\nTags (number of operations), to browse with tag: ${areas}.`;
  return `Say in a few English words what the operation should do.${tags}`;
};

const asked = ({ text, area, method }: SearchQuery): string =>
  [
    ...(text.trim() === '' ? [] : [JSON.stringify(cut(text.trim()))]),
    ...(area === undefined ? [] : [`tag ${JSON.stringify(cut(area))}`]),
    ...(method === undefined ? [] : [`method ${method}`]),
  ].join(', ');

export const unknownOperation = (name: string, similar: readonly string[]): string =>
  `Unknown operation: ${cut(name)}.${similar.length === 0 ? '' : ` Similar: ${similar.join(', ')}.`} Find operations with ${SEARCH}.`;

const cut = (text: string): string =>
  text.length > MAX_REPEATED
    ? `${text.slice(0, MAX_REPEATED).toWellFormed()}…`
    : text.toWellFormed();
