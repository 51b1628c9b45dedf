import { shownServerName } from '../../platform/rules/shown-name.ts';
import { routerAddresses } from '../../platform/rules/addresses.ts';
import { AUTH_METHOD_TRAITS } from '../../deployments/rules/auth-methods.ts';
import type { Deployment } from '../../deployments/rules/deployment.ts';
import { type ProtocolVersion, PROTOCOL_VERSION } from '../../platform/rules/protocol-versions.ts';
import { toolModeOf } from '../../deployments/rules/publication.ts';
import { CAPABILITIES, serverIdentity } from './server-info.ts';

/** Source: docs/protocol.md, "Discovery document". */
export const discoveryDocument = (
  baseUrl: string,
  deployment: Deployment,
  versions: readonly ProtocolVersion[],
) => {
  const { slug, authMethod } = deployment;
  const { tokensFrom, description } = AUTH_METHOD_TRAITS[authMethod];
  const needsToken = tokensFrom !== 'nowhere';
  const counts = countsOf(deployment);
  const { messages, health, docs } = routerAddresses(baseUrl, slug);
  return {
    protocol_version: PROTOCOL_VERSION,
    server_info: {
      ...serverIdentity(slug),
      description: `${shownServerName(deployment)}: ${inWords(deployment)}`,
    },
    capabilities: CAPABILITIES,
    endpoints: { messages },
    authentication: {
      required: needsToken,
      methods: needsToken ? [authMethod] : [],
      description,
    },
    _meta: {
      health,
      docs,
      ...counts,
      api_base: deployment.apiBaseUrl,
      protocol_versions: versions,
    },
  };
};

/** Source: docs/decisions/mcp.md, "Health and docs". */
export const healthDocument = (deployment: Deployment) => ({
  status: 'ok',
  slug: deployment.slug,
  ...countsOf(deployment),
  version: serverIdentity(deployment.slug).version,
});

const SEARCH_TOOLS = 3;

/** `operation_count` only in search mode, where a few tools stand for all operations. */
const countsOf = ({
  toolCount,
  publication,
}: Deployment): { readonly tool_count: number; readonly operation_count?: number } =>
  toolModeOf(publication) === 'search'
    ? { tool_count: SEARCH_TOOLS, operation_count: toolCount }
    : { tool_count: toolCount };

/** `3 tools for 1200 operations`. */
export const inWords = (deployment: Deployment): string => {
  const { tool_count: tools, operation_count: operations } = countsOf(deployment);
  const counted = `${tools} ${tools === 1 ? 'tool' : 'tools'}`;
  if (operations === undefined) return counted;
  return `${counted} for ${operations} ${operations === 1 ? 'operation' : 'operations'}`;
};
