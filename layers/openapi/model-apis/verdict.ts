import { toolTokens } from './token-estimate.ts';
import { bedrock } from './bedrock.ts';
import { claude } from './claude.ts';
import { gemini } from './gemini.ts';
import type { Complaints, ModelTool } from './model-tool.ts';
import { openai } from './openai.ts';

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

/** How model APIs see a tool. */
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
