/** The version of MCP that we speak, whatever a client asks for. Source: spec, "Versioning"; D10. */
export const PROTOCOL_VERSION = '2025-03-26';

/** What a deployment's MCP server is called, in `initialize` and in every document. Source: spec, "Discovery document". */
export const serverIdentity = (slug: string) => ({ name: `${slug}-mcp-server`, version: '0.1.0' });

/** Source: spec, "JSON-RPC methods": empty objects, and `streaming`. */
export const CAPABILITIES = {
  tools: {},
  resources: {},
  prompts: {},
  logging: {},
  streaming: true,
} as const;
