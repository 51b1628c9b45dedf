import { brokenRules } from './argument-rules.ts';
import type { ArgumentChecks } from './argument-checks.ts';
import type { Budget } from './budget.ts';
import {
  type ArgumentFault,
  noArguments,
  invalidArguments,
  MOST_FAULTS,
} from './invalid-arguments.ts';
import { isObject, type JsonObject } from '../../platform/rules/json/json.ts';
import { pointerTo } from '../../platform/rules/json/pointer.ts';
import type { PreparedTool } from '../prepare-tool.ts';
import { argumentOf, type MayLack } from './reading.ts';
import { readValue, refuseBrokenNames } from './read-value.ts';

const MOST_NAMES = 40;

export interface ReadingTerms {
  /** What it may cost; that of one call if omitted. */
  readonly budget?: Budget | undefined;
  /** `lenient`: what is required may be missing, but for the places of the path. Strict if omitted. */
  readonly checks?: ArgumentChecks | undefined;
}

/** Arguments of a call that are known to obey the tool's schema. Inside each, properties have their names on the wire. */
export type Arguments = Readonly<Record<string, unknown>>;

/**
 * The arguments of a `tools/call`, coerced to what the tool's schema wants and checked against it.
 * An argument that the tool does not have is refused rather than dropped, unless the body takes
 * further properties.
 *
 * @param args - as the client sent them; `undefined` counts as none
 * @returns them, and the values that the tool's owner fixed
 * @throws RpcRefusal `invalid_params`, `data.errors` telling the path and message of each fault
 * Source: docs/protocol.md, "Arguments of a call".
 */
export const readArguments = (
  tool: PreparedTool,
  args: unknown,
  { budget, checks = 'strict' }: ReadingTerms = {},
): Arguments => {
  if (args !== undefined && !isObject(args)) throw noArguments();

  const given: JsonObject = args ?? {};
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
    checks === 'lenient' ? beyondPath(tool) : undefined,
  );
  const complete = (read: unknown): Arguments =>
    tool.withheld.size === 0 ? (read as Arguments) : { ...(read as Arguments), ...tool.fixed };
  const all = [
    ...unreadable,
    ...strangers.slice(0, MOST_FAULTS + 1).map((name) => unknown(tool, name)),
    ...broken,
    ...brokenRules(
      (tool.operation.rules ?? []).filter(({ kind }) => checks === 'strict' || kind !== 'needs'),
      complete(value),
      (name) => tool.argumentNames.has(name),
    ),
  ];
  if (all.length > 0) throw invalidArguments(all);
  return complete(sent);
};

/** No address can be made without the places of the path. */
const beyondPath = ({ operation }: PreparedTool): MayLack => {
  const inPath = new Set(
    operation.parameters.filter((one) => one.in === 'path').map(({ argument }) => argument),
  );
  return (reading, name) => !inPath.has(String(argumentOf(reading) ?? name));
};

const unknown = ({ argumentNames, withheld }: PreparedTool, name: string): ArgumentFault => {
  const all = [...argumentNames].filter((one) => !withheld.has(one));
  const names = all.slice(0, MOST_NAMES);
  const more = all.length > names.length ? ' ...' : '';
  return {
    path: pointerTo(name),
    message:
      names.length > 0
        ? `is not an argument of this tool, which takes ${names.join(', ')}${more}`
        : 'is not an argument of this tool, which takes none',
  };
};
