import { TOOL_SCOPES, type ToolScope } from '../../openapi/tool-scopes.ts';

/** A map, so that no name is found that an object would inherit. */
const NEEDED: ReadonlyMap<string, ToolScope> = new Map([
  ['tools/list', 'mcp.tools.read'],
  ['resources/list', 'mcp.tools.read'],
  ['resources/templates/list', 'mcp.tools.read'],
  ['resources/read', 'mcp.tools.read'],
  ['prompts/list', 'mcp.tools.read'],
  ['prompts/get', 'mcp.tools.read'],
  ['completion/complete', 'mcp.tools.read'],
  ['tools/call', 'mcp.tools.execute'],
]);

/**
 * Which scopes some JSON-RPC methods need of whoever calls them. The others (`initialize`, `ping`,
 * `logging/setLevel` and what does not exist) need none, only a valid token.
 *
 * Source: docs/decisions/oauth.md, "Scopes".
 */
export const scopesNeeded = (methods: readonly string[]): readonly ToolScope[] => {
  const needed = new Set(methods.map((method) => NEEDED.get(method)));
  return TOOL_SCOPES.filter((scope) => needed.has(scope));
};
