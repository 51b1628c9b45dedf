import { toolTokens } from './token-estimate.ts';
import {
  arraysHaveItems,
  type Complaints,
  everywhere,
  isDescribed,
  isWellFormed,
  MAX_COMPLAINTS,
  type ModelTool,
  nameMatches,
  patternsAreRead,
  propertyNamesMatch,
  referencesStayInside,
  rootHasNone,
  rootHasOnly,
  rootIsObject,
  type Rule,
} from './rules.ts';
import { PORTABLE_FORMATS } from '../json-schema/formats.ts';
import { isObject } from '../../platform/rules/json/json.ts';
import { cycleFinder } from '../json-schema/reference-graph.ts';
import { requiredReferences } from '../json-schema/subschemas.ts';

/**
 * The Messages API refuses the whole request for one bad tool. Names of 128 characters are taken today;
 * the documentation, and tools that are searched for, have 64. Of property names only the root's are
 * checked today; here all are, so that a check that comes later breaks nothing.
 *
 * Source: Claude API, "Define tools" (name, `input_schema`); its answers "input_schema does not support
 * oneOf, allOf, or anyOf at the top level", "Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'"
 * and "JSON schema is invalid. It must match JSON Schema draft 2020-12".
 */
const claude = (tool: ModelTool): Complaints => [
  ...nameMatches(tool, /^[a-zA-Z0-9_-]{1,64}$/),
  ...rootIsObject(tool),
  ...rootHasNone(tool, ['oneOf', 'anyOf', 'allOf']),
  ...everywhere(tool, propertyNamesMatch, referencesStayInside, isWellFormed),
];

/** In force until 2025, and still where older versions of the API are served. */
const MAX_DESCRIPTION = 1024;

/**
 * Functions that are not strict, as clients hand over tools of MCP servers: in strict mode every property
 * would have to be required, so it cannot hold for arguments that may be left out.
 *
 * Source: OpenAI API, "Function calling", FunctionObject; its answers "schema must have type 'object' and
 * not have 'oneOf'/'anyOf'/'allOf'/'enum'/'const'/'not' at the top level", "array schema missing items",
 * "string too long. Expected a string with maximum length 1024" and "is not a 'regex'".
 */
const openai = (tool: ModelTool): Complaints => [
  ...nameMatches(tool, /^[a-zA-Z0-9_-]{1,64}$/),
  ...isShort(tool),
  ...rootIsObject(tool),
  ...rootHasNone(tool, ['oneOf', 'anyOf', 'allOf', 'enum', 'const', 'not', '$ref']),
  ...everywhere(tool, arraysHaveItems, patternsAreRead, referencesStayInside, isWellFormed),
];

const isShort = ({ description = '' }: ModelTool): Complaints =>
  description.length > MAX_DESCRIPTION
    ? [`a description of ${description.length} characters, more than ${MAX_DESCRIPTION}`]
    : [];

/**
 * Function declarations with `parametersJsonSchema`, which MCP clients use; keywords beyond the supported
 * ones are passed over. The older `parameters` have a schema language of their own, which clients
 * translate into: what of it costs nothing is observed (formats, enums and `required` that fit their
 * types).
 *
 * Source: Gemini API, FunctionDeclaration (name, description), `responseJsonSchema` (which keywords, `$ref`
 * alone, circles within properties that are not required); its answers "reference to undefined schema",
 * "items: missing field", "required[0]: property is not defined", "enum: only allowed for STRING type",
 * "enum[0]: cannot be empty" (https://github.com/sbroenne/mcp-server-excel/issues/607).
 */
const gemini = (tool: ModelTool): Complaints => [
  ...nameMatches(tool, /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/),
  ...isDescribed(tool),
  ...rootIsObject(tool),
  ...everywhere(
    tool,
    arraysHaveItems,
    referencesStandAlone,
    referencesStayInside,
    requiredAreProperties,
    enumsAreTexts,
    formatsAreKnown,
    patternsAreRead,
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
    .filter((name: unknown) => !isObject(properties) || !Object.hasOwn(properties, String(name)))
    .map((name) => `the required ${JSON.stringify(name)} is no property`);

const enumsAreTexts: Rule = ({ enum: values, type }) => {
  if (!Array.isArray(values)) return [];
  const mayBeText = type === undefined || [type].flat().includes('string');
  const isText = mayBeText && values.length > 0 && values.every((one) => typeof one === 'string');
  if (!isText) return ['an enum of something other than texts'];
  return values.includes('') ? ['an enum with the empty text'] : [];
};

const formatsAreKnown: Rule = ({ format }) =>
  format === undefined || PORTABLE_FORMATS.has(String(format))
    ? []
    : [`the format ${JSON.stringify(format)}`];

/** Circles are unrolled until they can be left, at a property that is not required. */
const circlesCanEnd = ({ inputSchema }: ModelTool): Complaints => {
  const { $defs } = inputSchema;
  const definitions = new Map(Object.entries(isObject($defs) ? $defs : {}));
  const isEndless = cycleFinder((ref: string) => {
    const schema = definitions.get(nameIn(ref));
    return isObject(schema) ? requiredReferences(schema) : [];
  });
  return [...definitions.keys()]
    .filter((name) => isEndless(`${DEFINITIONS}${name}`))
    .slice(0, MAX_COMPLAINTS)
    .map((name) => `/$defs/${name}: contains itself within required properties only`);
};

const DEFINITIONS = '#/$defs/';
const nameIn = (ref: string): string => ref.slice(DEFINITIONS.length);

/**
 * The Converse API, with whatever model: it looks at the name, the description and the root's type itself
 * and hands the rest to the model's own checks; Claude's are among them. Some models want nothing at the
 * root besides type, properties and required; definitions are needed for what contains itself.
 *
 * Source: Amazon Bedrock API, ToolSpecification (name, description), "Define a tool"; its answer
 * "inputSchema.json.type must be one of the following: object".
 */
const bedrock = (tool: ModelTool): Complaints => [
  ...nameMatches(tool, /^[a-zA-Z0-9_-]{1,64}$/),
  ...isDescribed(tool),
  ...rootIsObject(tool),
  ...rootHasOnly(tool, ['type', 'properties', 'required', '$defs']),
  ...everywhere(tool, propertyNamesMatch, referencesStayInside, isWellFormed),
];

/**
 * The rules of the model APIs that MCP clients hand tools to, one checker each. They are stricter than
 * JSON Schema, differently so, and refuse the whole request for a single bad tool.
 * Source: docs/tools.md, "Model APIs".
 */
export const MODEL_APIS = {
  Claude: claude,
  OpenAI: openai,
  Gemini: gemini,
  Bedrock: bedrock,
} as const satisfies Readonly<Record<string, (tool: ModelTool) => Complaints>>;

export type ModelApi = keyof typeof MODEL_APIS;

export interface Verdict {
  /** Of a client's context, roughly. */
  readonly tokens: number;
  readonly acceptedBy: readonly ModelApi[];
  readonly refusedBy: readonly Refusing[];
}

interface Refusing {
  readonly api: ModelApi;
  readonly complaints: Complaints;
}

export const verdictOn = (tool: ModelTool): Verdict => {
  const opinions = (Object.keys(MODEL_APIS) as readonly ModelApi[]).map((api): Refusing => ({
    api,
    complaints: MODEL_APIS[api](tool),
  }));
  return {
    tokens: toolTokens(tool),
    acceptedBy: opinions.filter(({ complaints }) => complaints.length === 0).map(({ api }) => api),
    refusedBy: opinions.filter(({ complaints }) => complaints.length > 0),
  };
};
