import { isObject, type Json, type JsonObject } from '../../platform/rules/json/json.ts';
import { pointerTo } from '../../platform/rules/json/pointer.ts';
import type { Dialect } from '../document.ts';
import { type Field, OBJECT_FIELDS, type ObjectType } from './openapi-objects.ts';

/** Where a node stands: its JSON pointer, which is only put together where somebody wants to know. */
export type Location =
  | string
  | { readonly above: Location; readonly key: string; readonly name: string | number | undefined };

export const pointerOf = (location: Location): string => {
  if (typeof location === 'string') return location;
  const { above, key, name } = location;
  return pointerOf(above) + (name === undefined ? pointerTo(key) : pointerTo(key, name));
};

/** Is told of a node of a description, or what stands in its place. */
export type VisitObject = (node: Json, type: ObjectType, location: Location) => void;

/** Whatever a callback holds. */
const PATH_ITEM: Field = { type: 'pathItem', form: 'one' };

const FIELDS_OF: ReadonlyMap<ObjectType, ReadonlyMap<string, Field>> = new Map(
  Object.entries(OBJECT_FIELDS).map(([type, fields]) => [
    type as ObjectType,
    new Map(Object.entries(fields)),
  ]),
);

/** Visits the objects directly in this one, and whatever stands where one of them should. */
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
      // `items` was a list of schemas before JSON Schema 2020-12.
      value.forEach((entry: Json, name) => visit(entry, field.type, { above, key, name }));
    } else {
      visit(value, field.type, { above, key, name: undefined });
    }
  }
};

export const isExtension = (key: string): boolean => key.startsWith('x-');

/** Whether what stands beside a `$ref` counts: in path items, and in schemas from OpenAPI 3.1 on. */
export const siblingsCount = (type: ObjectType, dialect: Dialect): boolean =>
  type === 'pathItem' ||
  (type === 'schema' && (dialect === 'openapi-3.1' || dialect === 'openapi-3.2'));
