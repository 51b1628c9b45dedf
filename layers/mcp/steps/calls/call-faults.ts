import {
  type CallFault,
  MISSING_IN_PATH,
  UNKNOWN_OPERATION,
  WRONG_STRUCTURE,
} from '../../../events/rules/call-record.ts';
import type { Schema } from '../../../openapi/json-schema/schema.ts';
import { partsOf } from '../../../openapi/json-schema/subschemas.ts';
import type { Operation } from '../../../openapi/tool-index.ts';
import { keysOf } from '../../../platform/rules/json/pointer.ts';
import {
  type ArgumentFault,
  InvalidArguments,
} from '../../../tools/arguments/invalid-arguments.ts';
import { isLeftToTarget } from '../../../tools/arguments/leniency.ts';
import type { PreparedTool } from '../../../tools/prepare-tool.ts';
import { ToolRefusal } from '../../../platform/rules/refusal/tool-refusal.ts';

/** A `call_operation` of search mode for an operation that does not exist. */
export class UnknownOperation extends ToolRefusal {
  /** @param message - suggests operations with similar names */
  constructor(message: string) {
    super(
      'arguments',
      'invalid_params',
      message,
      { errors: [{ path: '/name', message: 'names no operation of this server' }] },
      'unknown operation',
    );
  }
}

/** Limits of one record. */
const MOST_FAULTS = 5;
const LONGEST_PATH = 120;

/**
 * Which arguments of a refused call broke which rule. Names that the description does not have become `*`: caller
 * data belongs in no log.
 * @param error - anything that was thrown; only faults of arguments are listed
 * Source: docs/decisions/storage.md, "Calls are accountable".
 */
export const callFaults = (
  { shapes: { root }, operation }: Pick<PreparedTool, 'operation' | 'shapes'>,
  error: unknown,
): readonly CallFault[] => {
  if (error instanceof UnknownOperation) return [{ argument: 'name', keyword: UNKNOWN_OPERATION }];
  if (!(error instanceof InvalidArguments)) return [];
  const faults = error.faults.map((fault) => recorded(root, operation, fault));
  return [...new Map(faults.map((fault) => [JSON.stringify(fault), fault])).values()].slice(
    0,
    MOST_FAULTS,
  );
};

const recorded = (
  root: Schema,
  operation: Operation,
  { path, keyword = 'request', sent, wanted = [] }: ArgumentFault,
): CallFault => {
  const { parameters } = operation;
  const argument = keyword === 'unknown' ? '' : describedPath(describedNames(root), path);
  const isInPath = parameters.some((one) => one.in === 'path' && one.argument === argument);
  const isScalar = sent !== 'object' && sent !== 'array';
  const [outermost = ''] = keysOf(path);
  const isLeft = isLeftToTarget(operation, String(outermost), { keyword, wanted, isScalar });
  return {
    ...(argument !== '' && { argument }),
    keyword:
      keyword === 'required' && isInPath
        ? MISSING_IN_PATH
        : keyword === 'type' && !isLeft
          ? WRONG_STRUCTURE
          : keyword,
    ...(sent !== undefined && { sent }),
  };
};

/** `filter.items[].price`; empty for a fault of the arguments as a whole. */
const describedPath = (names: ReadonlySet<string>, path: string): string =>
  keysOf(path)
    .map((key) => {
      if (names.has(key)) return `.${key}`;
      return /^\d+$/.test(key) ? '[]' : '.*';
    })
    .join('')
    .slice(1, LONGEST_PATH);

/** Schemas that are searched for names; names beyond become `*`. */
const MOST_SCHEMAS = 20_000;

/** A memo: a tool's schema never changes. */
const known = new WeakMap<Schema, ReadonlySet<string>>();

const describedNames = (root: Schema): ReadonlySet<string> => {
  const found = known.get(root);
  if (found) return found;
  const names = new Set<string>();
  const open = [root];
  for (const schema of open) {
    for (const { keyword, key, schema: part } of partsOf(schema)) {
      if (keyword === 'properties' && key !== undefined) names.add(key);
      if (open.length < MOST_SCHEMAS) open.push(part);
    }
    // A required property may lack a description in `properties`.
    const { required } = schema;
    if (Array.isArray(required)) for (const name of required) names.add(String(name));
  }
  known.set(root, names);
  return names;
};
