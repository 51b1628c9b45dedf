import { bedrock } from './bedrock.ts';
import { claude } from './claude.ts';
import { gemini } from './gemini.ts';
import type { Complaints, ListedTool } from './listed-tool.ts';
import { openai } from './openai.ts';

export type { Complaints, ListedTool } from './listed-tool.ts';
export { subschemas } from './subschemas.ts';

/**
 * The rules of the model APIs that MCP clients hand tools to, one checker each. They are stricter than
 * JSON Schema, differently so, and refuse the whole request for a single bad tool. Source: tools.md.
 */
export const MODEL_APIS = {
  Claude: claude,
  OpenAI: openai,
  Gemini: gemini,
  Bedrock: bedrock,
} as const satisfies Readonly<Record<string, (tool: ListedTool) => Complaints>>;

export type ModelApi = keyof typeof MODEL_APIS;
