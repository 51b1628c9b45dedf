import type { Schema } from './schema.ts';
import { partsOf } from './subschemas.ts';

/** Every `$ref` that a schema leads to without a property in between that may be left out. */
export const requiredReferences = (schema: Schema): ReadonlySet<string> => {
  const refs = new Set<string>();
  const open = [schema];
  for (let part = open.pop(); part; part = open.pop()) {
    const { $ref, required } = part;
    if (typeof $ref === 'string') refs.add($ref);
    const names: readonly unknown[] = Array.isArray(required) ? required : [];
    for (const { keyword, key, schema: inside } of partsOf(part)) {
      if (keyword !== 'properties' || names.includes(key)) open.push(inside);
    }
  }
  return refs;
};
