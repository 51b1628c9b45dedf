import type { Finding } from '../../platform/rules/refusal/api-refusal.ts';
import {
  isObject,
  type Json,
  type JsonObject,
  member,
  textMember,
} from '../../platform/rules/json/json.ts';
import { resolveFragment } from '../../platform/rules/json/pointer.ts';
import { type Dialect, MAX_HOPS } from '../document.ts';
import { finding, type Warnings } from './findings.ts';
import { type Location, pointerOf, siblingsCount, visitChildren } from './openapi-fields.ts';
import type { ObjectType } from './openapi-objects.ts';

export interface Reference {
  readonly node: JsonObject;
  readonly ref: string;
  readonly type: ObjectType;
  readonly location: Location;
  /** Where the schema stands that a `#` in it may mean: the nearest with an `$id`, or the outermost. */
  readonly scope: Location;
}

/** Names that schemas give themselves, with the pointers of the schemas. */
export interface Identifiers {
  readonly anchors: Map<string, string>;
  /** Both as they are written and as they are resolved. */
  readonly ids: Map<string, string>;
  /** What relative references in a schema with an `$id` are resolved against, by where it stands. */
  readonly bases: Map<Location, string>;
}

/** For descriptions that name no address of their own. */
const NOWHERE = 'http://relative.invalid/';

