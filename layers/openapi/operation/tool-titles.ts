import type { FoundOperation } from '../document.ts';
import { textOf } from '../schema/texts.ts';

/** Characters; a longer summary is no title. */
const MAX_TITLE = 100;

/**
 * The title of each operation that has a short summary. Summaries that several operations share are followed by what
 * differs: words of their paths, else their methods, both, or the names of their tools.
 *
 * @param operations - all of the description, so that the choice of some changes no title
 * @param names - of their tools
 *
 * Source: docs/tools.md, "Descriptions and annotations".
 */
export const toolTitles = (
  operations: readonly FoundOperation[],
  names: ReadonlyMap<FoundOperation, string>,
): ReadonlyMap<FoundOperation, string> => {
  const titled = operations.flatMap((found) => {
    const summary = textOf(found.operation, 'summary');
    const isTitle = summary !== undefined && summary.length <= MAX_TITLE && !summary.includes('\n');
    return isTitle ? [{ found, summary }] : [];
  });
  const alike = [...Map.groupBy(titled, ({ summary }) => summary)];
  return new Map(
    alike.flatMap(([summary, its]) => {
      const group = its.map(({ found }) => found);
      const labels = its.length === 1 ? [] : differences(group, names);
      return group.map((found, index) => [found, withLabel(summary, labels[index] ?? '')] as const);
    }),
  );
};

/** One for each, none like another. */
const differences = (
  group: readonly FoundOperation[],
  names: ReadonlyMap<FoundOperation, string>,
): readonly string[] => {
  const words = differingWords(group);
  const methods = group.map(({ method }) => method);
  const both = words.map((text, index) => [text, methods[index]].filter(Boolean).join(', '));
  const choices = [words, methods, both];
  const isGood = (labels: readonly string[]): boolean =>
    new Set(labels).size === labels.length && labels.every((one) => one.length <= MAX_LABEL);
  return choices.find(isGood) ?? group.map((found) => names.get(found) ?? '');
};

const MAX_LABEL = 40;

/** What stands in each path, parameters aside, and not in all of them. */
const differingWords = (group: readonly FoundOperation[]): readonly string[] => {
  const segments = group.map(({ path }) => [
    ...new Set(path.split('/').filter((text) => text !== '' && !text.includes('{'))),
  ]);
  const counts = new Map<string, number>();
  for (const text of segments.flat()) counts.set(text, (counts.get(text) ?? 0) + 1);
  return segments.map((its) => its.filter((text) => counts.get(text) !== group.length).join(' '));
};

const withLabel = (summary: string, label: string): string => {
  if (label === '') return summary;
  const text = summary.replace(/\.$/, '');
  const room = MAX_TITLE - label.length - 3;
  const shown = text.length <= room ? text : `${text.slice(0, room - 1).toWellFormed()}…`;
  return `${shown} (${label})`;
};
