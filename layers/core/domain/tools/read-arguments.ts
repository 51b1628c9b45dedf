import { brokenRules } from './argument-rules.ts';
import { coerce } from './coerce.ts';
import { type ArgumentFault, invalidArgument, invalidArguments } from './invalid-arguments.ts';
import { isObject, type JsonObject, pointerTo } from './json.ts';
import type { PreparedTool } from './prepare-tool.ts';

const MOST_NAMES = 40;

/** Arguments of a call that are known to obey the tool's schema. */
export type Arguments = JsonObject;

/**
 * The arguments of a `tools/call`, coerced to what the tool's schema wants and checked against it.
 * An argument that the tool does not have is refused rather than dropped, unless the body takes
 * further properties.
 *
 * @param args - as the client sent them; `undefined` counts as none
 * @returns them, and the values that the tool's owner fixed
 * @throws RpcRefusal `invalid_params`, `data.errors` telling the path and message of each fault
 * Source: TL1.
 */
export const readArguments = (tool: PreparedTool, args: unknown): Arguments => {
  if (args !== undefined && !isObject(args)) throw invalidArgument([], 'must be an object');

  const coerced = coerce(tool.shapes, tool.shape, args ?? {});
  const { value, hasBigInts, faults } = coerced;
  const read = value as JsonObject;
  const isKnown = (name: string) =>
    !tool.withheld.has(name) &&
    (tool.argumentNames.has(name) || (tool.additional && !tool.isKept('body', name)));
  const strangers = Object.keys(read).filter((name) => !isKnown(name));
  const known =
    strangers.length === 0
      ? read
      : Object.fromEntries(Object.entries(read).filter(([name]) => isKnown(name)));

  const complete = tool.withheld.size === 0 ? known : { ...known, ...tool.fixed };
  const all = [
    ...faults,
    ...strangers.map((name) => unknown(tool, name)),
    ...tool.check(hasBigInts ? inNumbers(known) : known, coerced),
    ...brokenRules(tool.operation.rules ?? [], complete, (name) => tool.argumentNames.has(name)),
  ];
  if (all.length > 0) throw invalidArguments(all);
  return complete;
};

/** As near as numbers come to it, for the library knows no others. */
const inNumbers = (value: unknown): unknown => {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(inNumbers);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, inNumbers(member)]));
};

const unknown = ({ argumentNames, withheld }: PreparedTool, name: string): ArgumentFault => {
  const all = [...argumentNames].filter((one) => !withheld.has(one));
  const names = all.slice(0, MOST_NAMES);
  const more = all.length > names.length ? ' ...' : '';
  return {
    path: pointerTo([name]),
    message:
      names.length > 0
        ? `is not an argument of this tool, which takes ${names.join(', ')}${more}`
        : 'is not an argument of this tool, which takes none',
  };
};
