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

/** The narrowest type of a JSON value: a whole number is an `integer`, whole numbers beyond 2^53 as `bigint` too. */
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

/** What descriptions write, besides the names of JSON Schema. */
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
 * The types of a schema, in the spelling of JSON Schema; empty where it takes any. Where none is
 * named, keywords that only one type has tell it, as the authors of descriptions mean it; OpenAPI's
 * `nullable` and a `null` among the values add `null`.
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

/** Whether the values of what is called a number are texts, as a filter of Swashbuckle for enums leaves them. */
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
 * A value in the type that was meant: YAML reads `1` and `yes` as number and boolean where the schema
 * says text, and others write `"1"` where it says number.
 *
 * @returns undefined where it is of no allowed type either way, and for numbers that have lost digits
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

/** Whether a whole number of 64 bits was rounded when it was read. */
export const hasLostDigits = (value: Json): boolean =>
  Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(Number(value)) <= 2 ** 64;

/** A number, or a text that is one; none that JSON readers would round. */
export const numberOf = (value: Json | undefined): number | undefined => {
  const isText = typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value);
  const number = isText ? Number(value) : value;
  const isExact = typeof number === 'number' && Math.abs(number) <= Number.MAX_SAFE_INTEGER;
  return isExact ? number : undefined;
};
