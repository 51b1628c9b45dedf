import { ApiRefusal, type Finding } from '../../platform/rules/refusal/api-refusal.ts';
import { isObject, type Json, type JsonObject, member } from '../../platform/rules/json/json.ts';
import { resolveFragment } from '../../platform/rules/json/pointer.ts';
import type { Dialect } from '../document.ts';
import { finding, type Warnings } from './findings.ts';
import { type Location, pointerOf, siblingsCount, visitChildren } from './openapi-fields.ts';
import { repairFields } from './repair-fields.ts';
import type { ObjectType } from './openapi-objects.ts';
import { repairSchemaLists } from './repair-lists.ts';
import {
  collectId,
  type Identifiers,
  type Reference,
  resolveReference,
  targetChecker,
  type UnresolvedReference,
  type UnresolvedReferences,
} from './references.ts';

interface WalkInput {
  readonly root: JsonObject;
  readonly dialect: Dialect;
  readonly keysIn: (node: JsonObject) => number;
  readonly maxDepth: number;
}

/**
 * Walks all objects of a description, used or not, then what references point to outside of them, and resolves every
 * reference: see `resolveReference`.
 *
 * Depth: an outermost schema is level 1, a schema directly inside one is a level more; references are not followed.
 * Source: docs/decisions/descriptions.md, "Size and depth".
 *
 * Schema keys: all object keys inside outermost schemas, at any depth: keywords, property names, and keys of examples,
 * defaults and extensions. Items Objects of OpenAPI 2.0 are schemas. YAML aliases count each time. Source:
 * docs/decisions/storage.md, "Where versions are stored".
 * @throws ApiRefusal `description_too_deep`, `external_reference`
 */
export const walkDocument = (
  { root, dialect, keysIn, maxDepth }: WalkInput,
  warnings: Warnings,
): { readonly schemaKeys: number; readonly unresolved: UnresolvedReferences } => {
  const references: Reference[] = [];
  const identifiers: Identifiers = { anchors: new Map(), ids: new Map(), bases: new Map() };
  const dynamic = dynamicReferences();
  const seen = new Set<object>();
  const tooDeep: Finding[] = [];
  const external: Finding[] = [];
  let schemaKeys = 0;

  const walk = (
    node: Json,
    type: ObjectType,
    location: Location,
    level: number,
    scope: Location,
  ): void => {
    if (!isObject(node)) {
      const pointer = pointerOf(location);
      if (isMisplacedReference(node, pointer)) external.push(externalFinding(pointer, node));
      else if (type !== 'schema' || typeof node !== 'boolean') {
        warnings.add(pointer, `no ${type} object; it is ignored`, 'Write an object, or remove it.');
      }
      return;
    }
    seen.add(node);
    repairFields(node, type, location, warnings);
    const ref = member(node, '$ref');
    const refers = typeof ref === 'string';
    let inner = scope;
    if (type === 'schema') {
      if (level === 1) schemaKeys += keysIn(node);
      if (level === 1 || typeof member(node, '$id') === 'string') inner = location;
      if (level > maxDepth && !refers) {
        tooDeep.push(tooDeepFinding(pointerOf(location), maxDepth));
        return;
      }
      repairSchemaLists(node, () => pointerOf(location), warnings);
      collectIdentifiers(node, location, scope, identifiers);
      dynamic.collect(node, location, inner);
    }
    if (refers) references.push({ node, ref, type, location, scope: inner });
    if (refers && !siblingsCount(type, dialect)) return;
    const below = type === 'schema' ? level + 1 : 1;
    visitChildren(node, type, location, (child, childType, at) =>
      walk(child, childType, at, below, inner),
    );
  };

  const self = member(root, '$self');
  if (typeof self === 'string') collectId(self, '', '', identifiers);
  walk(root, 'description', '', 1, '');
  for (const reference of dynamic.resolved((anchor) => identifiers.anchors.has(anchor), warnings))
    references.push(reference);

  const unresolved = new Map<object, UnresolvedReference>();
  /** Pointers whose targets were visited. */
  const knownPointers = new Set<string>();
  // The list grows while it is iterated: a target may be outside of all known places.
  for (const reference of references) {
    const { node, ref, type, location } = reference;
    if (knownPointers.has(ref)) continue;
    const resolved = resolveReference(root, reference, identifiers, warnings);
    if (resolved === 'external') external.push(externalFinding(pointerOf(location), ref));
    else if (typeof resolved !== 'string') unresolved.set(node, { type, finding: resolved });
    else {
      const end = resolveFragment(root, resolved);
      if (isObject(end) && !seen.has(end)) walk(end, type, resolved.slice(1), 1, '');
      // A pointer means the same everywhere, unlike `#` and names.
      if (resolved === ref && ref.startsWith('#/')) knownPointers.add(ref);
    }
  }

  const checkTarget = targetChecker(root, warnings);
  for (const reference of external.length > 0 ? [] : references) {
    const { node, type } = reference;
    const wrong = unresolved.has(node) ? undefined : checkTarget(reference);
    if (wrong) unresolved.set(node, { type, finding: wrong });
  }

  if (tooDeep.length > 0) {
    throw new ApiRefusal(
      'description_too_deep',
      `The description nests schemas more than ${maxDepth} levels deep.`,
      tooDeep,
    );
  }
  if (external.length > 0) {
    throw new ApiRefusal(
      'external_reference',
      'The description refers to other files or addresses, which are never fetched.',
      external,
    );
  }
  return { schemaKeys, unresolved };
};

