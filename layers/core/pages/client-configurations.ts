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

/**
 * Ready to paste; a token that its owner hands out is put in by the reader. Clients that call from elsewhere and
 * take no header are left out where they could not connect.
 */
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
  const isReachable = new URL(url).protocol === 'https:';
  const inTheCloud = (client: string, how: string): readonly ClientConfiguration[] =>
    needsToken || !isReachable ? [] : [{ client, how, paste: url }];
  return [
    {
      client: 'Claude Code',
      how: 'Run in a terminal:',
      paste: `claude mcp add --transport http ${slug} ${url}${option}`,
    },
    ...inTheCloud('Claude', 'Settings, Connectors, Add custom connector. Paste this address:'),
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
    ...inTheCloud(
      'ChatGPT',
      'Settings, Connectors, in developer mode: Create. Paste this address:',
    ),
    {
      client: 'MCP Inspector',
      how: 'Run in a terminal:',
      paste: `npx @modelcontextprotocol/inspector --cli ${url} \\\n  --transport http --method tools/list${option}`,
    },
    {
      client: 'curl',
      how: 'Run in a terminal:',
      paste: `curl ${url} \\\n  -H 'Content-Type: application/json' \\\n  -H 'Accept: application/json, text/event-stream'${curlToken} \\\n  -d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'`,
    },
  ];
};

const pretty = (value: object): string => JSON.stringify(value, null, 2);
