import { isObject, type Json, type JsonObject, member } from '../../platform/rules/json/json.ts';
import type { Habit } from './habit.ts';

interface TextForm extends Habit {
  /** The format of the text beside the value that it stands for. */
  readonly formats: readonly string[];
  /** Whether the text is JSON, so that the value is written as such in a query. */
  readonly isJson?: true;
}

/** Values that are described as what they are or as a text, since the framework reads either. */
export const TEXT_FORMS = [
  {
    frameworks: 'Elysia',
    writes: '`anyOf: [{type: string, format: numeric, default: 0}, {type: number}]`',
    takes: "the value, as a text or not; the default is the schema's own, not the text's",
    source: 'Elysia, src/type-system/index.ts, `Numeric`, `BooleanString`, `ArrayQuery`',
    formats: ['numeric', 'integer', 'boolean', 'ArrayQuery'],
  },
  {
    frameworks: 'Elysia',
    writes: '`anyOf: [{type: string, format: ObjectString}, {type: object}]`',
    takes: 'JSON text in a query: `filter={"a":1}`',
    source: 'Elysia, src/type-system/index.ts, `ObjectString`, `ArrayString`',
    formats: ['ObjectString', 'ArrayString'],
    isJson: true,
  },
] as const satisfies readonly TextForm[];

interface ReadForm {
  readonly value: JsonObject;
  readonly isJson: boolean;
}

/** What a framework writes for an object in a query of Swagger 2.0, which knows none. */
export const OBJECTS_AS_TEXTS = [
  {
    frameworks: 'hapi',
    writes: '`type: string, x-type: object, x-properties: {a: {type: string}}`',
    takes: 'an object, as its queries have it',
    source: 'hapi-swagger, lib/parameters.js',
  },
] as const satisfies readonly Habit[];

const objectAsText = (schema: JsonObject): ReadForm | undefined => {
  if (schema['type'] !== 'string' || schema['x-type'] !== 'object') return undefined;
  const { 'x-type': _, 'x-properties': properties, ...rest } = schema;
  const members = isObject(properties) ? { properties } : {};
  return { value: { ...rest, type: 'object', ...members }, isJson: false };
};

/** The value of such a schema; undefined for any other. */
export const valueOfTextForm = (schema: Json | undefined): ReadForm | undefined => {
  const object = isObject(schema) ? objectAsText(schema) : undefined;
  if (object) return object;
  const alternatives = isObject(schema) ? member(schema, 'anyOf') : undefined;
  if (!isObject(schema) || !Array.isArray(alternatives) || alternatives.length !== 2) {
    return undefined;
  }
  const isText = (one: Json): boolean => formOf(one) !== undefined;
  const [text, value] = alternatives.toSorted((a, b) => Number(isText(b)) - Number(isText(a)));
  const form = text === undefined ? undefined : formOf(text);
  if (form === undefined || !isObject(value) || member(value, 'type') === 'string') {
    return undefined;
  }
  const { anyOf: _, ...own } = schema;
  return { value: { ...value, ...own }, isJson: form.isJson === true };
};

const formOf = (schema: Json): TextForm | undefined =>
  isObject(schema) && schema['type'] === 'string'
    ? (TEXT_FORMS as readonly TextForm[]).find(({ formats }) =>
        formats.some((format) => format === schema['format']),
      )
    : undefined;
