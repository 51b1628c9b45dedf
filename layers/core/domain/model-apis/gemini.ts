import { circular } from './circular.ts';
import { type Complaints, isSchema, type ListedTool, type Schema } from './listed-tool.ts';
import {
  arraysHaveItems,
  everywhere,
  isDescribed,
  MAX_COMPLAINTS,
  nameMatches,
  referencesStayInside,
  rootIsObject,
  type Rule,
} from './rules.ts';
import { partsOf } from './subschemas.ts';
import { isWellFormed } from './well-formed.ts';

/**
 * Function declarations with `parametersJsonSchema`, which MCP clients use; keywords beyond the supported
 * ones are passed over. The older `parameters` have a schema language of their own, which clients
 * translate into: what of it can be kept at no loss is kept (formats, enums and `required` that fit their
 * types).
 *
 * Source: Gemini API, FunctionDeclaration (name, description), `responseJsonSchema` (which keywords, `$ref`
 * alone, circles within properties that are not required); its answers "reference to undefined schema",
 * "items: missing field", "required[0]: property is not defined", "enum: only allowed for STRING type".
 */
export const gemini = (tool: ListedTool): Complaints => [
  ...nameMatches(tool, /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/),
  ...isDescribed(tool),
  ...rootIsObject(tool),
  ...everywhere(
    tool,
    arraysHaveItems,
    referencesStandAlone,
    referencesStayInside,
    requiredAreProperties,
    enumsFitTheirTypes,
    formatsAreKnown,
    isWellFormed,
  ),
  ...circlesCanEnd(tool),
];

const referencesStandAlone: Rule = (schema) =>
  schema['$ref'] !== undefined && Object.keys(schema).some((keyword) => !keyword.startsWith('$'))
    ? ['keywords beside $ref']
    : [];

const requiredAreProperties: Rule = ({ required, properties }) =>
  (Array.isArray(required) ? required : [])
    .filter((name: unknown) => !isSchema(properties) || !Object.hasOwn(properties, String(name)))
    .map((name) => `the required ${JSON.stringify(name)} is no property`);

const enumsFitTheirTypes: Rule = ({ enum: values, type }) => {
  if (!Array.isArray(values)) return [];
  const types = [type].flat();
  const fits = (value: unknown) =>
    type === undefined ||
    types.includes(value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value) ||
    (Number.isInteger(value) && types.includes('integer'));
  return values.length > 0 && values.every(fits) ? [] : ['an enum that does not fit its type'];
};

const FORMATS = new Set(
  'date-time date time duration email hostname ipv4 ipv6 uri uuid'.split(' '),
);

const formatsAreKnown: Rule = ({ format }) =>
  format === undefined || FORMATS.has(String(format))
    ? []
    : [`the format ${JSON.stringify(format)}`];

/** Circles are unrolled until they can be left, at a property that is not required. */
const circlesCanEnd = ({ inputSchema }: ListedTool): Complaints => {
  const { $defs } = inputSchema;
  const definitions = Object.entries(isSchema($defs) ? $defs : {});
  const next = new Map(
    definitions.map(([name, schema]) => [name, isSchema(schema) ? inevitable(schema) : new Set()]),
  );
  return circular(next)
    .slice(0, MAX_COMPLAINTS)
    .map((name) => `/$defs/${name}: contains itself within required properties only`);
};

/** Definitions that a schema leads to without a property that may be left out in between. */
const inevitable = (schema: Schema): ReadonlySet<unknown> => {
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const found = new Set<unknown>();
  if (typeof schema['$ref'] === 'string') found.add(schema['$ref'].replace('#/$defs/', ''));
  for (const { keyword, key, schema: part } of partsOf(schema)) {
    const isOptional = keyword === 'properties' && !required.includes(key);
    if (!isOptional) for (const name of inevitable(part)) found.add(name);
  }
  return found;
};
