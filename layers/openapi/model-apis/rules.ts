import { isObject } from '../../platform/rules/json/json.ts';
import { objectOf } from '../../platform/rules/json/members.ts';
import type { Schema } from '../json-schema/schema.ts';
import { eachSubschema } from '../json-schema/subschemas.ts';
import { portablePattern } from '../json-schema/portable-pattern.ts';
import { isPattern } from '../json-schema/pattern-tree.ts';
import { TYPE_NAMES } from '../json-schema/types.ts';

export type Rule = (schema: Schema, root: Schema) => Complaints;

/** Enough to act on: thousands of schemas may break the same rule. */
export const MAX_COMPLAINTS = 20;

export const everywhere = ({ inputSchema }: ModelTool, ...rules: readonly Rule[]): Complaints => {
  const complaints: string[] = [];
  eachSubschema(inputSchema, (schema, pointer) => {
    if (complaints.length >= MAX_COMPLAINTS) return;
    for (const complaint of rules.flatMap((rule) => rule(schema, inputSchema))) {
      complaints.push(`${pointer() || '/'}: ${complaint}`);
    }
  });
  return complaints.slice(0, MAX_COMPLAINTS);
};

export const nameMatches = ({ name }: ModelTool, pattern: RegExp): Complaints =>
  pattern.test(name) ? [] : [`the name ${JSON.stringify(name)} does not match ${pattern.source}`];

export const rootIsObject = ({ inputSchema }: ModelTool): Complaints =>
  inputSchema['type'] === 'object' && isObject(inputSchema['properties'])
    ? []
    : ['the arguments are no object with properties'];

export const rootHasNone = ({ inputSchema }: ModelTool, keywords: readonly string[]): Complaints =>
  keywords
    .filter((keyword) => Object.hasOwn(inputSchema, keyword))
    .map((keyword) => `${keyword} at the root of the arguments`);

export const rootHasOnly = ({ inputSchema }: ModelTool, keywords: readonly string[]): Complaints =>
  Object.keys(inputSchema)
    .filter((keyword) => !keywords.includes(keyword))
    .map((keyword) => `${keyword} at the root of the arguments`);

export const isDescribed = ({ description }: ModelTool): Complaints =>
  description === undefined || description.trim() === '' ? ['no description'] : [];

export const propertyNamesMatch: Rule = ({ properties }) =>
  Object.keys(objectOf(properties))
    .filter((name) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(name))
    .map((name) => `the property name ${JSON.stringify(name)}`);

export const arraysHaveItems: Rule = ({ type, items }) =>
  [type].flat().includes('array') && !isObject(items) ? ['an array without items'] : [];

/** A reference must point to an existing entry of the root's `$defs`. */
export const referencesStayInside: Rule = ({ $ref }, { $defs }) => {
  if ($ref === undefined) return [];
  const name =
    typeof $ref === 'string' ? /^#\/\$defs\/([a-zA-Z0-9_.-]{1,64})$/.exec($ref)?.[1] : undefined;
  return name !== undefined && isObject($defs) && Object.hasOwn($defs, name)
    ? []
    : [`the reference ${String($ref)} leads nowhere`];
};

/**
 * Patterns must be valid in Python's `re` and RE2, also as keys of `patternProperties`.
 * Source: OpenAI's answer "'^[\\p{L}]+$' is not a 'regex'", and a similar one of Vertex AI, as reported in
 * https://github.com/BerriAI/litellm/issues/40485, https://github.com/langfuse/langfuse/issues/14770
 */
export const patternsAreRead: Rule = ({ pattern, patternProperties }) =>
  [...(typeof pattern === 'string' ? [pattern] : []), ...Object.keys(objectOf(patternProperties))]
    .filter((one) => portablePattern(one) === undefined)
    .map((one) => `the pattern ${JSON.stringify(one)} is none of Python and RE2`);

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
 * Every keyword must have a valid value, unlike `exclusiveMinimum: true` of OpenAPI 3.0 and lists of `items`.
 * Source: JSON Schema 2020-12, the meta-schema.
 */
export const isWellFormed: Rule = (schema) =>
  Object.entries(schema)
    .filter(([keyword, value]) => KEYWORDS.get(keyword)?.(value) === false)
    .map(([keyword]) => `${keyword} has a value that JSON Schema 2020-12 does not know`);

function each(test: Test, keywords: string): readonly (readonly [string, Test])[] {
  return keywords.split(' ').map((keyword) => [keyword, test] as const);
}

/** Reasons why a model API refuses a tool, for people; empty if it accepts it. */
export type Complaints = readonly string[];

export interface ModelTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: Schema;
}
