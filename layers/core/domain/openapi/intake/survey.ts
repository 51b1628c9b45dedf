import type { Finding } from '../../refusal.ts';
import {
  type Dialect,
  isObject,
  type Json,
  type JsonObject,
  member,
  resolve,
} from '../document.ts';
import { finding, refusal, type Warnings } from './findings.ts';
import { type Kind, pointerOf, readsBesideReference, type Spot, visitChildren } from './grammar.ts';
import { dynamicReferences } from './dynamic-references.ts';
import {
  type Broken,
  endChecker,
  type Names,
  nameSchema,
  type Reference,
  settle,
} from './references.ts';

/** What a walk through every object of a description tells. */
export interface Survey {
  readonly schemaKeys: number;
  /** References that point at nothing. */
  readonly broken: Broken;
}

interface Surveyed {
  readonly root: JsonObject;
  readonly dialect: Dialect;
  /** How many object keys there are in a node, at any depth. */
  readonly keysIn: (node: JsonObject) => number;
  readonly maxDepth: number;
}

/**
 * Walks through every object of a description, whether an operation uses it or not, and then through
 * what references point at outside of them. On the way every reference is settled: see `settle`.
 *
 * Depth: a schema that stands in no other is level 1, each schema directly in a schema one level more; a
 * reference ends the counting. Source: D29, D42.
 *
 * Schema keys: for each schema that stands in no other, all keys of its objects at any depth: keywords,
 * names of properties, and the keys of examples, defaults and extensions in it. Items Objects of
 * OpenAPI 2.0 are schemas too. Aliases count as often as they stand. Source: D31.
 *
 * @throws ApiRefusal `description_too_deep`, `external_reference`
 */
export const survey = (
  { root, dialect, keysIn, maxDepth }: Surveyed,
  warnings: Warnings,
): Survey => {
  const references: Reference[] = [];
  const names: Names = { anchors: new Map(), ids: new Map(), bases: new Map() };
  const dynamic = dynamicReferences();
  const seen = new Set<object>();
  const tooDeep: Finding[] = [];
  const external: Finding[] = [];
  let schemaKeys = 0;

  const walk = (node: Json, kind: Kind, spot: Spot, level: number, scope: Spot): void => {
    if (!isObject(node)) {
      const pointer = pointerOf(spot);
      if (isMisplacedReference(node, pointer)) external.push(externalFinding(pointer, node));
      else if (kind !== 'schema' || typeof node !== 'boolean') {
        warnings.add(pointer, `no ${kind} object; it is ignored`, 'Write an object, or remove it.');
      }
      return;
    }
    seen.add(node);
    const ref = member(node, '$ref');
    const refers = typeof ref === 'string';
    let inner = scope;
    if (kind === 'schema') {
      if (level === 1) schemaKeys += keysIn(node);
      if (level === 1 || typeof member(node, '$id') === 'string') inner = spot;
      if (level > maxDepth && !refers) {
        tooDeep.push(tooDeepFinding(pointerOf(spot), maxDepth));
        return;
      }
      collectNames(node, spot, scope, names);
      dynamic.collect(node, spot, inner);
    }
    if (refers) references.push({ node, ref, kind, spot, scope: inner });
    if (refers && !readsBesideReference(kind, dialect)) return;
    const below = kind === 'schema' ? level + 1 : 1;
    visitChildren(node, kind, spot, (child, childKind, at) =>
      walk(child, childKind, at, below, inner),
    );
  };

  const self = member(root, '$self');
  if (typeof self === 'string') nameSchema(self, '', '', names);
  walk(root, 'description', '', 1, '');
  for (const reference of dynamic.settled((anchor) => names.anchors.has(anchor), warnings))
    references.push(reference);

  const broken = new Map<object, Finding>();
  /** Pointers that lead to something that was seen. */
  const settledBefore = new Set<string>();
  // Grows while it is walked: what a reference points at may lie outside of all known places.
  for (const reference of references) {
    const { node, ref, kind, spot } = reference;
    if (settledBefore.has(ref)) continue;
    const settled = settle(root, reference, names);
    if (settled === 'external') external.push(externalFinding(pointerOf(spot), ref));
    else if (typeof settled !== 'string') broken.set(node, settled);
    else {
      const end = resolve(root, settled);
      if (isObject(end) && !seen.has(end)) walk(end, kind, settled.slice(1), 1, '');
      // A pointer means the same wherever it stands, other than `#` and names.
      if (settled === ref && ref.startsWith('#/')) settledBefore.add(ref);
    }
  }

  const wrongEnd = endChecker(root, warnings);
  for (const reference of external.length > 0 ? [] : references) {
    const wrong = broken.has(reference.node) ? undefined : wrongEnd(reference);
    if (wrong) broken.set(reference.node, wrong);
  }

  if (tooDeep.length > 0) {
    throw refusal(
      'description_too_deep',
      `The description nests schemas more than ${maxDepth} levels deep.`,
      tooDeep,
    );
  }
  if (external.length > 0) {
    throw refusal(
      'external_reference',
      'The description refers to other files or addresses, which are never fetched.',
      external,
    );
  }
  return { schemaKeys, broken };
};

/** A `$ref` in a map of objects, as in `schemas: {$ref: schemas.yaml}`; a property may have that name. */
const isMisplacedReference = (node: unknown, pointer: string): node is string =>
  typeof node === 'string' &&
  !node.startsWith('#') &&
  pointer.endsWith('/$ref') &&
  !pointer.endsWith('/properties/$ref');

const collectNames = (schema: JsonObject, spot: Spot, scope: Spot, names: Names): void => {
  const { anchors } = names;
  const id = member(schema, '$id');
  if (typeof id === 'string') nameSchema(id, spot, scope, names);
  for (const keyword of ['$anchor', '$dynamicAnchor']) {
    const anchor = member(schema, keyword);
    if (typeof anchor === 'string' && !anchors.has(anchor)) anchors.set(anchor, pointerOf(spot));
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
