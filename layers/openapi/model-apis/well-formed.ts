import { isObject } from '../../platform/rules/json/json.ts';
import { isPattern } from '../json-schema/pattern-tree.ts';
import { TYPE_NAMES } from '../json-schema/types.ts';
import type { Rule } from './rules.ts';

type Test = (value: unknown) => boolean;

const isText: Test = (value) => typeof value === 'string';
const isFlag: Test = (value) => typeof value === 'boolean';
const isNumber: Test = (value) => typeof value === 'number';
const isCount: Test = (value) => Number.isInteger(value) && Number(value) >= 0;
const isAnySchema: Test = (value) => isObject(value) || isFlag(value);
const isObjectMap: Test = (value) => isObject(value) && Object.values(value).every(isAnySchema);
const isObjectList: Test = (value) =>
  Array.isArray(value) && value.length > 0 && value.every(isAnySchema);
const isTextSet: Test = (value) =>
  Array.isArray(value) && value.every(isText) && new Set(value).size === value.length;
const isRegExp: Test = (value) => isText(value) && isPattern(String(value));

const TYPES: ReadonlySet<unknown> = new Set(TYPE_NAMES);
const isType: Test = (value) =>
  Array.isArray(value)
    ? value.length > 0 && isTextSet(value) && value.every((name) => TYPES.has(name))
    : TYPES.has(value);

const KEYWORDS = new Map<string, Test>([
  ['type', isType],
  ['enum', Array.isArray],
  ['required', isTextSet],
  ...each(isText, '$ref description title format contentEncoding contentMediaType'),
  ...each(isRegExp, 'pattern'),
  ...each(isFlag, 'uniqueItems deprecated readOnly writeOnly'),
  ...each(Array.isArray, 'examples'),
  ...each(isNumber, 'minimum maximum exclusiveMinimum exclusiveMaximum'),
  ...each((value) => isNumber(value) && Number(value) > 0, 'multipleOf'),
  ...each(isCount, 'minLength maxLength minItems maxItems minProperties maxProperties'),
  ...each(isObjectMap, 'properties patternProperties $defs dependentSchemas'),
  ...each(isObjectList, 'allOf anyOf oneOf prefixItems'),
  ...each(isAnySchema, 'items additionalProperties not contains propertyNames if then else'),
]);

/**
 * Whether every keyword has a value that it may have: `exclusiveMinimum: true` of OpenAPI 3.0 and a list
 * of `items` are what breaks it in practice.
 *
 * Source: JSON Schema 2020-12, the meta-schema.
 */
export const isWellFormed: Rule = (schema) =>
  Object.entries(schema)
    .filter(([keyword, value]) => KEYWORDS.get(keyword)?.(value) === false)
    .map(([keyword]) => `${keyword} has a value that JSON Schema 2020-12 does not know`);

function each(test: Test, keywords: string): readonly (readonly [string, Test])[] {
  return keywords.split(' ').map((keyword) => [keyword, test] as const);
}
