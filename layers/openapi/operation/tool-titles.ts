import type { FoundOperation } from '../document.ts';
import { tidyText } from '../schema/texts.ts';
import { differences } from './differences.ts';

/** Characters; a longer summary is no title. */
const MAX_TITLE = 100;

/**
 * Titles of operations with a short summary. Equal summaries get what distinguishes them: words of paths, methods,
 * both, or tool names.
 * @param operations - all of the description, so that selecting some changes no title
 * @param names - of their tools
 * Source: docs/tools.md, "Descriptions and annotations".
 */
export const toolTitles = (
  operations: readonly FoundOperation[],
  names: ReadonlyMap<FoundOperation, string>,
): ReadonlyMap<FoundOperation, string> => {
  const titled = operations.flatMap((found) => {
    const summary = tidyText(found.operation, 'summary');
    const isTitle = summary !== undefined && summary.length <= MAX_TITLE && !summary.includes('\n');
    return isTitle ? [{ found, summary }] : [];
  });
  const alike = [...Map.groupBy(titled, ({ summary }) => summary)];
  return new Map(
    alike.flatMap(([summary, its]) => {
      const group = its.map(({ found }) => found);
      const labels =
        its.length === 1
          ? []
          : (differences(group).find(isTelling) ?? group.map((found) => names.get(found) ?? ''));
      return group.map((found, index) => [found, withLabel(summary, labels[index] ?? '')] as const);
    }),
  );
};

const MAX_LABEL = 40;

const isTelling = (labels: readonly string[]): boolean =>
  new Set(labels).size === labels.length && labels.every((one) => one.length <= MAX_LABEL);

const withLabel = (summary: string, label: string): string => {
  if (label === '') return summary;
  const text = summary.replace(/\.$/, '');
  const room = MAX_TITLE - label.length - 3;
  const shown = text.length <= room ? text : `${text.slice(0, room - 1).toWellFormed()}…`;
  return `${shown} (${label})`;
};
