import { type Json, type JsonObject, member } from '../../platform/rules/json/json.ts';
import type { LinkedSchema } from './linked-schema.ts';

export interface ArrayKeywords {
  readonly keywords: LinkedSchema['keywords'];
  readonly schemas: Pick<LinkedSchema, 'items' | 'prefixItems'>;
}

/** What a schema says of lists. */
export const arrayKeywords = (
  translate: (schema: Json | undefined) => LinkedSchema,
  schema: JsonObject,
): ArrayKeywords => {
  const items = member(schema, 'items') ?? member(schema, 'unevaluatedItems');
  const first = member(schema, 'prefixItems');
  // Before 2020-12 a list of `items` was what `prefixItems` is now.
  const prefix = [first, items].find((list) => Array.isArray(list)) ?? [];
  return {
    keywords: items === false && prefix.length > 0 ? { maxItems: prefix.length } : {},
    schemas: {
      items: translate(Array.isArray(items) ? true : items),
      ...(prefix.length > 0 ? { prefixItems: prefix.map(translate) } : {}),
    },
  };
};
