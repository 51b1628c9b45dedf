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
 * The Messages API refuses a whole request for one bad tool. It accepts names of 128 characters, but its documentation
 * and the tool search tool only 64. It checks property names of the root only; all are checked here, in case that
 * changes.
 * Source: Claude API, "Define tools" (name, `input_schema`); its answers "input_schema does not support oneOf, allOf,
 * or anyOf at the top level", "Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'" and "JSON schema is
 * invalid. It must match JSON Schema draft 2020-12".
 */
const claude = (tool: ModelTool): Complaints => [
  ...nameMatches(tool, /^[a-zA-Z0-9_-]{1,64}$/),
  ...rootIsObject(tool),
  ...rootHasNone(tool, ['oneOf', 'anyOf', 'allOf']),
  ...everywhere(tool, propertyNamesMatch, referencesStayInside, isWellFormed),
];

/** OpenAI's limit until 2025, still in force where older API versions are served. */
const MAX_DESCRIPTION = 1024;

/**
 * Non-strict functions, as clients pass MCP tools: strict mode requires every property, so no argument could be
 * optional.
 * Source: OpenAI API, "Function calling", FunctionObject; its answers "schema must have type 'object' and not have
 * 'oneOf'/'anyOf'/'allOf'/'enum'/'const'/'not' at the top level", "array schema missing items", "string too long.
 * Expected a string with maximum length 1024" and "is not a 'regex'".
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
 * Function declarations with `parametersJsonSchema`, as MCP clients use; unsupported keywords are ignored. The older
 * `parameters`, into which some clients translate, have a schema language of their own: its cheap rules are checked too
 * (formats, enums, and `required` that name properties).
 * Source: Gemini API, FunctionDeclaration (name, description), `responseJsonSchema` (which keywords, `$ref` alone,
 * circles within properties that are not required); its answers "reference to undefined schema", "items: missing
 * field", "required[0]: property is not defined", "enum: only allowed for STRING type", "enum[0]: cannot be empty"
 * (https://github.com/sbroenne/mcp-server-excel/issues/607).
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

/** Gemini unrolls cycles until an optional property ends them. */
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
 * The Converse API checks name, description and the root's type, and leaves the rest to each model's own checks;
 * Claude's are among them. Some models allow only `type`, `properties` and `required` at the root; `$defs` are needed
 * for recursion.
 * Source: Amazon Bedrock API, ToolSpecification (name, description), "Define a tool"; its answer "inputSchema.json.type
 * must be one of the following: object".
 */
const bedrock = (tool: ModelTool): Complaints => [
  ...nameMatches(tool, /^[a-zA-Z0-9_-]{1,64}$/),
  ...isDescribed(tool),
  ...rootIsObject(tool),
  ...rootHasOnly(tool, ['type', 'properties', 'required', '$defs']),
  ...everywhere(tool, propertyNamesMatch, referencesStayInside, isWellFormed),
];

/**
 * Checkers for the model APIs to which MCP clients pass tools. Each is stricter than JSON Schema in its own way, and
 * refuses the whole request for one bad tool.
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
