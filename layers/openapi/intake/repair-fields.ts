import { isObject, type Json, type JsonObject } from '../../platform/rules/json/json.ts';
import { type Location, pointerOf } from './openapi-fields.ts';
import type { ObjectType } from './openapi-objects.ts';
import type { Warnings } from './findings.ts';
import { listOfNumbered } from './repair-lists.ts';
import { objectMember } from '../../platform/rules/json/members.ts';
import { pointerTo } from '../../platform/rules/json/pointer.ts';

const OF_PARAMETERS = ['required', 'deprecated', 'allowEmptyValue', 'explode', 'allowReserved'];

/** Fields that are true or false, by type of object. */
const FLAGS: Readonly<Partial<Record<ObjectType, readonly string[]>>> = {
  parameter: OF_PARAMETERS,
  header: OF_PARAMETERS,
  requestBody: ['required'],
  operation: ['deprecated'],
  encoding: ['explode', 'allowReserved'],
  schema: [
    'nullable',
    'readOnly',
    'writeOnly',
    'deprecated',
    'uniqueItems',
    'additionalProperties',
  ],
};

/**
 * Corrects fields whose values have the wrong JSON type but one meaning: `required: "true"`, and lists that are a text
 * or have keys, as PHP writes those whose numbers have a gap.
 */
export const repairFields = (
  node: JsonObject,
  type: ObjectType,
  location: Location,
  warnings: Warnings,
): void => {
  const flags = FLAGS[type];
  if (flags === undefined) return;
  const correct = (field: string, value: Json, hint: string): void => {
    (node as Record<string, Json>)[field] = value;
    const what = `${field} is written otherwise; read as ${JSON.stringify(value).slice(0, MOST_SHOWN)}`;
    warnings.add(pointerOf(location) + pointerTo(field), what, hint);
  };
  // Nearly all are as they have to be, in hundreds of thousands of schemas.
  for (const field of flags) {
    const value = node[field];
    if (typeof value !== 'string') continue;
    const flag = FLAG.get(value.trim().toLowerCase());
    if (flag !== undefined) correct(field, flag, 'Write true or false, without quotes.');
  }
  if (type !== 'schema') return;
  const { required, enum: listed } = node;
  const names = typeof required === 'boolean' ? undefined : asList(required);
  const properties = objectMember(node, 'properties');
  const isName = (name: Json): boolean =>
    typeof name === 'string' &&
    (Object.hasOwn(properties, name) || Object.keys(properties).length === 0);
  if (names?.every(isName)) correct('required', names, 'Write a list of names.');
  // A value of an array is a list itself.
  const isOfLists = [node['type']].flat().includes('array');
  const values = listed === undefined || isOfLists ? undefined : asValues(listed);
  if (values) correct('enum', values, 'Write a list of values.');
};

const MOST_SHOWN = 100;

const FLAG: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

/** The list that a text, or an object with numbers as its keys, stands for; undefined for what is one or none. */
const asList = (value: Json | undefined): readonly Json[] | undefined => {
  if (typeof value === 'string' && FLAG.get(value.trim().toLowerCase()) === undefined) {
    const parts = value.split(',').map((part) => part.trim());
    return parts.every((part) => part !== '') ? parts : undefined;
  }
  return isObject(value) ? listOfNumbered(value) : undefined;
};

/** As `asList`, and for a list in a list, as parsers of comments write it. */
const asValues = (value: Json | undefined): readonly Json[] | undefined => {
  if (!Array.isArray(value))
    return typeof value === 'string' && !value.includes(',') ? undefined : asList(value);
  const [only] = value as readonly Json[];
  return value.length === 1 && Array.isArray(only) && only.length > 0 ? only : undefined;
};
