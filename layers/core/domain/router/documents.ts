import { routerAddresses } from '../addresses.ts';
import type { Deployment, McpAuthMethod } from '../deployment.ts';
import { CAPABILITIES, PROTOCOL_VERSION, serverIdentity } from '../server-identity.ts';

const AUTHENTICATION: Readonly<Record<McpAuthMethod, string>> = {
  none: 'This server is public: no authentication is needed.',
  oauth:
    'OAuth 2.1 with PKCE. Send the access token as "Authorization: Bearer <token>"; the ' +
    'protected resource metadata names the authorization server.',
  jwt: 'Send a JWT issued for this server as "Authorization: Bearer <token>".',
};

/** Source: spec, "Discovery document". */
export const discoveryDocument = (baseUrl: string, deployment: Deployment) => {
  const { slug, toolCount, authMethod } = deployment;
  const { messages, health, docs } = routerAddresses(baseUrl, slug);
  return {
    protocol_version: PROTOCOL_VERSION,
    server_info: {
      ...serverIdentity(slug),
      description: `${deployment.name}: ${toolCount} ${toolCount === 1 ? 'tool' : 'tools'}`,
    },
    capabilities: CAPABILITIES,
    endpoints: { messages },
    authentication: {
      required: authMethod !== 'none',
      methods: authMethod === 'none' ? [] : [authMethod],
      description: AUTHENTICATION[authMethod],
    },
    _meta: { health, docs, tool_count: toolCount, api_base: deployment.apiBaseUrl },
  };
};

/** Source: D17. */
export const healthDocument = ({ slug, toolCount }: Deployment) => ({
  status: 'ok',
  slug,
  tool_count: toolCount,
  version: serverIdentity(slug).version,
});
