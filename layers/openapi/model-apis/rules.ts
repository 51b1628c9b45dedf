import type { Complaints, ModelTool } from './model-tool.ts';
import { isObject } from '../../platform/rules/json/json.ts';
import type { Schema } from '../json-schema/schema.ts';
import { subschemas } from '../json-schema/subschemas.ts';

/** What one schema must be like, wherever it stands below the root. */
export type Rule = (schema: Schema, root: Schema) => Complaints;

/** Enough to act on; a description of thousands of schemas may break a rule in each. */
export const MAX_COMPLAINTS = 20;

export const everywhere = ({ inputSchema }: ModelTool, ...rules: readonly Rule[]): Complaints =>
  subschemas(inputSchema)
    .flatMap(([at, schema]) =>
      rules.flatMap((rule) =>
        rule(schema, inputSchema).map((complaint) => `${at || '/'}: ${complaint}`),
      ),
    )
    .slice(0, MAX_COMPLAINTS);

export const nameMatches = ({ name }: ModelTool, pattern: RegExp): Complaints =>
  pattern.test(name) ? [] : [`the name ${JSON.stringify(name)} does not match ${pattern.source}`];

export const rootIsObject = ({ inputSchema }: ModelTool): Complaints =>
  inputSchema['type'] === 'object' && isObject(inputSchema['properties'])
    ? []
    : ['the arguments are no object with properties'];

export const rootHasNone = ({ inputSchema }: ModelTool, keywords: readonly string[]): Complaints =>
  keywords
    .filter((keyword) => Object.hasOwn(inputSchema, keyword))
    .map((keyword) => `${keyword} at the root of the arguments`);

export const rootHasOnly = ({ inputSchema }: ModelTool, keywords: readonly string[]): Complaints =>
  Object.keys(inputSchema)
    .filter((keyword) => !keywords.includes(keyword))
    .map((keyword) => `${keyword} at the root of the arguments`);

export const isDescribed = ({ description }: ModelTool): Complaints =>
  description === undefined || description.trim() === '' ? ['no description'] : [];

export const propertyNamesMatch: Rule = ({ properties }) =>
  Object.keys(isObject(properties) ? properties : {})
    .filter((name) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(name))
    .map((name) => `the property name ${JSON.stringify(name)}`);

export const arraysHaveItems: Rule = ({ type, items }) =>
  [type].flat().includes('array') && !isObject(items) ? ['an array without items'] : [];

/** References lead into `$defs` of the same schema, and to something. */
export const referencesStayInside: Rule = ({ $ref }, { $defs }) => {
  if ($ref === undefined) return [];
  const name =
    typeof $ref === 'string' ? /^#\/\$defs\/([a-zA-Z0-9_.-]{1,64})$/.exec($ref)?.[1] : undefined;
  return name !== undefined && isObject($defs) && Object.hasOwn($defs, name)
    ? []
    : [`the reference ${String($ref)} leads nowhere`];
};
