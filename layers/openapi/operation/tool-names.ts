import type { FoundOperation } from '../document.ts';
import { nameWithout, shortHash, tidyText } from '../schema/texts.ts';

/** Clients put a prefix of their own in front of the 64 characters that model APIs allow. */
const MAX_TOOL_NAME = 48;

/**
 * The tool name of every operation, unique and fit for all model APIs (`^[a-zA-Z_][a-zA-Z0-9_-]*$`,
 * at most 48 characters): its operationId, or method and path where it has none.
 *
 * A name depends on nothing but the operation itself, unless two operations want the same one. Then
 * an operation whose operationId is literally that name keeps it, and all others get an ending made
 * from their method and path; so order never matters, and a re-import renames nothing. Give it all
 * operations of the description, so that a choice among them changes no name.
 *
 * Source: docs/tools.md, "Names".
 */
export const toolNames = (
  operations: readonly FoundOperation[],
): ReadonlyMap<FoundOperation, string> => {
  const wanted = operations.map((operation) => ({ operation, name: wantedName(operation) }));
  const byName = Map.groupBy(wanted, ({ name }) => name);

  const taken = new Set<string>();
  const names = new Map<FoundOperation, string>();
  for (const [name, claims] of byName) {
    const owner = soleOwner(name, claims);
    if (!owner) continue;
    names.set(owner, name);
    taken.add(name);
  }
  for (const { operation, name } of wanted) {
    if (names.has(operation)) continue;
    const unique = endings(operation)
      .map((ending) => `${name.slice(0, MAX_TOOL_NAME - 1 - ending.length)}_${ending}`)
      .find((free) => !taken.has(free));
    if (unique === undefined) throw new Error('an operation stands in the list twice');
    names.set(operation, unique);
    taken.add(unique);
  }
  return names;
};

const wantedName = ({ method, path, operationId }: FoundOperation): string => {
  const given = operationId === undefined ? '' : toolName(operationId);
  if (given !== '') return given;
  const words = path
    .replaceAll(/\{([^{}]*)\}/g, '/by/$1/')
    .split(/[^a-zA-Z0-9-]+/)
    .filter((word) => word !== '');
  return toolName(
    [
      method.toLowerCase(),
      ...(words.length > 0 ? words : [path === '/' ? 'root' : shortHash(path, 6)]),
    ].join('_'),
  );
};

const toolName = (text: string): string => {
  const name = nameWithout(text, /[^a-zA-Z0-9_-]+/g).replace(/^(?=[^a-zA-Z_])/, '_');
  return name === '_' ? '' : name;
};

/** Who may keep the plain name: the only one who wants it, or the only one who literally has it. */
const soleOwner = (
  name: string,
  claims: readonly { readonly operation: FoundOperation }[],
): FoundOperation | undefined => {
  if (name.length > MAX_TOOL_NAME) return undefined;
  const literal = claims.filter(({ operation }) => operation.operationId === name);
  if (literal.length === 1) return literal[0]?.operation;
  return claims.length === 1 ? claims[0]?.operation : undefined;
};

/** Six digits tell operations apart in practice; the longer ones are for those who try. */
const endings = ({ method, path, pointer }: FoundOperation): readonly string[] => [
  shortHash(`${method} ${path}`, 6),
  shortHash(`${method} ${path}`, 32),
  shortHash(`${method} ${path} ${pointer}`, 32),
];

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
    const summary = tidyText(found.operation, 'summary');
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
