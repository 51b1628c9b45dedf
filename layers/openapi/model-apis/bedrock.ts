import type { Complaints, ModelTool } from './model-tool.ts';
import {
  everywhere,
  isDescribed,
  nameMatches,
  propertyNamesMatch,
  referencesStayInside,
  rootHasOnly,
  rootIsObject,
} from './rules.ts';
import { isWellFormed } from './well-formed.ts';

/**
 * The Converse API, with whatever model: it looks at the name, the description and the root's type itself
 * and hands the rest to the model's own checks; Claude's are among them. Some models want nothing at the
 * root besides type, properties and required; definitions are needed for what contains itself.
 *
 * Source: Amazon Bedrock API, ToolSpecification (name, description), "Define a tool"; its answer
 * "inputSchema.json.type must be one of the following: object".
 */
export const bedrock = (tool: ModelTool): Complaints => [
  ...nameMatches(tool, /^[a-zA-Z0-9_-]{1,64}$/),
  ...isDescribed(tool),
  ...rootIsObject(tool),
  ...rootHasOnly(tool, ['type', 'properties', 'required', '$defs']),
  ...everywhere(tool, propertyNamesMatch, referencesStayInside, isWellFormed),
];
