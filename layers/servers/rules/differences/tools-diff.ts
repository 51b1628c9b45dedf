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
  /** Of the same method and path as before; absent: none. */
  readonly renamed?: readonly Renamed[];
  /** Under the names of afterwards. */
  readonly changed: readonly ToolChange[];
  /** Whether a call that worked before may fail now. */
  readonly breaking: boolean;
  /** Where all calls went that go elsewhere now, and nothing else of them need differ; absent: none. */
  readonly moved?: readonly Renamed[];
  /** Set if clients are shown another kind of tools: then no call by a tool's name works any more. */
  readonly mode?: { readonly before: ToolMode; readonly after: ToolMode };
}

/** What is called something else than before. */
interface Renamed {
  readonly before: string;
  readonly after: string;
}

interface ToolChange {
  readonly name: string;
  readonly breaking: boolean;
  /** In words, with names in backticks. */
  readonly changes: readonly string[];
}

export const NO_DIFFERENCE: ToolsDiff = { added: [], removed: [], changed: [], breaking: false };

/**
 * Compares tools by their names, which is how clients know them, and those whose names are gone by their requests.
 * Source: docs/decisions/descriptions.md, "Versions and overrides".
 */
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

/** The difference that another mode makes besides. */
export const withModes = (
  difference: ToolsDiff,
  before: PublicationSettings,
  after: PublicationSettings,
): ToolsDiff => {
  const mode = { before: toolModeOf(before), after: toolModeOf(after) };
  return mode.before === mode.after ? difference : { ...difference, breaking: true, mode };
};

/** A tool as it was, and as it is. */
type Pair = readonly [IndexedTool, IndexedTool];

const byName = ({ tools }: ToolIndex): ReadonlyMap<string, IndexedTool> =>
  new Map(tools.map((tool) => [tool.name, tool]));

/** One that is gone and one that is new are the same where no other ones have this method and path. */
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

/** Names of tools by what they call; how places in a path are called makes no other path. */
const byRequest = (tools: readonly IndexedTool[]): ReadonlyMap<string, readonly string[]> => {
  const groups = Map.groupBy(
    tools,
    ({ operation: { method, path } }) => `${method} ${path.replaceAll(/\{[^{}]*\}/g, '{}')}`,
  );
  return new Map([...groups].map(([request, its]) => [request, its.map(({ name }) => name)]));
};

/** Where all tools of an address went elsewhere together: by their address of before, the one of afterwards. */
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

/**
 * A tool as it reads back once it is stored, which is the only form that is compared: members without a value, minus
 * zero and the order of members are no difference there, nor is how a program came by an equal value.
 */
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

/** As if it had called what all of its neighbours call now. */
const withBase = (tool: StoredTool, moved: ReadonlyMap<string, string>): StoredTool => {
  const { operation } = tool;
  const serverUrl = moved.get(operation.serverUrl) ?? operation.serverUrl;
  return { ...tool, operation: { ...operation, serverUrl } };
};

const changesOf = (before: StoredTool, after: StoredTool, work: ArgumentWork) => {
  const [old, now] = [listedTool(before), listedTool(after)];
  // What lists leave out is checked all the same.
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

/** Values of each kind that a difference names. */
const MOST_VALUES = 20;

/**
 * What is sent though no caller says it. A value that becomes another one counts as breaking, as it would for callers
 * who had to say it themselves: the same call means something else from then on.
 */
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

/** By JSON pointers, as if all of it were among the arguments. */
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