/** Whether a map of objects has a `$ref`, as in `schemas: {$ref: schemas.yaml}`. A property may have that name. */
const isMisplacedReference = (node: unknown, pointer: string): node is string =>
  typeof node === 'string' &&
  !node.startsWith('#') &&
  pointer.endsWith('/$ref') &&
  !pointer.endsWith('/properties/$ref');

const collectIdentifiers = (
  schema: JsonObject,
  location: Location,
  scope: Location,
  identifiers: Identifiers,
): void => {
  const { anchors } = identifiers;
  const id = member(schema, '$id');
  if (typeof id === 'string') collectId(id, location, scope, identifiers);
  for (const keyword of ['$anchor', '$dynamicAnchor']) {
    const anchor = member(schema, keyword);
    if (typeof anchor === 'string' && !anchors.has(anchor))
      anchors.set(anchor, pointerOf(location));
  }
};

const externalFinding = (pointer: string, ref: string): Finding =>
  finding(
    pointer,
    `refers to ${JSON.stringify(ref)}`,
    'Bundle everything into one document and refer to it with `#/...`.',
  );

const tooDeepFinding = (pointer: string, maxDepth: number): Finding =>
  finding(
    pointer,
    `schema at level ${maxDepth + 1}; at most ${maxDepth} levels are accepted`,
    'Move nested schemas into components and refer to them with `$ref`.',
  );

/**
 * Collects the `$dynamicRef`s of a description. One whose anchor exists once becomes a plain `$ref`. Others depend on
 * the schema that contains them, and are left to code that knows it.
 * Source: JSON Schema 2020-12 §8.2.3.2.
 */
const dynamicReferences = () => {
  const found: Reference[] = [];
  const anchors = new Map<string, number>();
  return {
    collect: (node: JsonObject, location: Location, scope: Location): void => {
      const anchor = member(node, '$dynamicAnchor');
      if (typeof anchor === 'string') anchors.set(anchor, (anchors.get(anchor) ?? 0) + 1);
      const ref = member(node, '$dynamicRef');
      if (typeof ref !== 'string' || Object.hasOwn(node, '$ref')) return;
      found.push({ node, ref, type: 'schema', location, scope });
    },

    /** Returns the dynamic references that are now plain ones. @param isNamed - whether a schema has this anchor */
    resolved: (isNamed: (anchor: string) => boolean, warnings: Warnings): readonly Reference[] =>
      found.filter(({ node, ref, location }) => {
        const anchor = /^#([^/].*)$/s.exec(ref)?.[1];
        const places = anchors.get(ref.slice(ref.indexOf('#') + 1)) ?? 0;
        const isNowhere = anchor !== undefined && !isNamed(anchor);
        if (places > 1 || isNowhere) {
          const which = isNowhere ? 'means no schema' : `may mean any of ${places} schemas`;
          const taken = isNowhere
            ? 'any value is accepted'
            : 'read as the one around it, or any value is accepted';
          warnings.add(
            pointerOf(location),
            `${JSON.stringify(ref)} ${which}; ${taken}`,
            'Refer to a schema with `$ref`.',
          );
          return false;
        }
        const members = node as Record<string, Json>;
        delete members['$dynamicRef'];
        members['$ref'] = ref;
        return true;
      }),
  };
};
