/** What is wrong with a tool, as sentences; empty if a model API takes it. Source: tools.md. */
export type Complaints = readonly string[];

export interface ListedTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/**
 * The rules of the model APIs that MCP clients hand tools to, one checker each. They are stricter than
 * JSON Schema, differently so, and refuse the whole request for a single bad tool.
 */
export const MODEL_APIS: Readonly<Record<string, (tool: ListedTool) => Complaints>> = {
  Claude: (tool) => [
    ...nameMatches(tool, /^[a-zA-Z0-9_-]{1,64}$/),
    ...rootIsObject(tool),
    ...rootHasNone(tool, ['oneOf', 'anyOf', 'allOf']),
    ...everywhere(tool, propertyNamesMatch, referencesStayInside),
  ],
  OpenAI: (tool) => [
    ...nameMatches(tool, /^[a-zA-Z0-9_-]{1,64}$/),
    ...rootIsObject(tool),
    ...rootHasNone(tool, ['oneOf', 'anyOf', 'allOf', 'not', 'enum', '$ref']),
    ...everywhere(tool, arraysHaveItems, referencesStayInside, typesAreKnown),
  ],
  Gemini: (tool) => [
    ...nameMatches(tool, /^[a-zA-Z_][a-zA-Z0-9_.-]{0,63}$/),
    ...rootIsObject(tool),
    ...everywhere(
      tool,
      arraysHaveItems,
      referencesStandAlone,
      requiredAreProperties,
      enumsFitTheirTypes,
      formatsAreKnown,
    ),
  ],
  Bedrock: (tool) => [
    ...nameMatches(tool, /^[a-zA-Z0-9_-]{1,64}$/),
    ...rootIsObject(tool),
    ...rootHasOnly(tool, ['type', 'properties', 'required', '$defs']),
    ...(tool.description === undefined || tool.description === '' ? ['no description'] : []),
    ...everywhere(tool, propertyNamesMatch, referencesStayInside),
  ],
};

type Schema = Readonly<Record<string, unknown>>;
type Rule = (schema: Schema, root: Schema) => Complaints;

const MAPS = ['properties', 'patternProperties', '$defs', 'dependentSchemas'];
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const SINGLES = [
  'items',
  'additionalProperties',
  'not',
  'contains',
  'propertyNames',
  'if',
  'then',
  'else',
];

/** Every schema in a schema, itself included, with its JSON pointer. */
export const subschemas = (schema: unknown, at = ''): readonly (readonly [string, Schema])[] => {
  if (!isSchema(schema)) return [];
  const inMaps = MAPS.flatMap((key) =>
    Object.entries(isSchema(schema[key]) ? schema[key] : {}).map(
      ([name, part]) => [`${key}/${name}`, part] as const,
    ),
  );
  const inLists = LISTS.flatMap((key) =>
    (Array.isArray(schema[key]) ? schema[key] : []).map(
      (part, index) => [`${key}/${index}`, part] as const,
    ),
  );
  const single = SINGLES.map((key) => [key, schema[key]] as const);
  return [
    [at, schema],
    ...[...inMaps, ...inLists, ...single].flatMap(([step, part]) =>
      subschemas(part, `${at}/${step}`),
    ),
  ];
};

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const everywhere = ({ inputSchema }: ListedTool, ...rules: readonly Rule[]): Complaints =>
  subschemas(inputSchema).flatMap(([at, schema]) =>
    rules.flatMap((rule) =>
      rule(schema, inputSchema).map((complaint) => `${at || '/'}: ${complaint}`),
    ),
  );

const nameMatches = ({ name }: ListedTool, pattern: RegExp): Complaints =>
  pattern.test(name) ? [] : [`name ${name}`];

const rootIsObject = ({ inputSchema }: ListedTool): Complaints =>
  inputSchema['type'] === 'object' && isSchema(inputSchema['properties'])
    ? []
    : ['the root is no object with properties'];

const rootHasNone = ({ inputSchema }: ListedTool, keywords: readonly string[]): Complaints =>
  keywords
    .filter((keyword) => Object.hasOwn(inputSchema, keyword))
    .map((keyword) => `${keyword} at the root`);

const rootHasOnly = ({ inputSchema }: ListedTool, keywords: readonly string[]): Complaints =>
  Object.keys(inputSchema)
    .filter((keyword) => !keywords.includes(keyword))
    .map((keyword) => `${keyword} at the root`);

const propertyNamesMatch: Rule = ({ properties }) =>
  Object.keys(isSchema(properties) ? properties : {})
    .filter((name) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(name))
    .map((name) => `property ${name}`);

const arraysHaveItems: Rule = ({ type, items }) =>
  [type].flat().includes('array') && !isSchema(items) ? ['an array without items'] : [];

const referencesStayInside: Rule = ({ $ref }, { $defs }) => {
  if ($ref === undefined) return [];
  const name =
    typeof $ref === 'string' ? /^#\/\$defs\/([a-zA-Z0-9_.-]{1,64})$/.exec($ref)?.[1] : undefined;
  return name !== undefined && isSchema($defs) && Object.hasOwn($defs, name)
    ? []
    : [`$ref ${String($ref)}`];
};

const referencesStandAlone: Rule = (schema, root) =>
  schema['$ref'] !== undefined && Object.keys(schema).length > 1
    ? ['keywords beside $ref']
    : referencesStayInside(schema, root);

const requiredAreProperties: Rule = ({ required, properties }) =>
  (Array.isArray(required) ? required : [])
    .filter((name: unknown) => !isSchema(properties) || !Object.hasOwn(properties, String(name)))
    .map((name) => `required ${String(name)} is no property`);

const enumsFitTheirTypes: Rule = ({ enum: values, type }) => {
  if (!Array.isArray(values)) return [];
  const types = [type].flat();
  const fits = (value: unknown) =>
    type === undefined ||
    types.includes(value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value) ||
    (Number.isInteger(value) && types.includes('integer'));
  return values.length > 0 && values.every(fits) ? [] : ['an enum that does not fit its type'];
};

const FORMATS = 'date-time date time duration email hostname ipv4 ipv6 uri uuid'.split(' ');

const formatsAreKnown: Rule = ({ format }) =>
  format === undefined || FORMATS.includes(String(format)) ? [] : [`format ${String(format)}`];

const TYPES = 'null boolean integer number string array object'.split(' ');

const typesAreKnown: Rule = ({ type }) =>
  type === undefined || [type].flat().every((name) => TYPES.includes(String(name)))
    ? []
    : [`type ${String(type)}`];
