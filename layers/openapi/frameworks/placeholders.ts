import { isObject, type Json, type JsonObject, member } from '../../platform/rules/json/json.ts';
import type { Habit } from './habit.ts';

interface Placeholder extends Habit {
  /** What of a schema says nothing. */
  readonly fieldsOf: (schema: JsonObject) => readonly string[];
}

const isBlank = (value: Json | undefined): boolean =>
  value === null || (typeof value === 'string' && value.trim() === '');

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
        return value.length > 0 && value.every(isBlank) && value.includes('');
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
 * The schema of an argument or a property without what only stands for a rule. An alternative may be the empty text
 * and nothing else, so it is not looked at.
 */
export const withoutPlaceholders = <Node extends Json | undefined>(
  schema: Node,
): Node | JsonObject => {
  if (!isObject(schema)) return schema;
  const fields = PLACEHOLDERS.flatMap(({ fieldsOf }) => fieldsOf(schema));
  if (fields.length === 0) return schema;
  return Object.fromEntries(Object.entries(schema).filter(([field]) => !fields.includes(field)));
};
