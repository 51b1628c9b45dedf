import { isObject, type Json, type JsonObject, member } from '../../platform/rules/json/json.ts';
import { readTypes } from '../json-schema/types.ts';
import type { Habit } from './habit.ts';

interface Placeholder extends Habit {
  /** What of a schema says nothing. */
  readonly fieldsOf: (schema: JsonObject) => readonly string[];
}

const isBlank = (value: Json | undefined): boolean =>
  value === null || (typeof value === 'string' && value.trim() === '');

const takesNull = (schema: JsonObject): boolean =>
  schema['type'] === undefined || readTypes({ ...schema, enum: [] }).includes('null');

/** What editors and exporters write where nothing is said, and reads by the letter as a rule that no value obeys. */
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
] as const satisfies readonly Placeholder[];

/**
 * The schema of an argument or a property without what only stands for a rule, in a component as well that it refers
 * to. An alternative may be the empty text and nothing else, so it is not looked at.
 *
 * @param flat - a schema with what it refers to and is composed of
 */
export const withoutPlaceholders = <Node extends Json | undefined>(
  flat: (schema: JsonObject) => JsonObject,
  schema: Node,
): Node | JsonObject => {
  if (!isObject(schema)) return schema;
  const whole = schema['$ref'] === undefined ? schema : flat(schema);
  const fields = PLACEHOLDERS.flatMap(({ fieldsOf }) => fieldsOf(whole));
  if (fields.length === 0) return schema;
  return Object.fromEntries(Object.entries(whole).filter(([field]) => !fields.includes(field)));
};

/** What stands where a value would, until a tool puts one there. */
export const VARIABLES = [
  {
    frameworks: 'Postman, Insomnia, Bruno',
    writes: '`{{userId}}`, `<string>` as an example or a default',
    takes: 'a value',
    source: 'Postman, "Reuse values with variables"',
    written: /\{\{[^{}]*\}\}|^<(?:string|integer|long|number|boolean|date|dateTime|uuid)>$/,
  },
] as const satisfies readonly (Habit & { readonly written: RegExp })[];

/** Whether an example or a default is none, but the name of a variable. */
export const isVariable = (value: Json): boolean =>
  typeof value === 'string' && VARIABLES.some(({ written }) => written.test(value));

/** What a portal lists as the only value of a parameter, and is the one that it fills in. */
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
] as const satisfies readonly (Habit & { readonly isWritten: (root: JsonObject) => boolean })[];

/** Of the servers of a description, characters. */
const MOST_LOOKED_AT = 10_000;

export const hasSamples = (root: JsonObject): boolean =>
  SAMPLES.some(({ isWritten }) => isWritten(root));

/** The values of a schema that a portal has filled in, to be left out. */
export const isSample = (schema: JsonObject): boolean => {
  const values = member(schema, 'enum');
  const value = member(schema, 'default');
  return value !== undefined && Array.isArray(values) && values.length === 1 && values[0] === value;
};
