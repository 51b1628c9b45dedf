import { isObject, type Json, type JsonObject, member } from '../../platform/rules/json/json.ts';
import { readTypes } from '../json-schema/types.ts';
import type { Habit, RecognizedHabit } from './habit.ts';
import { valueOfTextForm } from './text-forms.ts';

const isBlank = (value: Json | undefined): boolean =>
  value === null || (typeof value === 'string' && value.trim() === '');

const takesNull = (schema: JsonObject): boolean =>
  schema['type'] === undefined || readTypes({ ...schema, enum: [] }).includes('null');

/** What describes the members of an object, or is one by itself. */
const OF_MEMBERS = [
  '$ref',
  'properties',
  'additionalProperties',
  'patternProperties',
  'required',
  'minProperties',
  'maxProperties',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'x-kubernetes-preserve-unknown-fields',
];

/** Whether nothing says what an object has. */
export const isBareObject = (schema: JsonObject): boolean =>
  schema['type'] === 'object' && OF_MEMBERS.every((key) => !Object.hasOwn(schema, key));

/** Values that editors and exporters write for "not specified"; taken literally, they are rules that no value obeys. */
export const PLACEHOLDERS = [
  {
    frameworks: 'Azure API Management, Postman',
    writes: '`enum: [""]`, `type: ""`',
    takes: 'any value',
    source: 'Azure API Management, "Export an API", OpenAPI',
    fieldsOf: (schema) =>
      ['enum', 'const', 'x-enum-varnames'].filter((field) => {
        const value = member(schema, field);
        if (!Array.isArray(value)) return value === '';
        const isNothing = value.every((one) => one === null) && takesNull(schema);
        return value.length > 0 && value.every(isBlank) && !isNothing;
      }),
  },
  {
    frameworks: 'Azure API Management, goa, SwaggerHub',
    writes: '`maxLength: 0`, `maxItems: 0`',
    takes: 'any length',
    source: 'JSON Schema 2020-12 Validation §6.3.1: by the letter, nothing but the empty text',
    fieldsOf: (schema) => ['maxLength', 'maxItems'].filter((field) => schema[field] === 0),
  },
] as const satisfies readonly (Habit & { fieldsOf: (schema: JsonObject) => readonly string[] })[];

/**
 * Removes placeholders from the schema of an argument or property, not from alternatives: one may be the empty string.
 * @param flat - merges a schema with its references and compositions
 */
export const withoutPlaceholders = <Node extends Json | undefined>(
  flat: (schema: JsonObject) => JsonObject,
  schema: Node,
): Node | JsonObject => {
  if (!isObject(schema)) return schema;
  const text = valueOfTextForm(schema);
  if (text) return text.value;
  const whole = schema['$ref'] === undefined ? schema : flat(schema);
  const fields = PLACEHOLDERS.flatMap(({ fieldsOf }) => fieldsOf(whole));
  if (fields.length === 0) return schema;
  return Object.fromEntries(Object.entries(whole).filter(([field]) => !fields.includes(field)));
};

/** Placeholders for a value that a tool fills in later. */
export const VARIABLES = [
  {
    frameworks: 'Postman, Insomnia, Bruno',
    writes: '`{{userId}}`, `<string>` as an example or a default',
    takes: 'a value',
    source: 'Postman, "Reuse values with variables"',
    written: /\{\{[^{}]*\}\}|^<(?:string|integer|long|number|boolean|date|dateTime|uuid)>$/,
  },
] as const satisfies readonly (Habit & { readonly written: RegExp })[];

/** Whether an example or default is only a placeholder. */
export const isVariable = (value: Json): boolean =>
  typeof value === 'string' && VARIABLES.some(({ written }) => written.test(value));

/** Samples that a portal lists as the only allowed value of a parameter. */
export const SAMPLES = [
  {
    frameworks: 'Azure API Management',
    writes: '`enum: ["51"]`, `default: "51"`',
    takes: 'any value, that one if none is given',
    source: 'Azure API Management, "Export an API", OpenAPI',
    isWritten: (root) =>
      [member(root, 'servers'), member(root, 'host')].some((place) =>
        /\.azure-api\.net\b/.test(JSON.stringify(place ?? '').slice(0, MOST_LOOKED_AT)),
      ),
  },
] as const satisfies readonly RecognizedHabit[];

/** Limit for the characters of server URLs that are searched for signs of a framework. */
const MOST_LOOKED_AT = 10_000;

export const hasSamples = (root: JsonObject): boolean =>
  SAMPLES.some(({ isWritten }) => isWritten(root));

/** Whether the only enum value is the default, which then is a sample. */
export const isSample = (schema: JsonObject): boolean => {
  const values = member(schema, 'enum');
  const value = member(schema, 'default');
  return value !== undefined && Array.isArray(values) && values.length === 1 && values[0] === value;
};
