import { type Json, type JsonObject, member } from '../../platform/rules/json/json.ts';

/** Source: JSON Schema 2020-12 Validation §6.1.1. */
export const TYPE_NAMES = [
  'null',
  'boolean',
  'integer',
  'number',
  'string',
  'array',
  'object',
] as const;

export type TypeName = (typeof TYPE_NAMES)[number];

/** The narrowest type of a JSON value: a whole number is an `integer`, whole numbers beyond 2^53 as `bigint` too. */
export const typeOf = (value: unknown): TypeName => {
  switch (typeof value) {
    case 'boolean':
      return 'boolean';
    case 'string':
      return 'string';
    case 'bigint':
      return 'integer';
    case 'number':
      return Number.isInteger(value) ? 'integer' : 'number';
    default:
      if (value === null || value === undefined) return 'null';
      return Array.isArray(value) ? 'array' : 'object';
  }
};

/** Whether a value is of one of these types; of any, where there are none. */
export const isOneOf = (types: readonly TypeName[], value: Json): boolean => {
  const type = typeOf(value);
  if (types.length === 0 || types.includes(type)) return true;
  return type === 'integer' && types.includes('number');
};

/** What is left of a type where only these are allowed: an integer is a number as well. */
export const commonType = <Type extends Json>(
  type: Type,
  allowed: readonly Type[],
): Type | undefined => {
  if (allowed.includes(type)) return type;
  if (type === 'number') return allowed.find((name) => name === 'integer');
  return type === 'integer' && allowed.some((name) => name === 'number') ? type : undefined;
};

/** The values that `const` or `enum` allow, each once; undefined where neither is there. */
export const valuesOf = (schema: JsonObject): readonly Json[] | undefined => {
  const only = member(schema, 'const');
  const listed = member(schema, 'enum');
  const values = only === undefined ? listed : [only];
  if (!Array.isArray(values) || values.length === 0) return undefined;
  const isPlain = values.every((value) => typeof value === 'string');
  if (isPlain) return [...new Set(values)];
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
};
