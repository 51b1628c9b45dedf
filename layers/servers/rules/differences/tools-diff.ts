import { isDeepStrictEqual } from 'node:util';
import { type PublicationSettings, toolModeOf } from '../../../deployments/rules/publication.ts';
import type { ToolMode } from '../../../openapi/tool-mode.ts';
import {
  type IndexedTool,
  listedTool,
  type Operation,
  type ToolIndex,
} from '../../../openapi/tool-index.ts';
import { member } from '../../../platform/rules/json/json.ts';
import { keysOf, pointerTo } from '../../../platform/rules/json/pointer.ts';
import { parsedJson } from '../../../platform/rules/json/parsed-json.ts';
import { checkedSchema } from '../../../tools/prepare-tool.ts';
import { argumentChanges, type ArgumentWork, shown } from './argument-changes.ts';
import { outputChange } from './output-change.ts';
import { requestChanges } from './request-changes.ts';
import { FULL_WORK } from './schema-changes.ts';

export interface ToolsDiff {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Tools with the same method and path under another name; absent: none. */
  readonly renamed?: readonly Renamed[];
  /** Changed tools by their new names. */
  readonly changed: readonly ToolChange[];
  /** Whether a call that worked before may fail now. */
  readonly breaking: boolean;
  /** Base addresses whose calls all go to another one now; absent: none. */
  readonly moved?: readonly Renamed[];
  /** Set if the tool mode changed: then no call by a tool's name works any more. */
  readonly mode?: { readonly before: ToolMode; readonly after: ToolMode };
}

interface Renamed {
  readonly before: string;
  readonly after: string;
}

interface ToolChange {
  readonly name: string;
  readonly breaking: boolean;
  /** Sentences, with names in backticks. */
  readonly changes: readonly string[];
}

export const NO_DIFFERENCE: ToolsDiff = { added: [], removed: [], changed: [], breaking: false };

/** Renamed tools are found by method and path. Source: docs/decisions/descriptions.md, "Versions and overrides". */
export const toolsDiff = (before: ToolIndex, after: ToolIndex): ToolsDiff => {
  const renamed = renamedTools(before, after);
  const formerName = new Map(renamed.map((one) => [one.after, one.before]));
  const isRenamed = new Set(formerName.values());
  const old = byName(before);
  const now = byName(after);
  const pairs = after.tools.flatMap((tool): readonly Pair[] => {
    const earlier = old.get(formerName.get(tool.name) ?? tool.name);
    return earlier ? [[earlier, tool]] : [];
  });
  const added = after.tools.filter(({ name }) => !old.has(name) && !formerName.has(name));
  const removed = before.tools.filter(({ name }) => !now.has(name) && !isRenamed.has(name));
  const moved = movedBases(pairs);
  const work = { narrower: { left: FULL_WORK }, wider: { left: FULL_WORK / 2 } };
  const changed = pairs.flatMap(([was, is]) => changeOf(was, is, moved, work));
  return {
    added: added.map(({ name }) => name),
    removed: removed.map(({ name }) => name),
    ...(renamed.length > 0 && { renamed }),
    changed,
    breaking: removed.length + renamed.length > 0 || changed.some(({ breaking }) => breaking),
    ...(moved.size > 0 && { moved: [...moved].map(([was, is]) => ({ before: was, after: is })) }),
  };
};

export const withModes = (
  difference: ToolsDiff,
  before: PublicationSettings,
  after: PublicationSettings,
): ToolsDiff => {
  const mode = { before: toolModeOf(before), after: toolModeOf(after) };
  return mode.before === mode.after ? difference : { ...difference, breaking: true, mode };
};

type Pair = readonly [IndexedTool, IndexedTool];

const byName = ({ tools }: ToolIndex): ReadonlyMap<string, IndexedTool> =>
  new Map(tools.map((tool) => [tool.name, tool]));

/** A removed and an added tool are the same if they alone have that method and path. */
const renamedTools = (before: ToolIndex, after: ToolIndex): readonly Renamed[] => {
  const [old, now] = [byName(before), byName(after)];
  const gone = byRequest(before.tools.filter(({ name }) => !now.has(name)));
  const come = byRequest(after.tools.filter(({ name }) => !old.has(name)));
  return [...come].flatMap(([request, names]) => {
    const [is, ...others] = names;
    const [was, ...further] = gone.get(request) ?? [];
    const isOne = others.length + further.length === 0;
    return isOne && was !== undefined && is !== undefined ? [{ before: was, after: is }] : [];
  });
};

/** Names of tools by method and path; names of path parameters are ignored. */
const byRequest = (tools: readonly IndexedTool[]): ReadonlyMap<string, readonly string[]> => {
  const groups = Map.groupBy(
    tools,
    ({ operation: { method, path } }) => `${method} ${path.replaceAll(/\{[^{}]*\}/g, '{}')}`,
  );
  return new Map([...groups].map(([request, its]) => [request, its.map(({ name }) => name)]));
};

/** New base addresses by the old ones, if all tools of the old address moved to the same new one. */
const movedBases = (pairs: readonly Pair[]): ReadonlyMap<string, string> => {
  const bases = new Map<string, Set<string>>();
  for (const [was, is] of pairs) {
    const all = bases.get(was.operation.serverUrl) ?? new Set();
    bases.set(was.operation.serverUrl, all.add(is.operation.serverUrl));
  }
  return new Map(
    [...bases].flatMap(([was, [is = was, ...others]]): readonly [string, string][] =>
      others.length > 0 || is === was ? [] : [[was, is]],
    ),
  );
};

