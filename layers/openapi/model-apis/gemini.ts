import type { Complaints, ModelTool } from './model-tool.ts';
import { PORTABLE_FORMATS } from '../json-schema/formats.ts';
import { isObject } from '../../platform/rules/json/json.ts';
import { cycleFinder } from '../json-schema/reference-graph.ts';
import { requiredReferences } from '../json-schema/subschemas.ts';
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
export const gemini = (tool: ModelTool): Complaints => [
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
    .filter((name: unknown) => !isObject(properties) || !Object.hasOwn(properties, String(name)))
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
