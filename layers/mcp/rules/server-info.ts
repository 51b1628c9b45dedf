import { shownServerName } from '../../platform/rules/shown-name.ts';
import { DEFAULT_VERSION, type ProtocolVersion } from '../../platform/rules/protocol-versions.ts';
import { offersCompletion } from './methods.ts';
import type { Deployment } from '../../deployments/rules/deployment.ts';

/**
 * Name and version of a deployment's MCP server, in `initialize` and in every document. Source:
 * docs/protocol.md, "Discovery document".
 */
export const serverIdentity = (slug: string) => ({ name: `${slug}-mcp-server`, version: '0.1.0' });

/**
 * `serverInfo` with the members that an MCP version knows. Source: `Implementation` in the schemas
 * of MCP 2025-06-18 (title) and 2025-11-25 (description, websiteUrl).
 */
export const serverInfo = (deployment: Deployment, version: ProtocolVersion) => {
  const { slug, description = deployment.apiTexts?.description, websiteUrl } = deployment;
  return {
    ...serverIdentity(slug),
    ...(version >= '2025-06-18' && { title: shownServerName(deployment) }),
    ...(version >= '2025-11-25' && {
      ...(description !== undefined && { description }),
      ...(websiteUrl !== undefined && { websiteUrl }),
    }),
  };
};

/**
 * `instructions` of the server for models. Clients of the service's first MCP version get only what
 * the owner wrote, so that nothing changes for them. Source: docs/decisions/mcp.md, "Instructions".
 */
export const instructionsFor = (
  { instructions, apiTexts }: Deployment,
  version: ProtocolVersion,
): string | undefined =>
  version === DEFAULT_VERSION ? instructions : (instructions ?? apiTexts?.instructions);

/** Source: docs/protocol.md, "Lifecycle". */
export const CAPABILITIES = {
  tools: {},
  resources: {},
  prompts: {},
  logging: {},
  streaming: true,
} as const;

/** Capabilities in `initialize`. */
export const capabilitiesOf = (deployment: Deployment) => ({
  ...CAPABILITIES,
  ...(offersCompletion(deployment) && { completions: {} }),
});

/** Capabilities in `server/discover`. Source: MCP 2026-07-28, "Discovery". */
export const discoveredCapabilitiesOf = (deployment: Deployment) => ({
  tools: {},
  resources: {},
  prompts: {},
  ...(offersCompletion(deployment) && { completions: {} }),
});
