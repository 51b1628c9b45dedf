import { isDeepStrictEqual } from 'node:util';
import { type PublicationSettings, toolModeOf } from '../../../deployments/rules/publication.ts';
import type { ToolMode } from '../../../openapi/tool-mode.ts';
import {
  type IndexedTool,
  type ListedTool,
  listedTool,
  type Operation,
  type ToolIndex,
} from '../../../openapi/tool-index.ts';
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
  const isSameInput = same(old.inputSchema, now.inputSchema);
  const breaks = isSameInput ? [] : breakingChanges(old.inputSchema, takenBy(after, now), work);
  const output = outputChange(before.output, after.output);
  const isSameCall = same(callOf(before.operation), callOf(after.operation));
  const changes = [
    ...breaks,
    ...(breaks.length === 0 && !isSameInput
      ? ['the arguments are described differently, or allow more']
      : []),
    ...(same(old.description, now.description) ? [] : ['the description changed']),
    ...(same(old.annotations, now.annotations) ? [] : ['the annotations changed']),
    ...(output ? [output.what] : []),
    ...(isSameCall ? [] : [requestChange(before.operation, after.operation)]),
    ...(same(before.fixed, after.fixed) ? [] : ['the fixed arguments changed']),
  ];
  const breaking = breaks.length > 0 || output?.breaking === true;
  return changes.length === 0 ? [] : [{ name: after.name, breaking, changes }];
};

/** A store gives members back in an order of its own. */
const same = (one: unknown, other: unknown): boolean => isDeepStrictEqual(one, other);

/** What a tool takes: an argument with one possible value may go on to be named. */
const takenBy = (
  { operation: { constants } }: IndexedTool,
  { inputSchema }: ListedTool,
): ListedTool['inputSchema'] =>
  constants
    ? {
        ...inputSchema,
        properties: {
          ...(inputSchema['properties'] as object),
          ...Object.fromEntries(Object.keys(constants).map((name) => [name, {}])),
        },
      }
    : inputSchema;

/** Callers see nothing of the operationId, and what is described of answers is no part of a request. */
const callOf = (operation: Operation) => ({
  ...operation,
  operationId: undefined,
  answers: undefined,
});

const requestChange = (before: Operation, after: Operation): string => {
  const [was, is] = [before, after].map(({ method, serverUrl, path }) =>
    `${method} ${serverUrl}${path}`.slice(0, LONGEST_REQUEST).toWellFormed(),
  );
  return was === is ? 'the request is written differently' : `the request was ${was} and is ${is}`;
};
