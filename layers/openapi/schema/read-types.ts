import { isObject, type JsonObject, member } from '../../platform/rules/json/json.ts';
import { TYPE_NAMES, type TypeName, typeOf, valuesOf } from '../json-schema/types.ts';

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
  const types = new Set(names.length > 0 ? names : impliedTypes(schema));
  if (types.size === 0) return [];
  if (isNullable(schema) || listsNull(schema)) types.add('null');
  if (types.has('number')) types.delete('integer');
  return [...types];
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
