import type { Complaints, ModelTool } from './model-tool.ts';
import {
  arraysHaveItems,
  everywhere,
  nameMatches,
  referencesStayInside,
  rootHasNone,
  rootIsObject,
} from './rules.ts';
import { isWellFormed } from './well-formed.ts';

/** In force until 2025, and still where older versions of the API are served. */
const MAX_DESCRIPTION = 1024;

/**
 * Functions that are not strict, as clients hand over tools of MCP servers: in strict mode every property
 * would have to be required, so it cannot hold for arguments that may be left out.
 *
 * Source: OpenAI API, "Function calling", FunctionObject; its answers "schema must have type 'object' and
 * not have 'oneOf'/'anyOf'/'allOf'/'enum'/'const'/'not' at the top level", "array schema missing items"
 * and "string too long. Expected a string with maximum length 1024".
 */
export const openai = (tool: ModelTool): Complaints => [
  ...nameMatches(tool, /^[a-zA-Z0-9_-]{1,64}$/),
  ...isShort(tool),
  ...rootIsObject(tool),
  ...rootHasNone(tool, ['oneOf', 'anyOf', 'allOf', 'enum', 'const', 'not', '$ref']),
  ...everywhere(tool, arraysHaveItems, referencesStayInside, isWellFormed),
];

const isShort = ({ description = '' }: ModelTool): Complaints =>
  description.length > MAX_DESCRIPTION
    ? [`a description of ${description.length} characters, more than ${MAX_DESCRIPTION}`]
    : [];
