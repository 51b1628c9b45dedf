import { isObject, type Json, type JsonObject, member } from '../../platform/rules/json/json.ts';

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

/** Narrowest type of a value: `integer` for whole numbers, `bigint` included. */
const typeOf = (value: unknown): TypeName => {
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

/** Whether a value has one of the types; an empty list allows any. */
export const isOneOf = (types: readonly TypeName[], value: Json): boolean => {
  const type = typeOf(value);
  if (types.length === 0 || types.includes(type)) return true;
  return type === 'integer' && types.includes('number');
};

/** Intersection of a type with the allowed ones, where `integer` is part of `number`. */
export const commonType = <Type extends Json>(
  type: Type,
  allowed: readonly Type[],
): Type | undefined => {
  if (allowed.includes(type)) return type;
  if (type === 'number') return allowed.find((name) => name === 'integer');
  return type === 'integer' && allowed.some((name) => name === 'number') ? type : undefined;
};

/** Distinct values of `const` or `enum`; undefined without either. */
export const valuesOf = (schema: JsonObject): readonly Json[] | undefined => {
  const only = member(schema, 'const');
  const listed = member(schema, 'enum');
  const values = only === undefined ? listed : [only];
  if (!Array.isArray(values) || values.length === 0) return undefined;
  const isPlain = values.every((value) => typeof value === 'string');
  if (isPlain) return [...new Set(values)];
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
};

const SPELLINGS: Readonly<Partial<Record<TypeName, string>>> = {
  boolean: 'bool',
  integer: 'int int32 int64 long short',
  number: 'float double decimal numeric',
  string: 'str text file date datetime date-time uuid uri url',
  array: 'list',
  object: 'map dict hash json',
};

const TYPES: ReadonlyMap<string, TypeName> = new Map(
  TYPE_NAMES.flatMap((type) =>
    [type, ...(SPELLINGS[type] ?? type).split(' ')].map((spelling) => [spelling, type] as const),
  ),
);

/**
 * Types of a schema; empty if it allows any. Without `type` they are derived from keywords that only one type has, as
 * authors mean them. `nullable` and a `null` among the values add `null`.
 */
export const readTypes = (schema: JsonObject): readonly TypeName[] => {
  const named = member(schema, 'type');
  const names = (Array.isArray(named) ? named : [named]).flatMap((name) => {
    const type = typeof name === 'string' ? TYPES.get(name.toLowerCase()) : undefined;
    return type ? [type] : [];
  });
  const types = new Set(
    names.length > 0 && !listsWords(schema, names) ? names : impliedTypes(schema),
  );
  if (types.size === 0) return [];
  if (isNullable(schema) || listsNull(schema)) types.add('null');
  if (types.has('number')) types.delete('integer');
  return [...types];
};

/** Whether a number's values are words: a filter of Swashbuckle for enums leaves `type: integer`. */
const listsWords = (schema: JsonObject, types: readonly TypeName[]): boolean => {
  const values = member(schema, 'enum');
  return (
    Array.isArray(values) &&
    values.length > 0 &&
    types.every((type) => type === 'integer' || type === 'number') &&
    values.every((value) => typeof value === 'string' && /^[^\d\s-]/.test(value))
  );
};

const listsNull = (schema: JsonObject): boolean => {
  const only = member(schema, 'const');
  const values = only === undefined ? member(schema, 'enum') : [only];
  return Array.isArray(values) && values.includes(null);
};

export const isNullable = (schema: JsonObject): boolean =>
  member(schema, 'nullable') === true || member(schema, 'x-nullable') === true;

const IMPLIED: readonly (readonly [TypeName, readonly string[]])[] = [
  [
    'object',
    ['properties', 'additionalProperties', 'patternProperties', 'maxProperties', 'minProperties'],
  ],
  ['array', ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems']],
  ['string', ['pattern', 'minLength', 'maxLength', 'contentEncoding', 'contentMediaType']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
];

const impliedTypes = (schema: JsonObject): readonly TypeName[] => {
  const values = valuesOf(schema);
  if (values) return values.map(typeOf);
  const found = IMPLIED.find(([, keywords]) => keywords.some((key) => Object.hasOwn(schema, key)));
  if (found) return [found[0]];
  const required = member(schema, 'required');
  return Array.isArray(required) || isObject(member(schema, 'discriminator')) ? ['object'] : [];
};

/**
 * Converts a value to the intended type: YAML parses `1` and `yes` as number and boolean where a string is meant, and
 * some write `"1"` for a number.
 * @returns undefined if it has no allowed type either way, and for numbers that lost digits
 */
export const inType = (types: readonly TypeName[], value: Json): Json | undefined => {
  if (hasLostDigits(value)) return undefined;
  if (isOneOf(types, value)) return value;
  if (types.includes('string') && typeof value !== 'object') return String(value);
  if (typeof value !== 'string') return undefined;
  if (types.includes('boolean') && /^(true|false)$/.test(value)) return value === 'true';
  const number = numberOf(value);
  return number !== undefined && isOneOf(types, number) ? number : undefined;
};

/** Whether a 64-bit integer was rounded by the JSON parser. */
export const hasLostDigits = (value: Json): boolean =>
  Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(Number(value)) <= 2 ** 64;

/** A number, or a string that is one; undefined where a double would round it. */
export const numberOf = (value: Json | undefined): number | undefined => {
  const isText = typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value);
  const number = isText ? Number(value) : value;
  const isExact = typeof number === 'number' && Math.abs(number) <= Number.MAX_SAFE_INTEGER;
  return isExact ? number : undefined;
};
