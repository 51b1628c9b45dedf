import { inWords } from './documents.ts';
import { serverIdentity } from './server-info.ts';
import { routerAddresses } from '../../platform/rules/addresses.ts';
import type { ProtocolVersion } from '../../platform/rules/protocol-versions.ts';
import { AUTH_METHOD_TRAITS } from '../../deployments/rules/auth-methods.ts';
import type { Deployment } from '../../deployments/rules/deployment.ts';

const SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';

/** A namespace in reverse DNS form and a name, as registries of MCP servers have them. */
export const REGISTRY_NAME = /^(?=.{3,200}$)[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/;

/** Of titles and descriptions, in characters. */
const MOST_CHARACTERS = 100;

/**
 * A deployment as registries of MCP servers list it: a `server.json`. Nothing is sent to any registry; an owner may.
 *
 * @param name - in the owner's namespace, `REGISTRY_NAME`; if omitted, in that of the service
 *
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
    // A registry takes each version once, and each version of the tools is one.
    version: `0.1.${version}`,
    websiteUrl: deployment.websiteUrl ?? docs,
    remotes: [{ type: 'streamable-http', url: messages, ...(headers && { headers }) }],
  };
};

/** The name of the service's host backwards, as it stands before the slug. */
const registryName = (baseUrl: string, slug: string): string => {
  const { hostname } = new URL(baseUrl);
  const isName = /[a-z]$/i.test(hostname);
  // A number has no parts that belong to one another from right to left; brackets are not taken.
  const host = isName ? hostname.split('.').reverse().join('.') : hostname.replace(/[[\]]/g, '');
  return `${host.replaceAll(':', '-')}/${slug}`;
};

/**
 * What people see of it: title and description, the owner's own if there is one. What the API's description says is
 * not told here: strangers read this, also of a deployment that asks for a login.
 */
const shownTexts = (deployment: Deployment) => {
  const { name, description = `${name}: ${inWords(deployment)}` } = deployment;
  return { title: shortened(name), description: shortened(description) };
};

const shortened = (text: string): string => {
  const characters = [...text];
  return characters.length <= MOST_CHARACTERS
    ? text
    : `${characters.slice(0, MOST_CHARACTERS - 1).join('')}…`;
};

/** Only tokens that an owner hands out are for people to enter. */
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
 * What clients may read of a deployment before they connect: who it is, where, and which versions it speaks; none of
 * its tools. It says what a client is told once it has connected.
 *
 * Source: MCP Server Cards (https://github.com/modelcontextprotocol/modelcontextprotocol/pull/2127); docs/decisions/mcp.md, "Registries and cards".
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
