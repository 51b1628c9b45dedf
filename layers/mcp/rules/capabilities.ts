import type { Deployment } from '../../servers/rules/deployment.ts';

/** Source: docs/protocol.md, "Lifecycle". */
export const CAPABILITIES = {
  tools: {},
  resources: {},
  prompts: {},
  logging: {},
  streaming: true,
} as const;

const COMPLETE = 'completion/complete';

/** Whether there is anything to complete: only then it is declared. */
export const offersCompletion = ({ completions = 0 }: Deployment): boolean => completions > 0;

/** A method that is not declared is not there. */
export const isOffered = (deployment: Deployment, method: string): boolean =>
  method !== COMPLETE || offersCompletion(deployment);

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
