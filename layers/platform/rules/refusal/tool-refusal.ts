import { RpcRefusal } from './rpc-refusal.ts';

/**
 * A call of an existing tool that failed by its arguments or its target. Newer MCP versions report this to the model as
 * a result, older ones as an error.
 * Source: MCP 2025-11-25, "Tools", "Error Handling"; docs/decisions/mcp.md, "Failed calls".
 */
export class ToolRefusal extends RpcRefusal {
  readonly at: 'arguments' | 'target';

  constructor(at: 'arguments' | 'target', ...refusal: ConstructorParameters<typeof RpcRefusal>) {
    super(...refusal);
    this.at = at;
  }
}
