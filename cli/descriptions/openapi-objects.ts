/** The types of objects that an OpenAPI description is made of. */
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

/** What stands somewhere in a description: an object, or several by name or in a list. */
export interface Position {
  readonly type: ObjectType;
  readonly form: 'one' | 'list' | 'map';
}

const one = (type: ObjectType): Position => ({ type, form: 'one' });
const list = (type: ObjectType): Position => ({ type, form: 'list' });
const map = (type: ObjectType): Position => ({ type, form: 'map' });

const each = (position: Position, names: string): Readonly<Record<string, Position>> =>
  Object.fromEntries(names.split(' ').map((name) => [name, position]));

const CONTENT = { schema: one('schema'), content: map('mediaType'), examples: map('example') };
const ENCODING = { itemEncoding: one('encoding'), prefixEncoding: list('encoding') };

/**
 * The fields of each object that hold objects, of all versions in one. All else is data, in which a
 * `$ref` is no reference: examples, defaults, extensions.
 *
 * Source: OpenAPI 2.0, 3.0.4, 3.1.1 and 3.2.0, "Fixed Fields" of each object; JSON Schema 2020-12 §10, §11.
 */
const FIELDS: Readonly<Record<ObjectType, Readonly<Record<string, Position>>>> = {
  description: {
    ...each(map('pathItem'), 'paths webhooks'),
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
    responses: map('response'),
    callbacks: map('callback'),
  },
  parameter: { ...CONTENT, items: one('schema') },
  requestBody: { content: map('mediaType') },
  response: {
    schema: one('schema'),
    content: map('mediaType'),
    headers: map('header'),
    links: map('link'),
  },
  header: { ...CONTENT, items: one('schema') },
  mediaType: {
    ...each(one('schema'), 'schema itemSchema'),
    examples: map('example'),
    encoding: map('encoding'),
    ...ENCODING,
  },
  encoding: { headers: map('header'), encoding: map('encoding'), ...ENCODING },
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

/** What stands under a key; undefined for data. */
export const positionUnder = (
  { type, form }: Position,
  key: string,
  value: unknown,
): Position | undefined => {
  const isNamed = form === 'map' || (form === 'one' && type === 'callback');
  // A schema or a parameter may have any name, paths and answers may have extensions beside them.
  if (isNamed && key.startsWith('x-') && EXTENSIBLE.has(type)) return undefined;
  if (form === 'one' && type === 'callback') return one('pathItem');
  if (form !== 'one') return one(type);
  const position = Object.hasOwn(FIELDS[type], key) ? FIELDS[type][key] : undefined;
  // `items` was a list of schemas before JSON Schema 2020-12.
  return position?.type === 'schema' && Array.isArray(value) ? list('schema') : position;
};

const EXTENSIBLE: ReadonlySet<ObjectType> = new Set(['pathItem', 'response', 'callback']);

/** Where a description of a version keeps objects of a type by name; undefined where it cannot. */
export const sectionOf = (type: ObjectType, version: string): readonly string[] | undefined => {
  if (version.startsWith('2')) {
    const name = SECTIONS_2.get(type);
    return name === undefined ? undefined : [name];
  }
  const name = SECTIONS.get(type);
  const isLater = type === 'mediaType' && version < '3.2';
  return name === undefined || isLater ? undefined : ['components', name];
};

/** Where a description of a version keeps objects by name. */
export const sectionsOf = (version: string): readonly (readonly string[])[] =>
  [...SECTIONS.keys()].flatMap((type) => {
    const section = sectionOf(type, version);
    return section === undefined ? [] : [section];
  });

const SECTIONS_2: ReadonlyMap<ObjectType, string> = new Map([
  ['schema', 'definitions'],
  ['parameter', 'parameters'],
  ['response', 'responses'],
]);

/** All but path items: where a path is listed, its operations are looked for. */
const SECTIONS: ReadonlyMap<ObjectType, string> = new Map(
  Object.entries(FIELDS.components)
    .map(([name, { type }]) => [type, name] as const)
    .filter(([type]) => type !== 'pathItem'),
);
