/**
 * The version of MCP that documents name, and that answers are in unless a client asks for another.
 * Source: docs/decisions.md, "Protocol versions".
 */
export const PROTOCOL_VERSION = '2025-03-26';

/**
 * What a deployment's MCP server is called, in `initialize` and in every document.
 * Source: docs/protocol.md, "Discovery document".
 */
export const serverIdentity = (slug: string) => ({ name: `${slug}-mcp-server`, version: '0.1.0' });

/** In versions without a handshake. Source: MCP 2026-07-28, "Discovery". */
export const DISCOVERED_CAPABILITIES = { tools: {}, resources: {}, prompts: {} } as const;

/** Source: docs/protocol.md, "Lifecycle". */
export const CAPABILITIES = {
  tools: {},
  resources: {},
  prompts: {},
  logging: {},
  streaming: true,
} as const;
