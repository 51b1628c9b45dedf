import type { ArgumentRule } from '../../openapi/tool-index.ts';
import { isObject, type JsonObject, member } from '../../platform/rules/json/json.ts';
import { nearestName } from '../../platform/rules/nearest-name.ts';
import { pointerTo } from '../../platform/rules/json/pointer.ts';
import type { ArgumentChecks } from './argument-checks.ts';
import type { Budget } from './assertions.ts';
import { withoutAddedMembers } from './added-members.ts';
import {
  type ArgumentFault,
  InvalidArguments,
  MOST_FAULTS,
  noArguments,
} from './invalid-arguments.ts';
import { leftToTarget } from './leniency.ts';
import { readValue, refuseBrokenNames } from './read-value.ts';
import type { PreparedTool } from '../prepare-tool.ts';

const MOST_NAMES = 40;
/** Characters of an unknown name that are compared with known ones: the cost is the product of their lengths. */
const LONGEST_NAME = 64;

interface ReadingTerms {
  readonly budget?: Budget | undefined;
  /** Default: `strict`. See `leftToTarget`. */
  readonly checks?: ArgumentChecks | undefined;
}

/** Validated arguments of a call. Nested properties have their wire names. */
export type Arguments = Readonly<Record<string, unknown>>;

/**
 * Converts the arguments of a `tools/call` to the types of the tool's schema and validates them. An unknown argument is
 * refused, not dropped, unless the body allows additional properties or a client adds it to every call.
 * @param args - as the client sent them; `undefined` and null count as none
 * @returns the arguments, with the values that the tool's owner fixed
 * @throws RpcRefusal `invalid_params`; `data.errors` has path and message of each fault
 * Source: docs/protocol.md, "Arguments of a call".
 */
export const readArguments = (
  tool: PreparedTool,
  args: unknown,
  { budget, checks = 'strict' }: ReadingTerms = {},
): Arguments => {
  if (args !== undefined && args !== null && !isObject(args)) throw noArguments();

  const { given, others } = withoutConstants(
    tool,
    withoutPresets(
      tool,
      withoutAddedMembers(args ?? {}, {
        hasArgument: (name) => tool.argumentNames.has(name) && !tool.withheld.has(name),
        takesFurther: tool.additional,
      }),
    ),
  );
  const isKnown = (name: string) =>
    !tool.withheld.has(name) &&
    (tool.argumentNames.has(name) || (tool.additional && !tool.reservedNames.has('body', name)));
  const strangers = Object.keys(given).filter(
    (name) => given[name] !== undefined && !isKnown(name),
  );
  refuseBrokenNames(strangers);
  const known =
    strangers.length === 0
      ? given
      : Object.fromEntries(Object.entries(given).filter(([name]) => isKnown(name)));

  const { value, sent, unreadable, broken } = readValue(
    tool.shapes,
    known,
    tool.wireNames,
    budget,
    checks === 'lenient' ? leftToTarget(tool.operation) : undefined,
  );
  const { constants } = tool.operation;
  const complete = (read: unknown): Arguments =>
    tool.withheld.size === 0 && !constants
      ? withoutPresets(tool, read as JsonObject)
      : withoutPresets(tool, { ...(read as JsonObject), ...constants, ...tool.fixed });
  const all = [
    ...unreadable,
    ...others,
    ...strangers.slice(0, MOST_FAULTS + 1).map((name) => unknown(tool, name)),
    ...broken,
    ...brokenRules(
      (tool.operation.rules ?? []).filter(({ kind }) => checks === 'strict' || kind !== 'needs'),
      complete(value),
      (name) => tool.argumentNames.has(name),
    ),
  ];
  if (all.length > 0) throw new InvalidArguments(all);
  return complete(sent);
};

