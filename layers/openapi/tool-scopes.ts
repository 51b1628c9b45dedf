/** What a token may be asked to do at an MCP server. Source: docs/decisions/oauth.md, "Scopes". */
export const TOOL_SCOPES = ['mcp.tools.read', 'mcp.tools.execute'] as const;
export type ToolScope = (typeof TOOL_SCOPES)[number];

/** Those of some names that are tool scopes, each once, in the service's order. */
export const toolScopesAmong = (names: readonly string[]): readonly ToolScope[] =>
  TOOL_SCOPES.filter((scope) => names.includes(scope));
