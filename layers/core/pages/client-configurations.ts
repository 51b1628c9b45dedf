import { routerAddresses } from '../domain/addresses.ts';
import { AUTH_METHOD_TRAITS } from '../domain/auth-methods.ts';
import type { Deployment } from '../domain/deployments/deployment.ts';

/** How to connect one client: what to do in words, and what to paste. */
export interface ClientConfiguration {
  readonly client: string;
  readonly how: string;
  readonly paste: string;
}

const PLACEHOLDER = 'Bearer YOUR_TOKEN';

/** Ready to paste; a token that its owner hands out is put in by the reader. */
export const clientConfigurations = (
  baseUrl: string,
  { slug, authMethod }: Deployment,
): readonly ClientConfiguration[] => {
  const { messages: url } = routerAddresses(baseUrl, slug);
  const { tokensFrom } = AUTH_METHOD_TRAITS[authMethod];
  const needsToken = tokensFrom === 'owner';
  const headers = needsToken && { headers: { Authorization: PLACEHOLDER } };
  const option = needsToken ? ` \\\n  --header "Authorization: ${PLACEHOLDER}"` : '';
  const curlToken = tokensFrom === 'nowhere' ? '' : ` \\\n  -H 'Authorization: ${PLACEHOLDER}'`;
  return [
    {
      client: 'Claude Code',
      how: 'Run in a terminal:',
      paste: `claude mcp add --transport http ${slug} ${url}${option}`,
    },
    {
      client: 'Claude',
      how: 'Settings, Connectors, Add custom connector. Paste this address:',
      paste: url,
    },
    {
      client: 'Cursor',
      how: 'In .cursor/mcp.json of a project, or ~/.cursor/mcp.json:',
      paste: pretty({ mcpServers: { [slug]: { url, ...headers } } }),
    },
    {
      client: 'VS Code',
      how: 'In .vscode/mcp.json of a project:',
      paste: pretty({ servers: { [slug]: { type: 'http', url, ...headers } } }),
    },
    {
      client: 'ChatGPT',
      how: 'Settings, Connectors, in developer mode: Create. Paste this address:',
      paste: url,
    },
    {
      client: 'MCP Inspector',
      how: 'Run in a terminal:',
      paste: `npx @modelcontextprotocol/inspector --cli ${url} \\\n  --transport http --method tools/list${option}`,
    },
    {
      client: 'curl',
      how: 'Run in a terminal:',
      paste: `curl ${url} \\\n  -H 'Content-Type: application/json'${curlToken} \\\n  -d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'`,
    },
  ];
};

const pretty = (value: object): string => JSON.stringify(value, null, 2);
