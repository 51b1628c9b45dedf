import { isObject, type Json, type JsonObject } from '../../platform/rules/json/json.ts';
import { pointerTo } from '../../platform/rules/json/pointer.ts';
import type { Dialect } from '../document.ts';
import { type Field, OBJECT_FIELDS, type ObjectType } from './openapi-objects.ts';
import type { Warnings } from './findings.ts';

export type Location =
  | string
  | { readonly above: Location; readonly key: string; readonly name: string | number | undefined };

export const pointerOf = (location: Location): string => {
  if (typeof location === 'string') return location;
  const { above, key, name } = location;
  return pointerOf(above) + (name === undefined ? pointerTo(key) : pointerTo(key, name));
};

type VisitObject = (node: Json, type: ObjectType, location: Location) => void;

/** Type of every value in a callback. */
const PATH_ITEM: Field = { type: 'pathItem', form: 'one' };

const FIELDS_OF: ReadonlyMap<ObjectType, ReadonlyMap<string, Field>> = new Map(
  Object.entries(OBJECT_FIELDS).map(([type, fields]) => [
    type as ObjectType,
    new Map(Object.entries(fields)),
  ]),
);

/** Visits the OpenAPI objects directly inside this one, and values of a wrong type in their place. */
export const visitChildren = (
  node: JsonObject,
  type: ObjectType,
  above: Location,
  visit: VisitObject,
): void => {
  const fields = FIELDS_OF.get(type);
  for (const key of Object.keys(node)) {
    const field = type === 'callback' && !isExtension(key) ? PATH_ITEM : fields?.get(key);
    if (field === undefined) continue;
    const value = node[key] ?? null;
    if (field.form === 'map' && isObject(value)) {
      for (const name of Object.keys(value)) {
        if (field.extensible && isExtension(name)) continue;
        visit(value[name] ?? null, field.type, { above, key, name });
      }
    } else if (Array.isArray(value) && (field.form === 'list' || field.type === 'schema')) {
      // `items` was a list before JSON Schema 2020-12.
      value.forEach((entry: Json, name) => visit(entry, field.type, { above, key, name }));
    } else {
      visit(value, field.type, { above, key, name: undefined });
    }
  }
};

export const isExtension = (key: string): boolean => key.startsWith('x-');

/** Whether siblings of `$ref` have a meaning: in path items, and in schemas since OpenAPI 3.1. */
export const siblingsCount = (type: ObjectType, dialect: Dialect): boolean =>
  type === 'pathItem' ||
  (type === 'schema' && (dialect === 'openapi-3.1' || dialect === 'openapi-3.2'));

const named = (text: string): readonly string[] => text.split(' ');

export const methodFields = (dialect: Dialect): readonly string[] =>
  dialect === 'openapi-3.2' ? METHODS_32 : METHODS;

const METHODS = named('get put post delete options head patch trace');

const METHODS_32 = [...METHODS, 'query', 'additionalOperations'];

const PATH_ITEM_FIELDS = named('$ref summary description servers parameters');

const OPERATION = named(
  'tags summary description externalDocs operationId parameters requestBody responses callbacks ' +
    'deprecated security servers consumes produces schemes $ref',
);

const PARAMETER = named(
  'name in description required deprecated allowEmptyValue style explode allowReserved schema ' +
    'example examples content summary $ref',
);

/** OpenAPI 2.0 has schema keywords in the parameter itself. */
const PARAMETER_2 = named(
  'name in description required schema type format allowEmptyValue items collectionFormat default ' +
    'maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems ' +
    'minItems uniqueItems enum multipleOf example examples $ref',
);

export type WarnUnknownFields = (
  node: JsonObject,
  type: 'pathItem' | 'operation' | 'parameter',
  pointer: string,
) => void;

/** Warns of unknown fields, most often typing errors such as `requird`. Each object is checked once. */
export const unknownFieldWarner = (dialect: Dialect, warnings: Warnings): WarnUnknownFields => {
  const known = {
    pathItem: new Set([...PATH_ITEM_FIELDS, ...methodFields(dialect)]),
    operation: new Set(OPERATION),
    parameter: new Set(dialect === 'swagger-2.0' ? PARAMETER_2 : PARAMETER),
  };
  const checked = new Set<JsonObject>();
  return (node, type, pointer) => {
    if (checked.has(node)) return;
    checked.add(node);
    for (const key of Object.keys(node)) {
      if (known[type].has(key) || isExtension(key)) continue;
      const what = `no field that this ${type} can have; it is ignored`;
      warnings.add(pointer + pointerTo(key), what, 'Correct its name, or remove it.');
    }
  };
};
