import type { Complaints, ModelTool } from './model-tool.ts';
import {
  everywhere,
  nameMatches,
  propertyNamesMatch,
  referencesStayInside,
  rootHasNone,
  rootIsObject,
} from './rules.ts';
import { isWellFormed } from './well-formed.ts';

/**
 * The Messages API refuses the whole request for one bad tool. Names of 128 characters are taken today;
 * the documentation, and tools that are searched for, have 64. Of property names only the root's are
 * checked today; here all are, so that a check that comes later breaks nothing.
 *
 * Source: Claude API, "Define tools" (name, `input_schema`); its answers "input_schema does not support
 * oneOf, allOf, or anyOf at the top level", "Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'"
 * and "JSON schema is invalid. It must match JSON Schema draft 2020-12".
 */
export const claude = (tool: ModelTool): Complaints => [
  ...nameMatches(tool, /^[a-zA-Z0-9_-]{1,64}$/),
  ...rootIsObject(tool),
  ...rootHasNone(tool, ['oneOf', 'anyOf', 'allOf']),
  ...everywhere(tool, propertyNamesMatch, referencesStayInside, isWellFormed),
];
