import { isObject, type Json, type JsonObject, member } from '../document.ts';

export type TypeName = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object';

/** What descriptions write, besides the names of JSON Schema. */
const SPELLINGS: ReadonlyMap<string, TypeName> = new Map([
  ...(['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'] as const).map(
    (name) => [name, name] as const,
  ),
  ...(['int', 'int32', 'int64', 'long', 'short'] as const).map(
    (name) => [name, 'integer'] as const,
  ),
  ...(['float', 'double', 'decimal', 'numeric'] as const).map((name) => [name, 'number'] as const),
  ...(['str', 'text', 'file', 'date', 'datetime', 'date-time', 'uuid', 'uri', 'url'] as const).map(
    (name) => [name, 'string'] as const,
  ),
  ['bool', 'boolean'],
  ['list', 'array'],
  ...(['map', 'dict', 'hash', 'json'] as const).map((name) => [name, 'object'] as const),
]);

/**
 * The types of a schema, in the spelling of JSON Schema; empty where it takes any. Where none is
 * named, keywords that only one type has tell it, as the authors of descriptions mean it; OpenAPI's
 * `nullable` and a `null` among the values add `null`.
 */
export const readTypes = (schema: JsonObject): readonly TypeName[] => {
  const named = member(schema, 'type');
  const only = typeof named === 'string' ? ALONE.get(named) : undefined;
  if (only && !isNullable(schema) && !Object.hasOwn(schema, 'const') && !hasNull(schema))
    return only;
  const names = (Array.isArray(named) ? named : [named]).flatMap((name) => {
    const type = typeof name === 'string' ? SPELLINGS.get(name.toLowerCase()) : undefined;
    return type ? [type] : [];
  });
  const types = new Set(names.length > 0 ? names : impliedTypes(schema));
  if (types.size === 0) return [];
  if (isNullable(schema) || valuesOf(schema)?.includes(null)) types.add('null');
  if (types.has('number')) types.delete('integer');
  return [...types];
};

/** The types of most schemas, which name one. */
const ALONE: ReadonlyMap<string, readonly TypeName[]> = new Map(
  (['boolean', 'integer', 'number', 'string', 'array', 'object'] as const).map((name) => [
    name,
    [name],
  ]),
);

const hasNull = (schema: JsonObject): boolean => {
  const listed = member(schema, 'enum');
  return Array.isArray(listed) && listed.includes(null);
};

export const isNullable = (schema: JsonObject): boolean =>
  member(schema, 'nullable') === true || member(schema, 'x-nullable') === true;

/** The values that `const` or `enum` allow, each once. */
export const valuesOf = (schema: JsonObject): readonly Json[] | undefined => {
  const only = member(schema, 'const');
  const listed = member(schema, 'enum');
  const values = only === undefined ? listed : [only];
  if (!Array.isArray(values) || values.length === 0) return undefined;
  const isPlain = values.every((value) => typeof value === 'string');
  if (isPlain) return [...new Set(values)];
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
};

export const typeOf = (value: Json): TypeName => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value as 'string' | 'boolean' | 'object';
};

/** Whether a value is of one of these types; of any, where there are none. */
export const isOneOf = (types: readonly TypeName[], value: Json): boolean => {
  const type = typeOf(value);
  if (types.length === 0 || types.includes(type)) return true;
  return type === 'integer' && types.includes('number');
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
