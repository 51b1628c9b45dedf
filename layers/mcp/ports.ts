import type { StoredReplies } from './store/stored-replies.ts';

/** What `mcp` lends to whoever asks for it by name. */
export interface McpPorts {
  readonly storedReplies: StoredReplies;
}

/** What operators set of `mcp`. */
export interface McpSettings {
  /**
   * Set in the local run alone: pages beside those of loopback that may use deployments of mode `none`.
   * Source: docs/decisions/mcp.md, "Pages and local deployments".
   */
  readonly localOrigins?: readonly string[];
  /** Whether deployments have a card. Source: docs/decisions/mcp.md, "Registries and cards". */
  readonly serverCards?: boolean;
}
