import { routerAddresses } from '../../platform/rules/addresses.ts';
import type { Deployment } from '../../servers/rules/deployment.ts';
import type { ProtocolVersion } from '../../platform/rules/protocol-versions.ts';
import { headersFor, registryName, shownTexts } from './server-json.ts';
import { serverIdentity } from './server-identity.ts';

const SCHEMA = 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json';

/**
 * What clients may read of a deployment before they connect: who it is, where, and which versions it speaks; none of
 * its tools. It says what a client is told once it has connected.
 *
 * Source: SEP-2127, MCP Server Cards; docs/decisions/mcp.md, "Registries and cards".
 */
export const serverCard = (
  baseUrl: string,
  deployment: Deployment,
  versions: readonly ProtocolVersion[],
) => {
  const { slug } = deployment;
  const { docs, messages } = routerAddresses(baseUrl, slug);
  const headers = headersFor(deployment);
  return {
    $schema: SCHEMA,
    name: registryName(baseUrl, slug),
    version: serverIdentity(slug).version,
    ...shownTexts(deployment),
    websiteUrl: deployment.websiteUrl ?? docs,
    remotes: [
      {
        type: 'streamable-http',
        url: messages,
        ...(headers && { headers }),
        supportedProtocolVersions: versions,
      },
    ],
  };
};
