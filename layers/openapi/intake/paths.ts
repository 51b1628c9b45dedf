import { ApiRefusal, type Finding } from '../../platform/rules/refusal/api-refusal.ts';
import { isObject, type Json, type JsonObject, member } from '../../platform/rules/json/json.ts';
import { pointerTo } from '../../platform/rules/json/pointer.ts';
import { type Dialect, target } from '../document.ts';
import { isExtension, methodFields, type WarnUnknownFields } from './openapi-fields.ts';
import { type Faults, finding } from './findings.ts';
import type { UnknownRequests } from './references.ts';

/** An operation's position: `FoundOperation` without what the operation itself declares. */
export interface PathEntry {
  readonly method: string;
  readonly path: string;
  readonly pathItem: JsonObject;
  readonly operation: JsonObject;
  readonly pointer: string;
}

/** Shared path items can multiply operations far beyond the size of a description. */
const MAX_OPERATIONS = 10_000;

/** Longest path; servers accept no longer ones. */
const MAX_PATH = 2000;

/** Methods without characters that mean something in a request line, where they are written unescaped. */
const METHOD = /^[A-Za-z][A-Za-z0-9-]{0,31}$/;

export interface ListedDocument {
  readonly root: JsonObject;
  readonly dialect: Dialect;
  readonly unknown: UnknownRequests;
}

/** Reports an excluded operation, or a path with all of its operations. */
export type LeaveOut = (name: string, why: Finding) => void;

/** Lists the operations under `paths`, and reports faults of paths and methods. */
export const listPathItems = function* (
  { root, dialect, unknown }: ListedDocument,
  faults: Faults,
  leaveOut: LeaveOut,
  warnUnknownFields: WarnUnknownFields,
): Generator<PathEntry> {
  const paths = member(root, 'paths') ?? {};
  if (!isObject(paths)) {
    faults.refuse(finding('/paths', 'no object', 'Write an object of paths.'));
    return;
  }
  const methodsOf = new Map<JsonObject, readonly string[]>();
  let count = 0;
  for (const [path, node] of Object.entries(paths)) {
    if (isExtension(path)) continue;
    const at = pointerTo('paths', path);
    if (!path.startsWith('/')) {
      faults.refuse(finding(at, 'the path does not start with `/`', 'Begin it with a slash.'));
      continue;
    }
    if (path.length > MAX_PATH) {
      const what = `the path is longer than ${MAX_PATH} characters`;
      leaveOut(path, finding(at, what, 'Shorten or remove it.'));
      continue;
    }
    // YAML parses an empty path item as null; `walkDocument` has warned of it.
    if (node === null) continue;
    const why = isObject(node) ? unknown.get(node) : undefined;
    if (why) {
      leaveOut(path, why);
      continue;
    }
    const pathItem = merged(root, node, dialect);
    if (pathItem === undefined) {
      leaveOut(path, finding(at, 'the path item is no object', 'Write an object, or remove it.'));
      continue;
    }
    warnUnknownFields(pathItem, 'pathItem', at);
    const fields = methodsOf.get(pathItem) ?? methodsIn(pathItem, dialect, at, faults);
    methodsOf.set(pathItem, fields);

    const methods = new Set<string>();
    for (const { keys, value } of listed(pathItem, fields)) {
      const pointer = at + pointerTo(...keys);
      const key = keys.at(-1) ?? '';
      const method = key.toUpperCase();
      const operation = target(root, value);
      const unknownOperation = isObject(value) ? unknown.get(value) : undefined;
      if (!METHOD.test(method)) {
        faults.refuse(finding(pointer, 'no HTTP method', 'Use letters, digits and hyphens.'));
      } else if (methods.has(method)) {
        faults.refuse(finding(pointer, `${method} occurs twice`, 'Remove one of the two.'));
      } else if (unknownOperation) leaveOut(`${method} ${path}`, unknownOperation);
      else if (!isObject(operation)) {
        const what = 'the operation is no object';
        leaveOut(`${method} ${path}`, finding(pointer, what, 'Write an object, or remove it.'));
      } else {
        if (++count > MAX_OPERATIONS) throw tooMany();
        yield { method, path, pathItem, operation, pointer };
      }
      methods.add(method);
    }
  }
};

/** Path item with the fields of its reference; its own have precedence. Source: OpenAPI 3.1.1 §4.8.9. */
const merged = (root: JsonObject, node: Json, dialect: Dialect): JsonObject | undefined => {
  const end = target(root, node);
  if (!isObject(node) || !isObject(end)) return undefined;
  if (end === node || Object.keys(node).length === 1) return end;
  const fields = [...methodFields(dialect), 'parameters', 'servers', 'summary', 'description'];
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = member(node, field) ?? member(end, field);
      return value === undefined ? [] : [[field, value]];
    }),
  );
};

const methodsIn = (
  pathItem: JsonObject,
  dialect: Dialect,
  pointer: string,
  faults: Faults,
): readonly string[] => {
  const known = methodFields(dialect);
  return Object.keys(pathItem).filter((key) => {
    if (known.includes(key)) return true;
    if (known.includes(key.toLowerCase())) {
      const what = `the method is spelled ${key}`;
      faults.refuse(finding(pointer + pointerTo(key), what, 'Write it in lower case.'));
    }
    return false;
  });
};

const listed = function* (
  pathItem: JsonObject,
  fields: readonly string[],
): Generator<{ readonly keys: readonly string[]; readonly value: Json }> {
  for (const field of fields) {
    const value = member(pathItem, field) ?? null;
    if (field !== 'additionalOperations') yield { keys: [field], value };
    else if (isObject(value)) {
      for (const [method, operation] of Object.entries(value)) {
        yield { keys: [field, method], value: operation };
      }
    }
  }
};

const tooMany = (): ApiRefusal => {
  const what = `more than ${MAX_OPERATIONS} operations`;
  return new ApiRefusal('too_many_operations', `The description has ${what}.`, [
    finding('/paths', what, 'Split the description.'),
  ]);
};
