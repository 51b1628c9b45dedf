import { DEFAULT_VERSION, type ProtocolVersion } from '../../platform/rules/protocol-versions.ts';
import { offersCompletion } from './methods.ts';
import type { Deployment } from '../../deployments/rules/deployment.ts';

/**
 * What a deployment's MCP server is called, in `initialize` and in every document.
 * Source: docs/protocol.md, "Discovery document".
 */
export const serverIdentity = (slug: string) => ({ name: `${slug}-mcp-server`, version: '0.1.0' });

/**
 * What a version of MCP knows of a server.
 * Source: `Implementation` in the schemas of MCP 2025-06-18 (title) and 2025-11-25 (description, websiteUrl).
 */
export const serverInfo = (deployment: Deployment, version: ProtocolVersion) => {
  const { slug, name, description = deployment.apiTexts?.description, websiteUrl } = deployment;
  return {
    ...serverIdentity(slug),
    ...(version >= '2025-06-18' && { title: name }),
    ...(version >= '2025-11-25' && {
      ...(description !== undefined && { description }),
      ...(websiteUrl !== undefined && { websiteUrl }),
    }),
  };
};

/**
 * What models are told of a server as a whole. Clients of the version that the service began with get
 * what its owner wrote alone, so that they see nothing that they did not see before.
 *
 * Source: docs/decisions/mcp.md, "Instructions".
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

/** Those of a version with a handshake. */
export const capabilitiesOf = (deployment: Deployment) => ({
  ...CAPABILITIES,
  ...(offersCompletion(deployment) && { completions: {} }),
});

/** In versions without one. Source: MCP 2026-07-28, "Discovery". */
export const discoveredCapabilitiesOf = (deployment: Deployment) => ({
  tools: {},
  resources: {},
  prompts: {},
  ...(offersCompletion(deployment) && { completions: {} }),
});