/** Drops arguments for constants, which are always sent. Their own value is accepted, any other is a fault. */
const withoutConstants = (
  { operation: { constants = {} }, withheld }: PreparedTool,
  args: JsonObject,
): { readonly given: JsonObject; readonly others: readonly ArgumentFault[] } => {
  const said = Object.keys(constants).filter(
    (name) => Object.hasOwn(args, name) && !withheld.has(name),
  );
  if (said.length === 0) return { given: args, others: [] };
  const others = said.flatMap((name) => {
    const [value, always] = [args[name], constants[name]];
    return value === undefined || value === null || textOf(value) === textOf(always)
      ? []
      : [{ path: pointerTo(name), keyword: 'const', message: `is always ${textOf(always)}` }];
  });
  const given = Object.fromEntries(Object.entries(args).filter(([name]) => !said.includes(name)));
  return { given, others };
};

/** Text and value compare as equal, as they do in conversion: `"3"` and 3. */
const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

/** Drops values for presets, which neither callers nor defaults of the description may set. */
const withoutPresets = <Value>(
  { presets }: PreparedTool,
  args: Readonly<Record<string, Value>>,
): Readonly<Record<string, Value>> =>
  presets.size === 0
    ? args
    : Object.fromEntries(Object.entries(args).filter(([name]) => !presets.has(name)));

const unknown = (
  { argumentNames, withheld, operation: { constants = {} } }: PreparedTool,
  name: string,
): ArgumentFault => {
  const all = [...argumentNames].filter(
    (one) => !withheld.has(one) && !Object.hasOwn(constants, one),
  );
  const names = all.slice(0, MOST_NAMES);
  const more = all.length > names.length ? ' ...' : '';
  const nearest = nearestName(name.slice(0, LONGEST_NAME), names);
  const meant = nearest === undefined ? '' : ` (did you mean ${nearest}?)`;
  return {
    path: pointerTo(name),
    keyword: 'unknown',
    message:
      names.length > 0
        ? `is not an argument of this tool${meant}, which takes ${names.join(', ')}${more}`
        : 'is not an argument of this tool, which takes none',
  };
};

const MOST_NAMED = 20;

/**
 * Finds broken rules about which arguments are given together.
 * @param isNamed - whether the tool declares an argument; any other is a field of the body, and counts as one
 */
const brokenRules = (
  rules: readonly ArgumentRule[],
  args: Readonly<Record<string, unknown>>,
  isNamed: (name: string) => boolean,
): readonly ArgumentFault[] => {
  const isGiven = (name: string): boolean => member(args, name) !== undefined;
  const further = Object.keys(args).filter((name) => !isNamed(name)).length;

  return rules.flatMap((rule) => {
    if (rule.when && !rule.when.some(isGiven)) return [];
    const message =
      rule.kind === 'needs'
        ? needsMessage(rule, isGiven)
        : countMessage(rule, rule.of.filter(isGiven).length + further);
    return message === undefined ? [] : [{ path: '', message, keyword: 'together' }];
  });
};

const needsMessage = (
  { when, sets }: Extract<ArgumentRule, { kind: 'needs' }>,
  isGiven: (name: string) => boolean,
): string | undefined => {
  if (sets.some((names) => names.every(isGiven))) return undefined;
  const needed = sets.slice(0, MOST_NAMED).map((names) => names.join(' + '));
  const choice = sets.length > 1 ? `at least one of: ${needed.join('; ')}` : needed.join('');
  return `need ${choice}${when?.length === 1 ? ` where ${when.join('')} is given` : ''}`;
};

const countMessage = (
  { of: names, least = 0, most = Infinity }: Extract<ArgumentRule, { kind: 'counts' }>,
  count: number,
): string | undefined => {
  if (count >= least && count <= most) return undefined;
  const bound = count < least ? `at least ${least}` : `at most ${most}`;
  const more = names.length > MOST_NAMED ? ' ...' : '';
  return `need ${bound} of: ${names.slice(0, MOST_NAMED).join(', ')}${more}`;
};
