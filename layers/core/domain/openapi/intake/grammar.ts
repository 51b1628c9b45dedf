import { type Dialect, isObject, type Json, type JsonObject, pointerTo } from '../document.ts';

/** What a node of a description is. `data` may be a reference and nothing else is known of it. */
export type Kind =
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

/** A node of a description, or what stands in its place. */
export interface Place {
  readonly node: Json;
  readonly kind: Kind;
  readonly pointer: string;
}

interface Slot {
  readonly kind: Kind;
  readonly form: 'one' | 'list' | 'map';
  /** Whether keys of the map that start with `x-` are extensions instead of names. */
  readonly extensible?: true;
}

const one = (kind: Kind): Slot => ({ kind, form: 'one' });
const list = (kind: Kind): Slot => ({ kind, form: 'list' });
const map = (kind: Kind): Slot => ({ kind, form: 'map' });
const extensibleMap = (kind: Kind): Slot => ({ kind, form: 'map', extensible: true });

const each = (slot: Slot, names: string): Readonly<Record<string, Slot>> =>
  Object.fromEntries(names.split(' ').map((name) => [name, slot]));

/**
 * Where in a description its objects stand, all dialects in one: what one dialect does not know does
 * no harm in it. Everything that is not in here is data, and a `$ref` in data is no reference:
 * `example`, `default`, `enum`, `const`, extensions.
 *
 * Source: OpenAPI 2.0, 3.0.4, 3.1.1 and 3.2.0, "Schema" of each object; JSON Schema 2020-12 §10, §11.
 */
const SLOTS: Readonly<Record<Kind, Readonly<Record<string, Slot>>>> = {
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

/** The objects directly in this one, and whatever stands where one of them should. */
export const children = (node: JsonObject, kind: Kind, pointer: string): readonly Place[] => {
  const found: Place[] = [];
  const slots = SLOTS[kind];
  for (const [key, value] of Object.entries(node)) {
    const at = pointer + pointerTo(key);
    if (kind === 'callback') {
      if (!isExtension(key)) found.push({ node: value, kind: 'pathItem', pointer: at });
      continue;
    }
    const slot = Object.hasOwn(slots, key) ? slots[key] : undefined;
    if (slot === undefined) continue;
    if (slot.form === 'map' && isObject(value)) {
      for (const [name, entry] of Object.entries(value)) {
        if (slot.extensible && isExtension(name)) continue;
        found.push({ node: entry, kind: slot.kind, pointer: at + pointerTo(name) });
      }
    } else if (Array.isArray(value) && (slot.form === 'list' || slot.kind === 'schema')) {
      // `items` was a list of schemas before JSON Schema 2020-12.
      value.forEach((entry: Json, index) =>
        found.push({ node: entry, kind: slot.kind, pointer: at + pointerTo(index) }),
      );
    } else {
      found.push({ node: value, kind: slot.kind, pointer: at });
    }
  }
  return found;
};

export const isExtension = (key: string): boolean => key.startsWith('x-');

/** Whether what stands beside a `$ref` counts: in path items, and in schemas from OpenAPI 3.1 on. */
export const readsBesideReference = (kind: Kind, dialect: Dialect): boolean =>
  kind === 'pathItem' ||
  (kind === 'schema' && (dialect === 'openapi-3.1' || dialect === 'openapi-3.2'));
