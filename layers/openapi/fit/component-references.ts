import { type LinkedSchema, partsOf } from '../schema/linked-schema.ts';

/** How often these schemas refer to each component, directly. */
export const countReferences = (schemas: readonly LinkedSchema[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  const seen = new Set<LinkedSchema>();
  const open = [...schemas];
  for (let part = open.pop(); part; part = open.pop()) {
    if (part.ref !== undefined) counts.set(part.ref, (counts.get(part.ref) ?? 0) + 1);
    const inside = seen.has(part) ? [] : partsOf(part);
    seen.add(part);
    for (const one of inside) open.push(one);
  }
  return counts;
};

/** The components that a schema leads to without a property in between that may be left out. */
export const requiredComponents = (schema: LinkedSchema): ReadonlySet<string> => {
  const refs = new Set<string>();
  const seen = new Set<LinkedSchema>();
  const open = [schema];
  for (let part = open.pop(); part; part = open.pop()) {
    if (part.ref !== undefined) refs.add(part.ref);
    if (seen.has(part)) continue;
    seen.add(part);
    const { required } = part.keywords;
    const names = new Set(Array.isArray(required) ? required : []);
    const properties = (part.properties ?? []).filter(({ name }) => names.has(name));
    for (const one of partsOf({ ...part, properties })) open.push(one);
  }
  return refs;
};
