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

/** Where a node stands: its JSON pointer, which is only put together where somebody wants to know. */
export type Spot =
  | string
  | { readonly above: Spot; readonly key: string; readonly name: string | number | undefined };

export const pointerOf = (spot: Spot): string => {
  if (typeof spot === 'string') return spot;
  const { above, key, name } = spot;
  return pointerOf(above) + (name === undefined ? pointerTo(key) : pointerTo(key, name));
};

/** Is told of a node of a description, or what stands in its place. */
export type Visit = (node: Json, kind: Kind, spot: Spot) => void;

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

/** Whatever a callback holds. */
const PATH_ITEM = one('pathItem');

const SLOTS_OF: ReadonlyMap<Kind, ReadonlyMap<string, Slot>> = new Map(
  Object.entries(SLOTS).map(([kind, slots]) => [kind as Kind, new Map(Object.entries(slots))]),
);

/** Visits the objects directly in this one, and whatever stands where one of them should. */
export const visitChildren = (node: JsonObject, kind: Kind, above: Spot, visit: Visit): void => {
  const slots = SLOTS_OF.get(kind);
  for (const key of Object.keys(node)) {
    const slot = kind === 'callback' && !isExtension(key) ? PATH_ITEM : slots?.get(key);
    if (slot === undefined) continue;
    const value = node[key] ?? null;
    if (slot.form === 'map' && isObject(value)) {
      for (const name of Object.keys(value)) {
        if (slot.extensible && isExtension(name)) continue;
        visit(value[name] ?? null, slot.kind, { above, key, name });
      }
    } else if (Array.isArray(value) && (slot.form === 'list' || slot.kind === 'schema')) {
      // `items` was a list of schemas before JSON Schema 2020-12.
      value.forEach((entry: Json, name) => visit(entry, slot.kind, { above, key, name }));
    } else {
      visit(value, slot.kind, { above, key, name: undefined });
    }
  }
};

export const isExtension = (key: string): boolean => key.startsWith('x-');

/** Whether what stands beside a `$ref` counts: in path items, and in schemas from OpenAPI 3.1 on. */
export const readsBesideReference = (kind: Kind, dialect: Dialect): boolean =>
  kind === 'pathItem' ||
  (kind === 'schema' && (dialect === 'openapi-3.1' || dialect === 'openapi-3.2'));
