import { type Json, type JsonObject, member } from '../document.ts';
import type { LinkedSchema } from './linked-schema.ts';

/** What a schema says of lists. */
export const arrayKeywords = (
  linked: (schema: Json | undefined) => LinkedSchema,
  schema: JsonObject,
): Pick<LinkedSchema, 'keywords' | 'one' | 'many'> => {
  const items = member(schema, 'items') ?? member(schema, 'unevaluatedItems');
  const first = member(schema, 'prefixItems');
  // Before 2020-12 a list of `items` was what `prefixItems` is now.
  const prefix = [first, items].find((list) => Array.isArray(list)) ?? [];
  return {
    keywords: items === false && prefix.length > 0 ? { maxItems: prefix.length } : {},
    one: { items: linked(Array.isArray(items) ? true : items) },
    ...(prefix.length > 0 ? { many: { prefixItems: prefix.map(linked) } } : {}),
  };
};
