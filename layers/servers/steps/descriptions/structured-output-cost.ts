import { estimateTokens, toolTokens } from '../../../openapi/model-apis/token-estimate.ts';
import type { Finding } from '../../../platform/rules/refusal/api-refusal.ts';
import type { CompiledTool } from '../../../openapi/tool-index.ts';

/** Less is not worth a word. */
const WORTH_SAYING = 1000;

/**
 * What structured output adds to the list of tools, where that is much: clients may hand output schemas to models.
 *
 * Source: docs/tools.md, "Structured output".
 */
export const structuredOutputCost = (tools: readonly CompiledTool[]): readonly Finding[] => {
  const tokensOf = (of: (tool: CompiledTool) => number): number =>
    tools.reduce((sum, tool) => sum + of(tool), 0);
  const more = tokensOf(({ output }) => (output ? estimateTokens(output.schema) : 0));
  if (more < WORTH_SAYING) return [];
  const before = tokensOf(({ listed }) => toolTokens(listed));
  return [
    {
      where: '/structured_output',
      what: `output schemas take about ${more} tokens beside the ${before} of the tools`,
      hint: 'Nothing has to be done. Where clients show models the output schemas too, choose it for single tools only, by overrides.',
    },
  ];
};
