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
  /** Schema that `#` refers to: the nearest with an `$id`, or the outermost. */
  readonly scope: Location;
}

/** Names that schemas give themselves, with their JSON pointers. */
export interface Identifiers {
  readonly anchors: Map<string, string>;
  /** By the `$id` as written, and as resolved. */
  readonly ids: Map<string, string>;
  /** Base URIs for relative references, by the location of the schema with the `$id`. */
  readonly bases: Map<Location, string>;
}

/** Base URI of descriptions that name none themselves. */
const NOWHERE = 'http://relative.invalid/';

/** Registers the `$id` of a schema, or the `$self` of the document. */
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
 * Resolves a reference, and replaces references by name (`#anchor`, an `$id`) with pointers, the only kind that later
 * code knows.
 * @returns the pointer (`#/...`), 'external', or a finding
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

/** Places of components, by which those of another dialect or of a bare name are found, as in Swagger 1.2. */
const NAMED: Readonly<Partial<Record<ObjectType, readonly string[]>>> = {
  schema: ['definitions', 'components/schemas'],
  parameter: ['parameters', 'components/parameters'],
  response: ['responses', 'components/responses'],
  requestBody: ['components/requestBodies'],
};

/** A component where its dialect has none: `#/definitions/Pet` in OpenAPI 3, or `#/components/schema/Pet`. */
const ELSEWHERE = /^#\/(?:definitions|parameters|responses|components\/\w+|schemas)\/([^/]+)$/;

/** Repairs a pointer that lacks `#/` or leads to the wrong place, or a bare component name. */
const meantBy = (root: JsonObject, { ref, type }: Reference): string | undefined => {
  const path = ref.replace(/^#?\/*/, '');
  const isPath = /^(?:components|definitions|parameters|responses)\//.test(path);
  const name = /^[\w.-]+$/.test(ref) ? ref : ELSEWHERE.exec(ref)?.[1];
  const places = name === undefined ? [] : (NAMED[type] ?? []);
  const pointers = [
    ...(isPath ? [`#/${path}`] : []),
    ...places.map((place) => `#/${place}/${name}`),
  ];
  return pointers.find((pointer) => isObject(resolveFragment(root, pointer)));
};

/** Checks the targets of references, once every reference is resolved as far as possible. */
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
      // A schema that only refers to itself allows any value.
      if (type !== 'schema') return finding(pointerOf(location), what, hint);
      warnings.add(pointerOf(location), `${what}; any value is accepted`, hint);
      // Dangling chains are reported at their last reference.
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

/** Finds the end of reference chains. Each reference is followed once, so that long chains are cheap. */
const targetFinder = (root: JsonObject): ((ref: string) => Target) => {
  const ends = new Map<string, Target>();
  return (ref) => {
    const passed: string[] = [];
    let end: Target | undefined;
    for (let at = ref; end === undefined;) {
      end = ends.get(at);
      if (end !== undefined) break;
      passed.push(at);
      // Meeting this entry again means that the chain is a cycle.
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
  // An empty reference means the document, as `#` does, which is no schema.
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

/** A reference that is dangling, or leads to no object or only on and on. */
export interface UnresolvedReference {
  readonly type: ObjectType;
  readonly finding: Finding;
}

export type UnresolvedReferences = ReadonlyMap<object, UnresolvedReference>;

/** Path items, operations, parameters, request bodies and their parts that an unresolved reference makes unknown. */
export type UnknownRequests = ReadonlyMap<object, Finding>;

/** Types that calls do not use: an unresolved reference in them does no harm. */
const UNUSED: ReadonlySet<ObjectType> = new Set(['callback', 'example', 'link']);

/** Types that do not affect the request, and schemas, which allow any value where unknown. */
const NOT_SENT: ReadonlySet<ObjectType> = new Set([...UNUSED, 'response', 'schema']);

/** Types that an unknown part does not make unknown: it excludes only the operation that has it. */
const OPERATIONS: ReadonlySet<ObjectType> = new Set(['pathItem', 'operation']);

/**
 * Decides about unresolved references, with warnings: unknown schemas allow any value, unknown responses are dropped.
 * @returns the unknown parts of requests, whose operations are excluded
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
  // The map grows while it is iterated: whatever contains an unknown part is unknown too.
  for (const [node, finding] of unknown) {
    for (const whole of sent.get(node) ?? []) {
      if (!unknown.has(whole)) unknown.set(whole, finding);
    }
  }
  return unknown;
};

/** Removes a reference; of its siblings only those that have a meaning are kept. */
const forgetReference = (node: object, siblings: boolean): void => {
  const members = node as Record<string, Json>;
  for (const key of Object.keys(members)) {
    if (key === '$ref' || (!siblings && key !== 'description')) delete members[key];
  }
};

/** Finds all objects reachable from paths, each with those that contain it within one operation. */
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
  // Iterative: references can form a chain of any length.
  for (const { node, type } of open) {
    const ref = member(node, '$ref');
    if (typeof ref === 'string') enter(resolveFragment(root, ref) ?? null, type, node);
    if (typeof ref === 'string' && !siblingsCount(type, dialect)) continue;
    const whole = OPERATIONS.has(type) ? undefined : node;
    visitChildren(node, type, '', (child, childType) => enter(child, childType, whole));
  }
  return wholes;
};
