import { isObject, type Json, type JsonObject } from '../../json-schema/json.ts';
import { pointerTo } from '../../json-schema/pointer.ts';
import type { Dialect } from '../document.ts';

/** The types of objects that a description is made of. */
export type ObjectType =
  | 'description'
  | 'components'
  | 'pathItem'
  | 'operation'
  | 'parameter'
  | 'requestBody'
  | 'response'
  | 'header'
  | 'mediaType'
  | 'encoding'
  | 'schema'
  | 'callback'
  | 'example'
  | 'link'
  | 'securityScheme';

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

interface Field {
  readonly type: ObjectType;
  readonly form: 'one' | 'list' | 'map';
  /** Whether keys of the map that start with `x-` are extensions instead of names. */
  readonly extensible?: true;
}

const one = (type: ObjectType): Field => ({ type, form: 'one' });
const list = (type: ObjectType): Field => ({ type, form: 'list' });
const map = (type: ObjectType): Field => ({ type, form: 'map' });
const extensibleMap = (type: ObjectType): Field => ({ type, form: 'map', extensible: true });

const each = (field: Field, names: string): Readonly<Record<string, Field>> =>
  Object.fromEntries(names.split(' ').map((name) => [name, field]));

/**
 * Where in a description its objects stand, all dialects in one: what one dialect does not know does
 * no harm in it. Everything that is not in here is data, and a `$ref` in data is no reference:
 * `example`, `default`, `enum`, `const`, extensions.
 *
 * Source: OpenAPI 2.0, 3.0.4, 3.1.1 and 3.2.0, "Schema" of each object; JSON Schema 2020-12 §10, §11.
 */
const FIELDS: Readonly<Record<ObjectType, Readonly<Record<string, Field>>>> = {
  description: {
    paths: extensibleMap('pathItem'),
    webhooks: map('pathItem'),
    components: one('components'),
    definitions: map('schema'),
    parameters: map('parameter'),
    responses: map('response'),
    securityDefinitions: map('securityScheme'),
  },
  components: {
    schemas: map('schema'),
    responses: map('response'),
    parameters: map('parameter'),
    examples: map('example'),
    requestBodies: map('requestBody'),
    headers: map('header'),
    securitySchemes: map('securityScheme'),
    links: map('link'),
    callbacks: map('callback'),
    pathItems: map('pathItem'),
    mediaTypes: map('mediaType'),
  },
  pathItem: {
    ...each(one('operation'), 'get put post delete options head patch trace query'),
    additionalOperations: map('operation'),
    parameters: list('parameter'),
  },
  operation: {
    parameters: list('parameter'),
    requestBody: one('requestBody'),
    responses: extensibleMap('response'),
    callbacks: map('callback'),
  },
  parameter: {
    schema: one('schema'),
    content: map('mediaType'),
    examples: map('example'),
    items: one('schema'),
  },
  requestBody: { content: map('mediaType') },
  response: {
    schema: one('schema'),
    content: map('mediaType'),
    headers: map('header'),
    links: map('link'),
  },
  header: {
    schema: one('schema'),
    content: map('mediaType'),
    examples: map('example'),
    items: one('schema'),
  },
  mediaType: {
    schema: one('schema'),
    itemSchema: one('schema'),
    examples: map('example'),
    encoding: map('encoding'),
    itemEncoding: one('encoding'),
    prefixEncoding: list('encoding'),
  },
  encoding: {
    headers: map('header'),
    encoding: map('encoding'),
    itemEncoding: one('encoding'),
    prefixEncoding: list('encoding'),
  },
  schema: {
    ...each(map('schema'), 'properties patternProperties dependentSchemas $defs definitions'),
    ...each(list('schema'), 'allOf anyOf oneOf prefixItems'),
    ...each(one('schema'), 'items additionalItems unevaluatedItems contains contentSchema'),
    ...each(one('schema'), 'additionalProperties unevaluatedProperties propertyNames'),
    ...each(one('schema'), 'not if then else'),
  },
  callback: {},
  example: {},
  link: {},
  securityScheme: {},
};

/** Whatever a callback holds. */
const PATH_ITEM = one('pathItem');

const FIELDS_OF: ReadonlyMap<ObjectType, ReadonlyMap<string, Field>> = new Map(
  Object.entries(FIELDS).map(([type, fields]) => [
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
