import { isObject, type Json, type JsonObject, member } from '../../platform/rules/json/json.ts';
import { resolveFragment } from '../../platform/rules/json/pointer.ts';

/** Schemas that are followed from one; beyond, everything counts as reached. */
const MOST_STEPS = 2_000;
/** Of all that is remembered, so that dense descriptions cost no more memory than others. */
const MOST_REMEMBERED = 500_000;

/** Whether a schema leads to another. */
export type Reach = 'yes' | 'no' | 'unknown';

/** The schemas that one applies to the very same value. */
interface Reached {
  readonly schemas: ReadonlySet<Json>;
  readonly isWhole: boolean;
}

/**
 * Finds whether a schema applies another one to the very same value, directly or through others: by
 * reference and by in-place applicators. What was found from a schema is remembered, since each of many
 * alternatives that refer to each other asks for it.
 *
 * @param applicators - keywords that hold lists of schemas
 *
 * Source: JSON Schema 2020-12 Core §10.2, "Keywords for Applying Subschemas in Place".
 */
export const applicatorReach = (
  root: JsonObject,
  applicators: readonly string[],
): ((from: JsonObject, to: JsonObject) => Reach) => {
  const known = new Map<JsonObject, Reached>();
  let remembered = 0;

  const reachedFrom = (from: JsonObject): Reached => {
    const before = known.get(from);
    if (before) return before;
    const reached = follow(root, applicators, from);
    remembered += reached.schemas.size;
    if (remembered > MOST_REMEMBERED) {
      known.clear();
      remembered = reached.schemas.size;
    }
    known.set(from, reached);
    return reached;
  };

  return (from, to) => {
    const { schemas, isWhole } = reachedFrom(meantBy(root, from, to));
    if (from === to || schemas.has(to)) return 'yes';
    return isWhole ? 'no' : 'unknown';
  };
};

const follow = (root: JsonObject, applicators: readonly string[], from: JsonObject): Reached => {
  const schemas = new Set<Json>();
  const open: Json[] = [from];
  for (let at = open.pop(); at !== undefined && schemas.size <= MOST_STEPS; at = open.pop()) {
    if (!isObject(at) || schemas.has(at)) continue;
    schemas.add(at);
    const target = targetOf(root, at);
    if (target !== undefined) open.push(target);
    for (const keyword of applicators) {
      const parts = member(at, keyword);
      if (Array.isArray(parts)) for (const part of parts) open.push(part);
    }
  }
  return { schemas, isWhole: schemas.size <= MOST_STEPS };
};

const targetOf = (root: JsonObject, schema: JsonObject): Json | undefined => {
  const ref = member(schema, '$ref');
  return typeof ref === 'string' ? resolveFragment(root, ref) : undefined;
};

/** What a schema that is nothing but a reference stands for: it reaches no more than that. */
const meantBy = (root: JsonObject, schema: JsonObject, to: JsonObject): JsonObject => {
  if (schema === to || Object.keys(schema).length > 1) return schema;
  const target = targetOf(root, schema);
  return isObject(target) ? target : schema;
};
