import { RpcRefusal } from './rpc-refusal.ts';

/**
 * A call of a tool that is there, refused for its arguments, or failed for its target. In newer versions of
 * MCP a model is told so by a result, where older ones have an error.
 *
 * Source: MCP 2025-11-25, "Tools", "Error Handling"; docs/decisions/mcp.md, "Failed calls".
 */
export class ToolRefusal extends RpcRefusal {
  readonly at: 'arguments' | 'target';

  constructor(at: 'arguments' | 'target', ...refusal: ConstructorParameters<typeof RpcRefusal>) {
    super(...refusal);
    this.at = at;
  }
}