/** A tool parsed from its stored JSON: undefined members, minus zero and the order of members do not matter. */
type StoredTool = IndexedTool & { readonly [STORED]: true };
declare const STORED: unique symbol;

const stored = (text: string): StoredTool => parsedJson(text) as StoredTool;

const changeOf = (
  was: IndexedTool,
  is: IndexedTool,
  moved: ReadonlyMap<string, string>,
  work: ArgumentWork,
): readonly ToolChange[] => {
  const [text, other] = [JSON.stringify(was), JSON.stringify(is)];
  if (text === other) return [];
  const [before, after] = [stored(text), stored(other)];
  const { breaking, others } = changesOf(withBase(before, moved), after, work);
  return breaking.length + others.length === 0
    ? []
    : [{ name: after.name, breaking: breaking.length > 0, changes: [...breaking, ...others] }];
};

/** The old tool at its new base address, so that the move is reported once and not for each tool. */
const withBase = (tool: StoredTool, moved: ReadonlyMap<string, string>): StoredTool => {
  const { operation } = tool;
  const serverUrl = moved.get(operation.serverUrl) ?? operation.serverUrl;
  return { ...tool, operation: { ...operation, serverUrl } };
};

const changesOf = (before: StoredTool, after: StoredTool, work: ArgumentWork) => {
  const [old, now] = [listedTool(before), listedTool(after)];
  // Arguments that lists hide are checked as well.
  const [given, taken] = [checkedSchema(before), checkedSchema(after)];
  const constants = Object.keys(after.operation.constants ?? {});
  const args = argumentChanges(given, taken, constants, work);
  const sent = sentChanges(before.operation, after.operation);
  const request = requestChanges(before.operation, after.operation);
  const output = outputChange(before.output, after.output);
  return {
    breaking: [
      ...args.breaking,
      ...sent.breaking,
      ...request.breaking,
      ...(output?.breaking ? [output.what] : []),
    ],
    others: [
      ...sent.others,
      ...request.others,
      ...args.others,
      ...fixedChanges(before.fixed, after.fixed),
      ...(old.description === now.description ? [] : ['the description changed']),
      ...annotationChanges(old.annotations, now.annotations),
      ...(output && !output.breaking ? [output.what] : []),
    ],
  };
};

/** Values that a difference lists per kind of change. */
const MOST_VALUES = 20;

/** Changes of values that are sent unasked. A changed value is breaking: the same call then means something else. */
const sentChanges = (before: Operation, after: Operation) => {
  const [old, now] = [sentUnasked(before), sentUnasked(after)];
  const changes = [...now].filter(
    ([pointer, value]) => !isDeepStrictEqual(old.get(pointer), value),
  );
  const textsOf = (
    of: readonly (readonly [string, unknown])[],
    said: (pointer: string, value: unknown) => string,
  ) =>
    of
      .slice(0, MOST_VALUES)
      .map(([pointer, value]) => `\`${keysOf(pointer).at(-1) ?? ''}\` ${said(pointer, value)}`);
  return {
    breaking: textsOf(
      changes.filter(([pointer]) => old.has(pointer)),
      (pointer, value) => `is sent as ${shown(value)} in place of ${shown(old.get(pointer))}`,
    ),
    others: [
      ...textsOf(
        changes.filter(([pointer]) => !old.has(pointer)),
        (_, value) => `is sent as ${shown(value)} where nobody gives it`,
      ),
      ...textsOf(
        [...old].filter(([pointer]) => !now.has(pointer)),
        (_, value) => `is no longer sent as ${shown(value)} where nobody gives it`,
      ),
    ],
  };
};

/** Values that are sent unasked, by JSON pointers into the arguments. */
const sentUnasked = ({ constants = {}, defaults = {} }: Operation): ReadonlyMap<string, unknown> =>
  new Map([
    ...Object.entries(defaults),
    ...Object.entries(constants).map(
      ([name, value]) => [pointerTo('properties', name), value] as const,
    ),
  ]);

type Values = Readonly<Record<string, unknown>>;

const fixedChanges = (before: Values = {}, after: Values = {}): readonly string[] =>
  valueChanges(before, after, {
    named: (name) => `argument \`${name}\``,
    is: (value) => `is fixed to ${shown(value)}`,
    isNot: 'is no longer fixed',
  });

const annotationChanges = (before: object = {}, after: object = {}): readonly string[] =>
  valueChanges(
    { ...before },
    { ...after },
    {
      named: (name) => (name === 'title' ? 'the title' : `\`${name}\``),
      is: (value) => `is ${shown(value)}`,
      isNot: 'is no longer said',
    },
  );

const valueChanges = (
  before: Values,
  after: Values,
  words: {
    readonly named: (name: string) => string;
    readonly is: (value: unknown) => string;
    readonly isNot: string;
  },
): readonly string[] =>
  [...new Set([...Object.keys(after), ...Object.keys(before)])].flatMap((name) => {
    const [was, is] = [member(before, name), member(after, name)];
    if (isDeepStrictEqual(was, is)) return [];
    if (is === undefined) return [`${words.named(name)} ${words.isNot}`];
    const instead = was === undefined ? 'now' : `in place of ${shown(was)}`;
    return [`${words.named(name)} ${words.is(is)} ${instead}`];
  });
