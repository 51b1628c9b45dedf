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

export interface Field {
  readonly type: ObjectType;
  readonly form: 'one' | 'list' | 'map';
  /** Whether keys that start with `x-` are extensions instead of names. */
  readonly extensible?: true;
}

const one = (type: ObjectType): Field => ({ type, form: 'one' });
const list = (type: ObjectType): Field => ({ type, form: 'list' });
const map = (type: ObjectType): Field => ({ type, form: 'map' });
const extensibleMap = (type: ObjectType): Field => ({ type, form: 'map', extensible: true });

const each = (field: Field, names: string): Readonly<Record<string, Field>> =>
  Object.fromEntries(names.split(' ').map((name) => [name, field]));

const VALUE = {
  ...each(one('schema'), 'schema items'),
  content: map('mediaType'),
  examples: map('example'),
};
const ENCODING = { itemEncoding: one('encoding'), prefixEncoding: list('encoding') };

/**
 * Fields of OpenAPI objects that contain other objects, for all dialects together: a field of another dialect does no
 * harm. Everything else is data, in which `$ref` is no reference: `example`, `default`, `enum`, `const`, extensions.
 * Source: OpenAPI 2.0, 3.0.4, 3.1.1 and 3.2.0, "Schema" of each object; JSON Schema 2020-12 §10, §11.
 */
export const OBJECT_FIELDS: Readonly<Record<ObjectType, Readonly<Record<string, Field>>>> = {
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
  parameter: VALUE,
  requestBody: { content: map('mediaType') },
  response: {
    schema: one('schema'),
    content: map('mediaType'),
    headers: map('header'),
    links: map('link'),
  },
  header: VALUE,
  mediaType: {
    ...each(one('schema'), 'schema itemSchema'),
    examples: map('example'),
    encoding: map('encoding'),
    ...ENCODING,
  },
  encoding: {
    headers: map('header'),
    encoding: map('encoding'),
    ...ENCODING,
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
