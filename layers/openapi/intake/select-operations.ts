import {
  ApiRefusal,
  collectFindings,
  type Finding,
} from '../../platform/rules/refusal/api-refusal.ts';
import { pointerTo } from '../../platform/rules/json/pointer.ts';
import type { Description, FoundOperation } from '../document.ts';
import { collectWarnings, finding } from './findings.ts';

/**
 * Selects the operations that become tools. Each entry: `tag:NAME`, `METHOD /path`, or an operationId.
 * Source: docs/decisions/descriptions.md, "Choosing operations".
 */
export interface OperationSelection {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

export interface OperationsLimit {
  readonly max: number;
  readonly limit: string;
  /** Higher limit in search mode; 0 where that mode does not help. */
  readonly searchable: number;
}

const MAX_ENTRIES = 1000;
/**
 * Work allowed for entries with `*`: one unit for each path compared, each 32 characters of fixed start and end, and
 * each character searched between them. A thousand entries and ten thousand paths would take minutes.
 */
const MAX_COMPARISONS = 20_000_000;
const TAGS_SHOWN = 10;

export interface SelectedOperations {
  readonly operations: readonly FoundOperation[];
  readonly warnings: readonly Finding[];
}

/**
 * Selects operations: those an `include` entry matches (all if there is none) without those an `exclude` entry matches,
 * in document order.
 *
 * In `METHOD /path`, `*` stands for any method, and in the path for any characters including slashes; the method is
 * case-insensitive. Tags and operationIds match exactly.
 * @param former - selection of the previous version: an entry from there that matches nothing is only a warning, since
 *   the description has changed; a new one is a mistake
 * @throws ApiRefusal `invalid_request` for entries that match nothing or take too long, `no_operations` where nothing
 *   is left, `too_many_operations` with the count and how to choose
 * Source: docs/decisions/descriptions.md, "Choosing operations".
 */
export const selectOperations = (
  description: Pick<Description, 'operations'>,
  { include, exclude }: OperationSelection,
  limit: OperationsLimit,
  former: OperationSelection = { include: [], exclude: [] },
): SelectedOperations => {
  const named = finder(description.operations);
  const faults = collectFindings();
  const warnings = collectWarnings();
  const all = (list: keyof OperationSelection): ReadonlySet<FoundOperation> => {
    const entries = { include, exclude }[list];
    if (entries.length > MAX_ENTRIES) throw tooManyEntries(list);
    const known = new Set(former[list]);
    const found = new Set<FoundOperation>();
    entries.forEach((entry, index) => {
      const matches = named(entry);
      const where = pointerTo('operations', list, index);
      if (matches.length === 0 && known.has(entry)) {
        warnings.add(where, ...gone(entry, list));
      } else if (matches.length === 0) {
        faults.add(() => unmatched(entry, where));
      }
      for (const match of matches) found.add(match);
    });
    return found;
  };
  const included = all('include');
  const excluded = all('exclude');
  faults.refuse('invalid_request', 'The selection names operations that do not exist.');
  const chosen = description.operations.filter(
    (operation) => (include.length === 0 || included.has(operation)) && !excluded.has(operation),
  );
  if (chosen.length === 0) throw nothingLeft(included.size > 0 || include.length === 0);
  if (chosen.length > limit.max) throw tooMany(chosen, limit);
  return { operations: chosen, warnings: warnings.all() };
};

const finder = (
  operations: readonly FoundOperation[],
): ((entry: string) => readonly FoundOperation[]) => {
  const byName = new Map<string, FoundOperation[]>();
  const add = (name: string, operation: FoundOperation) => {
    const known = byName.get(name);
    if (known === undefined) byName.set(name, [operation]);
    else known.push(operation);
  };
  for (const operation of operations) {
    if (operation.operationId !== undefined) add(operation.operationId, operation);
    for (const tag of new Set(operation.tags)) add(`tag:${tag}`, operation);
  }
  const byPath = Map.groupBy(operations, ({ path }) => path);
  let left = MAX_COMPARISONS;
  const spend = (comparisons: number): void => {
    left -= comparisons;
    if (left < 0) throw tooMuchWork(operations.length);
  };
  return (entry) => {
    const named = byName.get(entry);
    if (named !== undefined) return named;
    const [, method = '', path] = /^(\S+)\s+([/*].*)$/s.exec(entry.trim()) ?? [];
    if (path === undefined) return [];
    const wanted = method.toUpperCase();
    const isWanted = (operation: FoundOperation) => method === '*' || wanted === operation.method;
    if (!path.includes('*')) return (byPath.get(path) ?? []).filter(isWanted);
    const matches = matcher(path.split('*'), spend);
    return operations.filter((operation) => isWanted(operation) && matches(operation.path));
  };
};

/** Matches texts that consist of these parts with anything in between, in linear time. */
const matcher = (
  [first = '', ...rest]: readonly string[],
  spend: (comparisons: number) => void,
): ((text: string) => boolean) => {
  const between = rest.slice(0, -1);
  const last = rest.at(-1) ?? '';
  return (text) => {
    spend(1 + ((first.length + last.length) >> 5));
    // Comparing slices is thirty times as fast as `startsWith` and `endsWith`.
    if (text.slice(0, first.length) !== first) return false;
    if (text.slice(Math.max(0, text.length - last.length)) !== last) return false;
    if (between.length > 0) spend(between.length + text.length);
    let at = first.length;
    for (const part of between) {
      const found = text.indexOf(part, at);
      if (found === -1) return false;
      at = found + part.length;
    }
    return at + last.length <= text.length;
  };
};

const HOW = 'Name operations with `tag:NAME`, `METHOD /path` (`*` in either) or an operationId.';

const unmatched = (entry: string, where: string): Finding =>
  finding(where, `${JSON.stringify(entry)} names no operation of the description`, HOW);

const gone = (
  entry: string,
  list: keyof OperationSelection,
): readonly [what: string, hint: string] => [
  `${JSON.stringify(entry)} names no operation of this version any more`,
  list === 'include'
    ? 'What it stood for is no tool now. Take it out of the selection, or name what it is called now.'
    : 'Take it out of the selection, or name what it is called now: otherwise that becomes a tool.',
];

const tooManyEntries = (list: string): ApiRefusal =>
  new ApiRefusal('invalid_request', 'The selection is too long.', [
    finding(pointerTo('operations', list), `more than ${MAX_ENTRIES} entries`, 'Use tags or `*`.'),
  ]);

const tooMuchWork = (operations: number): ApiRefusal =>
  new ApiRefusal('invalid_request', 'The selection takes too long to be found.', [
    finding(
      '/operations',
      `its entries with \`*\` are compared with the paths of ${operations} operations more than ${MAX_COMPARISONS} times`,
      'Use tags or operationIds, or fewer entries with fewer `*` in each.',
    ),
  ]);

const nothingLeft = (isExcluded: boolean): ApiRefusal =>
  new ApiRefusal('no_operations', 'The selection leaves no operation.', [
    isExcluded
      ? finding('/operations', 'everything that is included is excluded again', 'Exclude less.')
      : finding(
          '/operations',
          'nothing that it includes is in this version',
          `Choose anew. ${HOW}`,
        ),
  ]);

const SEARCH_MODE =
  'Or publish with `tool_mode: "search"`, which lets clients search and call all of them through three tools.';

const tooMany = (
  chosen: readonly FoundOperation[],
  { max, limit, searchable }: OperationsLimit,
): ApiRefusal => {
  const what = `${chosen.length} operations, at most ${max} are allowed`;
  const wayOut = chosen.length <= searchable ? ` ${SEARCH_MODE}` : '';
  const tags = new Map<string, number>();
  for (const { tags: own } of chosen) {
    for (const tag of new Set(own)) tags.set(tag, (tags.get(tag) ?? 0) + 1);
  }
  const largest = [...tags].sort(([, a], [, b]) => b - a).slice(0, TAGS_SHOWN);
  return new ApiRefusal(
    'too_many_operations',
    `The description has ${what}.`,
    [
      finding(
        '/operations',
        what,
        `Choose with \`operations.include\` or \`operations.exclude\`. ${HOW}${wayOut}`,
      ),
      ...largest.map(([tag, count]) =>
        finding('/operations', `\`tag:${tag}\` has ${count} of them`, 'Include or exclude it.'),
      ),
    ],
    what,
    { limit },
  );
};
