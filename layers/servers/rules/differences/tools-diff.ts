import { isDeepStrictEqual } from 'node:util';
import { type PublicationSettings, toolModeOf } from '../../../deployments/rules/publication.ts';
import type { Schema } from '../../../openapi/json-schema/schema.ts';
import type { ToolMode } from '../../../openapi/tool-mode.ts';
import {
  type IndexedTool,
  listedTool,
  type Operation,
  type ToolIndex,
} from '../../../openapi/tool-index.ts';
import { keysOf, pointerTo } from '../../../platform/rules/json/pointer.ts';
import { checkedSchema } from '../../../tools/prepare-tool.ts';
import { breakingChanges, fullWork, outputChange, type Work } from './breaking-changes.ts';

export interface ToolsDiff {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly ToolChange[];
  /** Whether a call that worked before may fail now. */
  readonly breaking: boolean;
  /** Set if clients are shown another kind of tools: then no call by a tool's name works any more. */
  readonly mode?: { readonly before: ToolMode; readonly after: ToolMode };
}

/** Characters of an address in a difference. */
const LONGEST_REQUEST = 500;

interface ToolChange {
  readonly name: string;
  readonly breaking: boolean;
  /** In words. */
  readonly changes: readonly string[];
}

/**
 * Compares tools by their names, which is how clients know them.
 * Source: docs/decisions/descriptions.md, "Versions and overrides".
 */
export const toolsDiff = (before: ToolIndex, after: ToolIndex): ToolsDiff => {
  const old = byName(before);
  const now = byName(after);
  const added = after.tools.flatMap(({ name }) => (old.has(name) ? [] : [name]));
  const removed = before.tools.flatMap(({ name }) => (now.has(name) ? [] : [name]));
  const work = fullWork();
  const changed = after.tools.flatMap((tool) => {
    const earlier = old.get(tool.name);
    return earlier ? changeOf(earlier, tool, work) : [];
  });
  return {
    added,
    removed,
    changed,
    breaking: removed.length > 0 || changed.some(({ breaking }) => breaking),
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

const byName = ({ tools }: ToolIndex): ReadonlyMap<string, IndexedTool> =>
  new Map(tools.map((tool) => [tool.name, tool]));

const changeOf = (before: IndexedTool, after: IndexedTool, work: Work): readonly ToolChange[] => {
  const [old, now] = [listedTool(before), listedTool(after)];
  // What lists leave out is checked all the same.
  const [given, taken] = [checkedSchema(before), checkedSchema(after)];
  const isSameInput = same(given, taken);
  const breaks = isSameInput ? [] : breakingChanges(given, takenBy(after, taken), work);
  const sent = sentChanges(before.operation, after.operation);
  const output = outputChange(before.output, after.output);
  const isSameCall = same(callOf(before.operation), callOf(after.operation));
  const changes = [
    ...breaks,
    ...sent.others,
    ...sent.added,
    ...(breaks.length === 0 && !isSameInput
      ? ['the arguments are described differently, or allow more']
      : []),
    ...(same(old.description, now.description) ? [] : ['the description changed']),
    ...(same(old.annotations, now.annotations) ? [] : ['the annotations changed']),
    ...(output ? [output.what] : []),
    ...(isSameCall ? [] : [requestChange(before.operation, after.operation)]),
    ...(same(before.fixed, after.fixed) ? [] : ['the fixed arguments changed']),
  ];
  const breaking = breaks.length > 0 || sent.others.length > 0 || output?.breaking === true;
  return changes.length === 0 ? [] : [{ name: after.name, breaking, changes }];
};

/** A store gives members back in an order of its own. */
const same = (one: unknown, other: unknown): boolean => isDeepStrictEqual(one, other);

/** What a tool takes: an argument with one possible value may go on to be named. */
const takenBy = ({ operation: { constants } }: IndexedTool, inputSchema: Schema): Schema =>
  constants
    ? {
        ...inputSchema,
        properties: {
          ...(inputSchema['properties'] as object),
          ...Object.fromEntries(Object.keys(constants).map((name) => [name, {}])),
        },
      }
    : inputSchema;

/** Values of each kind that a difference names. */
const MOST_VALUES = 20;
const LONGEST_VALUE = 100;

/**
 * What is sent though no caller says it. A value that becomes another one counts as breaking, as it would for callers
 * who had to say it themselves: the same call means something else from then on.
 */
const sentChanges = (before: Operation, after: Operation) => {
  const old = sentUnasked(before);
  const changes = [...sentUnasked(after)].filter(
    ([pointer, value]) => !same(old.get(pointer), value),
  );
  const [others, added] = [true, false].map((wasSent) =>
    changes
      .filter(([pointer]) => old.has(pointer) === wasSent)
      .slice(0, MOST_VALUES)
      .map(([pointer, value]) => {
        const named = `${keysOf(pointer).at(-1) ?? ''} is sent as ${shownValue(value)}`;
        return wasSent ? `${named} in place of ${shownValue(old.get(pointer))}` : named;
      }),
  );
  return { others: others ?? [], added: added ?? [] };
};

/** By JSON pointers, as if all of it were among the arguments. */
const sentUnasked = ({ constants = {}, defaults = {} }: Operation): ReadonlyMap<string, unknown> =>
  new Map([
    ...Object.entries(defaults),
    ...Object.entries(constants).map(
      ([name, value]) => [pointerTo('properties', name), value] as const,
    ),
  ]);

const shownValue = (value: unknown): string =>
  (JSON.stringify(value) ?? '').slice(0, LONGEST_VALUE).toWellFormed();

/** Callers see nothing of the operationId, and what is described of answers is no part of a request. */
const callOf = (operation: Operation) => ({
  ...operation,
  operationId: undefined,
  answers: undefined,
  // Compared with the arguments.
  unlisted: undefined,
});

const requestChange = (before: Operation, after: Operation): string => {
  const [was, is] = [before, after].map(({ method, serverUrl, path }) =>
    `${method} ${serverUrl}${path}`.slice(0, LONGEST_REQUEST).toWellFormed(),
  );
  return was === is ? 'the request is written differently' : `the request was ${was} and is ${is}`;
};
