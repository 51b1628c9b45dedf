import { isObject, type Json, type JsonObject, member, resolve } from '../document.ts';
import { listOf } from './merge-schemas.ts';

/** Schemas that are followed from one; beyond, everything counts as reached. */
const MOST_STEPS = 2_000;
/** Of all that is remembered, so that dense descriptions cost no more memory than others. */
const MOST_REMEMBERED = 500_000;

/** How a schema leads to another. */
export type Reached = 'yes' | 'no' | 'too far to tell';

interface Reach {
  readonly seen: ReadonlySet<Json>;
  readonly isWhole: boolean;
}

/**
 * Finds whether a schema applies another one to the very same value, directly or through others: by
 * reference and in these ways. What was found from a schema is remembered, since each of many
 * alternatives that refer to each other asks for it.
 *
 * @param ways - keywords that hold lists of schemas
 */
export const inPlace = (
  root: JsonObject,
  ways: readonly string[],
): ((from: JsonObject, to: JsonObject) => Reached) => {
  const reaches = new Map<JsonObject, Reach>();
  let remembered = 0;

  const reachOf = (from: JsonObject): Reach => {
    const known = reaches.get(from);
    if (known) return known;
    const seen = new Set<Json>();
    const open: Json[] = [from];
    for (let at = open.pop(); at !== undefined && seen.size <= MOST_STEPS; at = open.pop()) {
      if (!isObject(at) || seen.has(at)) continue;
      seen.add(at);
      const next = targetOf(at);
      if (next !== undefined) open.push(next);
      for (const way of ways) for (const part of listOf(member(at, way))) open.push(part);
    }
    const reach = { seen, isWhole: seen.size <= MOST_STEPS };
    remembered += seen.size;
    if (remembered > MOST_REMEMBERED) {
      reaches.clear();
      remembered = seen.size;
    }
    reaches.set(from, reach);
    return reach;
  };

  const targetOf = (schema: JsonObject): Json | undefined => {
    const ref = member(schema, '$ref');
    return typeof ref === 'string' ? resolve(root, ref) : undefined;
  };

  /** What a schema that is nothing but a reference stands for: it reaches no more than that. */
  const meant = (schema: JsonObject, to: JsonObject): JsonObject => {
    if (schema === to || Object.keys(schema).length > 1) return schema;
    const target = targetOf(schema);
    return isObject(target) ? target : schema;
  };

  return (from, to) => {
    const { seen, isWhole } = reachOf(meant(from, to));
    if (from === to || seen.has(to)) return 'yes';
    return isWhole ? 'no' : 'too far to tell';
  };
};
