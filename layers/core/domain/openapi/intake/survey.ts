import type { Finding } from '../../refusal.ts';
import { type Dialect, isObject, type JsonObject, member, resolve } from '../document.ts';
import { finding, refusal, type Warnings } from './findings.ts';
import { children, type Place, readsBesideReference } from './grammar.ts';
import { type Broken, type Names, type Reference, settle } from './references.ts';
import type { Extent } from './tame.ts';

/** What a walk through every object of a description tells. */
export interface Survey {
  readonly schemaKeys: number;
  /** References that point at nothing. */
  readonly broken: Broken;
}

interface Surveyed {
  readonly root: JsonObject;
  readonly dialect: Dialect;
  readonly extents: ReadonlyMap<object, Extent>;
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
  { root, dialect, extents, maxDepth }: Surveyed,
  warnings: Warnings,
): Survey => {
  const references: Reference[] = [];
  const names: Names = { anchors: new Map(), ids: new Map() };
  const seen = new Set<object>();
  const tooDeep: Finding[] = [];
  const external: Finding[] = [];
  let schemaKeys = 0;

  const walk = ({ node, kind, pointer }: Place, level: number, scope: string): void => {
    if (!isObject(node)) {
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
      if (level === 1) schemaKeys += extents.get(node)?.keys ?? 0;
      if (level === 1 || typeof member(node, '$id') === 'string') inner = pointer;
      if (level > maxDepth && !refers) {
        tooDeep.push(tooDeepFinding(pointer, maxDepth));
        return;
      }
      collectNames(node, pointer, names);
    }
    if (refers) references.push({ node, ref, kind, pointer, scope: inner });
    if (refers && !readsBesideReference(kind, dialect)) return;
    for (const child of children(node, kind, pointer)) {
      walk(child, kind === 'schema' ? level + 1 : 1, inner);
    }
  };

  const self = member(root, '$self');
  if (typeof self === 'string') names.ids.set(withoutFragment(self), '');
  walk({ node: root, kind: 'description', pointer: '' }, 1, '');

  const broken = new Map<object, Finding>();
  // Grows while it is walked: what a reference points at may lie outside of all known places.
  for (const reference of references) {
    const settled = settle(root, reference, names, warnings);
    if (settled === 'external') external.push(externalFinding(reference.pointer, reference.ref));
    else if (typeof settled !== 'string') broken.set(reference.node, settled);
    else {
      const node = resolve(root, settled);
      if (isObject(node) && !seen.has(node)) {
        walk({ node, kind: reference.kind, pointer: settled.slice(1) }, 1, '');
      }
    }
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

const collectNames = (schema: JsonObject, pointer: string, { anchors, ids }: Names): void => {
  const id = member(schema, '$id');
  if (typeof id === 'string') ids.set(withoutFragment(id), pointer);
  for (const keyword of ['$anchor', '$dynamicAnchor']) {
    const anchor = member(schema, keyword);
    if (typeof anchor === 'string' && !anchors.has(anchor)) anchors.set(anchor, pointer);
  }
};

const withoutFragment = (url: string): string => url.replace(/#.*$/s, '');

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