/** Remembers the name that a schema, or the document, gives itself. */
export const collectId = (
  id: string,
  location: Location,
  scope: Location,
  { ids, bases }: Identifiers,
): void => {
  const name = id.replace(/#.*$/s, '');
  const base = absolute(name, scope, bases);
  ids.set(name, pointerOf(location));
  if (base === undefined) return;
  ids.set(base, pointerOf(location));
  bases.set(location, base);
};

/** Source: JSON Schema 2020-12 §8.2.1; RFC 3986 §5. */
const absolute = (id: string, scope: Location, bases: Identifiers['bases']): string | undefined =>
  URL.parse(id, bases.get(scope) ?? bases.get('') ?? NOWHERE)?.href;

/**
 * Finds what a reference points at, and writes a pointer in the place of any other kind of reference
 * (`#anchor`, a schema's own `$id`), so that those who come later need to know pointers only.
 *
 * @returns the reference as a pointer (`#/...`), 'external', or what is wrong with it
 *
 * Source: JSON Schema 2020-12 §8.2.
 */
export const resolveReference = (
  root: JsonObject,
  reference: Reference,
  identifiers: Identifiers,
  warnings: Warnings,
): string | 'external' | Finding => {
  const { node, ref, location } = reference;
  const found = pointerFor(root, reference, identifiers);
  const meant = found === undefined || found === 'external' ? meantBy(root, reference) : undefined;
  if (meant !== undefined) {
    const what = `refers to ${JSON.stringify(ref)}; read as ${JSON.stringify(meant)}`;
    warnings.add(pointerOf(location), what, 'Correct the reference.');
  }
  const resolved = meant ?? found;
  if (resolved === 'external') return resolved;
  if (resolved === undefined) {
    return finding(
      pointerOf(location),
      `refers to ${JSON.stringify(ref)}, which does not exist`,
      'Correct the reference, or add what it refers to.',
    );
  }
  if (resolved !== ref) (node as Record<string, Json>)['$ref'] = resolved;
  return resolved;
};

/** Where components stand that are referred to by their name alone, as in Swagger 1.2. */
const NAMED: Readonly<Partial<Record<ObjectType, readonly string[]>>> = {
  schema: ['definitions', 'components/schemas'],
  parameter: ['parameters', 'components/parameters'],
};

/** A pointer without its `#/`, or a component by its name alone. */
const meantBy = (root: JsonObject, { ref, type }: Reference): string | undefined => {
  const path = ref.replace(/^#?\/*/, '');
  const isPath = /^(?:components|definitions|parameters|responses)\//.test(path);
  const places = /^[\w.-]+$/.test(ref) ? (NAMED[type] ?? []) : [];
  const pointers = [
    ...(isPath ? [`#/${path}`] : []),
    ...places.map((place) => `#/${place}/${ref}`),
  ];
  return pointers.find((pointer) => isObject(resolveFragment(root, pointer)));
};

/** What is wrong with what references end at, once all are resolved, each as far as it can be. */
export const targetChecker = (
  root: JsonObject,
  warnings: Warnings,
): ((reference: Reference) => Finding | undefined) => {
  const findTarget = targetFinder(root);
  return ({ node, ref, type, location }) => {
    const { node: end, hops } = findTarget(textMember(node, '$ref'));
    if (hops > MAX_HOPS) {
      const what = `refers to ${JSON.stringify(ref)}, which only leads on and on`;
      const hint = 'Let the last reference point at a definition.';
      // A schema that is nothing but itself allows everything: circles are no error.
      if (type !== 'schema') return finding(pointerOf(location), what, hint);
      warnings.add(pointerOf(location), `${what}; any value is accepted`, hint);
      // A chain that leads nowhere is reported at its last reference.
    } else if (end !== undefined && !isObject(end) && !isBooleanSchema(end, type)) {
      return finding(
        pointerOf(location),
        `refers to ${JSON.stringify(ref)}, which is no ${type} object`,
        'Correct the reference.',
      );
    }
    return undefined;
  };
};

const isBooleanSchema = (node: Json, type: ObjectType): boolean =>
  type === 'schema' && typeof node === 'boolean';

interface Target {
  readonly node: Json | undefined;
  readonly hops: number;
}

const NEVER: Target = { node: undefined, hops: Infinity };

/** Finds what references end at. Each is followed once, so that long chains cost no more than short ones. */
const targetFinder = (root: JsonObject): ((ref: string) => Target) => {
  const ends = new Map<string, Target>();
  return (ref) => {
    const passed: string[] = [];
    let end: Target | undefined;
    for (let at = ref; end === undefined;) {
      end = ends.get(at);
      if (end !== undefined) break;
      passed.push(at);
      // Whoever comes by again before its end is known goes round in a circle.
      ends.set(at, NEVER);
      const node = resolveFragment(root, at);
      const next = isObject(node) ? member(node, '$ref') : undefined;
      if (typeof next === 'string') at = next;
      else end = { node, hops: 0 };
    }
    for (const at of passed.reverse()) {
      end = { node: end.node, hops: end.hops + 1 };
      ends.set(at, end);
    }
    return end;
  };
};

const pointerFor = (
  root: JsonObject,
  { ref, type, scope }: Reference,
  { anchors, ids, bases }: Identifiers,
): string | undefined => {
  const hash = ref.indexOf('#');
  const id = hash === -1 ? ref : ref.slice(0, hash);
  const fragment = hash === -1 ? '' : ref.slice(hash + 1);

  if (id !== '') {
    const base = ids.get(id) ?? ids.get(absolute(id, scope, bases) ?? id);
    return base === undefined ? 'external' : within(root, base, fragment, anchors);
  }
  // An empty reference (`$ref: ''`) is the document itself, as `#` is, and so is no schema.
  if (fragment === '' && type === 'schema') return `#${pointerOf(scope)}`;
  return within(root, '', fragment, anchors) ?? within(root, pointerOf(scope), fragment, anchors);
};

const within = (
  root: JsonObject,
  base: string,
  fragment: string,
  anchors: ReadonlyMap<string, string>,
): string | undefined => {
  const anchor = anchors.get(fragment);
  const resolved =
    fragment === '' || fragment.startsWith('/')
      ? `#${base}${fragment}`
      : anchor !== undefined && `#${anchor}`;
  return resolved !== false && resolveFragment(root, resolved) !== undefined ? resolved : undefined;
};

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
      const taken = type === 'schema' ? 'any value is accepted' : 'it is ignored';
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
