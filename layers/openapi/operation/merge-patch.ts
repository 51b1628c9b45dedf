import { isObject, type Json, member } from '../../platform/rules/json/json.ts';
import { readTypes } from '../json-schema/types.ts';
import type { Schemas } from '../schema/translate-schemas.ts';

export const REMOVES = 'null removes what it is given for, where it is allowed.';

const MAX_DEPTH = 3;

/** Members that are written in place for one body; schemas that would have more stay as they are described. */
const MOST_IN_PLACE = 300;

/**
 * The schema of a merge patch: each entry of a map takes null too, which removes it. A named member takes it only if it
 * is described so: clients that cannot leave anything out send null for all others.
 *
 * Source: RFC 7396 §1.
 */
export const withNulls = (
  schemas: Pick<Schemas, 'flat'>,
  schema: Json | undefined,
): Json | undefined => {
  const within = new Set<Json>();
  let left = MOST_IN_PLACE;
  const patchOf = (node: Json, depth: number): Json => {
    if (!isObject(node) || depth > MAX_DEPTH) return node;
    const flat = schemas.flat(node);
    const properties = member(flat, 'properties');
    const further = member(flat, 'additionalProperties');
    if (!isObject(properties) && !isObject(further)) return node;
    // A schema that contains itself would go on forever.
    const self = node['$ref'] ?? flat;
    const count = Object.keys(isObject(properties) ? properties : {}).length + 1;
    if (within.has(self) || (depth > 0 && count > left)) return node;
    left -= count;
    within.add(self);
    const members = Object.entries(isObject(properties) ? properties : {}).map(
      ([name, part]) => [name, patchOf(part, depth + 1)] as const,
    );
    within.delete(self);
    return {
      ...flat,
      ...(isObject(properties) && { properties: Object.fromEntries(members) }),
      ...(isObject(further) && {
        additionalProperties: orNull(schemas, patchOf(further, depth + 1)),
      }),
    };
  };
  if (!isObject(schema)) return schema;
  const known = patches.get(schemas) ?? new Map<Json, Json>();
  patches.set(schemas, known);
  // Bodies that refer to the same schema have one patch, which is translated once.
  const key = Object.keys(schema).length === 1 ? (schema['$ref'] ?? schema) : schema;
  const patch = known.get(key) ?? patchOf(schema, 0);
  known.set(key, patch);
  return patch;
};

const patches = new WeakMap<Pick<Schemas, 'flat'>, Map<Json, Json>>();

/** A schema that takes null as well; one that names no type takes it already. */
const orNull = (schemas: Pick<Schemas, 'flat'>, schema: Json): Json => {
  if (!isObject(schema)) return schema;
  const flat = schemas.flat(schema);
  const types = readTypes(flat);
  const isFixed = Object.hasOwn(flat, 'const');
  if (types.length === 0 || types.includes('null') || isFixed) return schema;
  const values = member(flat, 'enum');
  return { ...flat, nullable: true, ...(Array.isArray(values) && { enum: [...values, null] }) };
};
