import type { ActivityPorts } from '../activity/ports.ts';
import type { ConnectionsPorts } from '../connections/ports.ts';
import type { ContentsPorts } from '../contents/ports.ts';
import type { StoredReplies } from './store/stored-replies.ts';

export interface McpPorts extends ActivityPorts, ConnectionsPorts, ContentsPorts {
  readonly storedReplies: StoredReplies;
}

export interface McpSettings {
  /**
   * Set in the local run alone: web pages beside those of loopback that may use deployments of mode
   * `none`. Source: docs/decisions/mcp.md, "Pages and local deployments".
   */
  readonly localOrigins?: readonly string[];
  /** Whether deployments serve a server card. Source: docs/decisions/mcp.md, "Registries and cards". */
  readonly serverCards?: boolean;
}
