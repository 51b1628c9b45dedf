import { shownServerName } from '../../platform/rules/shown-name.ts';
import { inWords } from './documents.ts';
import { serverIdentity } from './server-info.ts';
import { routerAddresses } from '../../platform/rules/addresses.ts';
import type { ProtocolVersion } from '../../platform/rules/protocol-versions.ts';
import { AUTH_METHOD_TRAITS } from '../../deployments/rules/auth-methods.ts';
import type { Deployment } from '../../deployments/rules/deployment.ts';

const SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';

export const REGISTRY_NAME = /^(?=.{3,200}$)[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/;

/** Limit for titles and descriptions in registries. */
const MOST_CHARACTERS = 100;

/**
 * The `server.json` by which registries of MCP servers list a deployment. The service never sends it to one: owners
 * may.
 * @param name - in the owner's namespace, `REGISTRY_NAME`; by default in that of the service
 * Source: server.json, schema 2025-12-11; docs/decisions/mcp.md, "Registries and cards".
 */
export const serverJson = (baseUrl: string, deployment: Deployment, name?: string) => {
  const { slug, version } = deployment;
  const { docs, messages } = routerAddresses(baseUrl, slug);
  const headers = headersFor(deployment);
  return {
    $schema: SCHEMA,
    name: name ?? registryName(baseUrl, slug),
    ...shownTexts(deployment),
    // Registries take each version number once; a publication of the tools makes a new one.
    version: `0.1.${version}`,
    websiteUrl: deployment.websiteUrl ?? docs,
    remotes: [{ type: 'streamable-http', url: messages, ...(headers && { headers }) }],
  };
};

/** `com.example.mcp/the-slug`: the service's host name in reverse, then the slug. */
const registryName = (baseUrl: string, slug: string): string => {
  const { hostname } = new URL(baseUrl);
  const isName = /[a-z]$/i.test(hostname);
  // IP addresses are not reversed; the brackets of IPv6 are not allowed in names.
  const host = isName ? hostname.split('.').reverse().join('.') : hostname.replace(/[[\]]/g, '');
  return `${host.replaceAll(':', '-')}/${slug}`;
};

/**
 * Shows the name, and the owner's own text or else a count of tools. What the API's description says is left out:
 * strangers can read this even where the deployment requires a login.
 */
const shownTexts = (deployment: Deployment) => {
  const name = shownServerName(deployment);
  const { description = `${name}: ${inWords(deployment)}` } = deployment;
  return { title: shortened(name), description: shortened(description) };
};

const shortened = (text: string): string => {
  const characters = [...text];
  return characters.length <= MOST_CHARACTERS
    ? text
    : `${characters.slice(0, MOST_CHARACTERS - 1).join('')}…`;
};

/** People enter only tokens that an owner hands out: clients get those of a login themselves. */
const headersFor = ({ authMethod }: Deployment) =>
  AUTH_METHOD_TRAITS[authMethod].tokensFrom === 'owner'
    ? [
        {
          name: 'Authorization',
          description: 'A token that the owner of this server has given you.',
          isRequired: true,
          isSecret: true,
          value: 'Bearer {token}',
          variables: { token: { description: 'The token', isRequired: true, isSecret: true } },
        },
      ]
    : undefined;

const CARD_SCHEMA = 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json';

/**
 * What clients may read before they connect: identity, address and MCP versions, but no tools. Source: MCP Server
 * Cards (https://github.com/modelcontextprotocol/modelcontextprotocol/pull/2127); docs/decisions/mcp.md, "Registries
 * and cards".
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
    $schema: CARD_SCHEMA,
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
