import type { Finding } from '../../platform/rules/refusal/api-refusal.ts';
import { isObject, type Json, type JsonObject, member } from '../../platform/rules/json/json.ts';
import { resolveFragment } from '../../platform/rules/json/pointer.ts';
import type { Dialect } from '../document.ts';
import type { Warnings } from './findings.ts';
import { siblingsCount, visitChildren } from './openapi-fields.ts';
import type { ObjectType } from './openapi-objects.ts';

/** A reference that points at nothing, or at something else than its place wants. */
export interface UnresolvedReference {
  readonly type: ObjectType;
  readonly finding: Finding;
}

/** Unresolved references by the object that holds them. */
export type UnresolvedReferences = ReadonlyMap<object, UnresolvedReference>;

/**
 * Objects that no request can be made of, with the reference that keeps it from being known: path items,
 * operations, parameters, request bodies, and what these are made of.
 */
export type UnknownRequests = ReadonlyMap<object, Finding>;

/** What a call has no use for: an unresolved reference in it does no harm. */
const UNUSED: ReadonlySet<ObjectType> = new Set(['callback', 'example', 'link']);

/** What says nothing of what is sent, and schemas, which allow any value where they are not known. */
const NOT_SENT: ReadonlySet<ObjectType> = new Set([...UNUSED, 'response', 'schema']);

/** What ends no operation but the one that it belongs to. */
const OPERATIONS: ReadonlySet<ObjectType> = new Set(['pathItem', 'operation']);

/**
 * Takes unresolved references for what does the least harm, with a warning: schemas for any value,
 * answers for such as nothing is said of. What is sent cannot be guessed.
 *
 * @returns what cannot be sent, for whoever lists the operations
 */
export const judgeUnresolved = (
  root: JsonObject,
  dialect: Dialect,
  unresolved: UnresolvedReferences,
  warnings: Warnings,
): UnknownRequests => {
  const unknown = new Map<object, Finding>();
  if (unresolved.size === 0) return unknown;
  const used = reachFromPaths(root, dialect, UNUSED);
  const sent = reachFromPaths(root, dialect, NOT_SENT);
  for (const [node, { type, finding }] of unresolved) {
    const { where, what, hint } = finding;
    if (sent.has(node)) unknown.set(node, finding);
    else if (!used.has(node)) warnings.add(where, `${what}; no operation needs it`, hint);
    else {
      const taken = type === 'schema' ? 'taken for any value' : 'it is ignored';
      warnings.add(where, `${what}; ${taken}`, hint);
      forgetReference(node, siblingsCount(type, dialect));
    }
  }
  // Grows while it is walked: whatever is made of an unknown part is unknown.
  for (const [node, finding] of unknown) {
    for (const whole of sent.get(node) ?? []) {
      if (!unknown.has(whole)) unknown.set(whole, finding);
    }
  }
  return unknown;
};

/** Leaves an object as it would be without its reference, beside which nothing but a text may count. */
const forgetReference = (node: object, siblings: boolean): void => {
  const members = node as Record<string, Json>;
  for (const key of Object.keys(members)) {
    if (key === '$ref' || (!siblings && key !== 'description')) delete members[key];
  }
};

/**
 * Everything that paths lead to, by way of references too.
 *
 * @returns each object with those that are made of it, as far as they belong to one operation
 */
const reachFromPaths = (
  root: JsonObject,
  dialect: Dialect,
  leftOut: ReadonlySet<ObjectType>,
): ReadonlyMap<object, readonly object[]> => {
  const wholes = new Map<object, object[]>();
  const open: { readonly node: JsonObject; readonly type: ObjectType }[] = [];
  const enter = (node: Json, type: ObjectType, whole?: JsonObject) => {
    if (!isObject(node) || leftOut.has(type)) return;
    if (!wholes.has(node)) {
      wholes.set(node, []);
      open.push({ node, type });
    }
    if (whole) wholes.get(node)?.push(whole);
  };
  visitChildren({ paths: member(root, 'paths') ?? null }, 'description', '', (node, type) =>
    enter(node, type),
  );
  // A list of our own instead of recursion: references can make a chain of any length.
  for (const { node, type } of open) {
    const ref = member(node, '$ref');
    if (typeof ref === 'string') enter(resolveFragment(root, ref) ?? null, type, node);
    if (typeof ref === 'string' && !siblingsCount(type, dialect)) continue;
    const whole = OPERATIONS.has(type) ? undefined : node;
    visitChildren(node, type, '', (child, childType) => enter(child, childType, whole));
  }
  return wholes;
};
