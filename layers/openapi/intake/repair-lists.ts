import { isObject, type Json, type JsonObject, member } from '../../platform/rules/json/json.ts';
import { objectMember } from '../../platform/rules/json/members.ts';
import { pointerTo } from '../../platform/rules/json/pointer.ts';
import type { Dialect } from '../document.ts';
import { methodFields } from './openapi-fields.ts';
import type { Warnings } from './findings.ts';

/** Whether a value that stands in place of a list is certainly its only element. */
type IsElement = (value: Json) => boolean;

const isText: IsElement = (value) => typeof value === 'string' && value !== '';
const isParameter: IsElement = (value) =>
  isObject(value) &&
  [['name', 'in'], ['$ref']].some((keys) =>
    keys.every((key) => isText(member(value, key) ?? null)),
  );
const isServer: IsElement = (value) => isObject(value) && typeof member(value, 'url') === 'string';
const isRequirement: IsElement = (value) =>
  isObject(value) && Object.values(value).length > 0 && Object.values(value).every(Array.isArray);
const SCHEMA_KEYWORDS = ['$ref', 'type', 'properties', 'items', 'enum', 'allOf', 'anyOf', 'oneOf'];
const isSchema: IsElement = (value) =>
  isObject(value) && SCHEMA_KEYWORDS.some((key) => member(value, key) !== undefined);

const TEXTS = { schemes: isText, consumes: isText, produces: isText };
const OF_DESCRIPTION = { ...TEXTS, servers: isServer, security: isRequirement };
const OF_PATH_ITEM = { parameters: isParameter, servers: isServer };
const OF_OPERATION = { ...TEXTS, ...OF_PATH_ITEM, security: isRequirement, tags: isText };
const OF_SCHEMA = { allOf: isSchema, anyOf: isSchema, oneOf: isSchema };

const SCHEMA_LISTS = Object.keys(OF_SCHEMA);

/**
 * Reads lists that a serializer took apart: one element alone stands for a list of one (R with `auto_unbox`, arrays of
 * PowerShell, converters of XML), and keys that are numbers for a list with gaps (PHP after `array_filter`).
 * Source: jsonlite, "toJSON", auto_unbox; PowerShell, "ConvertTo-Json"; PHP manual, "json_encode".
 */
export const repairLists = (root: JsonObject, dialect: Dialect, warnings: Warnings): void => {
  readLists(root, OF_DESCRIPTION, '', warnings);
  const methods = methodFields(dialect);
  for (const [path, item] of Object.entries(objectMember(root, 'paths'))) {
    if (!isObject(item)) continue;
    const at = pointerTo('paths', path);
    readLists(item, OF_PATH_ITEM, at, warnings);
    for (const method of methods) {
      const operation = member(item, method);
      if (isObject(operation)) {
        readLists(operation, OF_OPERATION, at + pointerTo(method), warnings);
      }
    }
  }
};

/** The same for the alternatives of a schema. @param pointer - asked for where something is changed */
export const repairSchemaLists = (
  schema: JsonObject,
  pointer: () => string,
  warnings: Warnings,
): void => {
  if (SCHEMA_LISTS.some((key) => isTakenApart(schema[key]))) {
    readLists(schema, OF_SCHEMA, pointer(), warnings);
  }
};

const isTakenApart = (value: Json | undefined): value is string | JsonObject =>
  typeof value === 'string' || isObject(value);

const readLists = (
  holder: JsonObject,
  lists: Readonly<Record<string, IsElement>>,
  pointer: string,
  warnings: Warnings,
): void => {
  for (const [key, isElement] of Object.entries(lists)) {
    const value = member(holder, key);
    if (!isTakenApart(value)) continue;
    const list = isElement(value) ? [value] : numbered(value);
    if (list === undefined) continue;
    Object.assign(holder, Object.fromEntries([[key, list]]));
    const what = list.length === 1 ? 'no list; read as a list of one' : 'no list; read as one';
    warnings.add(pointer + pointerTo(key), what, 'Write a list.');
  }
};

const numbered = (value: string | JsonObject): readonly Json[] | undefined =>
  isObject(value) && Object.keys(value).length > 0 ? listOfNumbered(value) : undefined;

/** The list that an object with numbers as its keys stands for, or one without keys; undefined for any other. */
export const listOfNumbered = (value: JsonObject): readonly Json[] | undefined =>
  Object.keys(value).every((key) => /^\d{1,9}$/.test(key)) ? Object.values(value) : undefined;

/** Lists parameters that are an object: one of nothing, as Lua and PHP write an empty list, or one by their names. */
export const listParameters = (holder: JsonObject, pointer: string, warnings: Warnings): void => {
  const parameters = member(holder, 'parameters');
  if (!isObject(parameters)) return;
  const entries = Object.entries(parameters);
  if (!entries.every(([, one]) => isObject(one) && ('in' in one || '$ref' in one))) return;
  (holder as Record<string, Json>)['parameters'] = entries.map(([name, one]): Json => {
    const own = one as JsonObject;
    return '$ref' in own || 'name' in own ? own : { name, ...own };
  });
  if (entries.length === 0) return;
  const what = 'parameters are an object; read as a list of its members';
  warnings.add(`${pointer}/parameters`, what, 'Write a list of parameters.');
};
