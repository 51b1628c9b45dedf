import { ApiRefusal } from '../../domain/refusal.ts';
import type { ToolTrial, ToolTrialResult } from '../../domain/tool-test.ts';
import type { Ports } from '../../ports.ts';
import { type Owned, ownedDeployment } from './owned-deployment.ts';

export type TryOwnedToolPorts = Pick<Ports, 'deploymentEditor' | 'toolIndexes' | 'toolTrials'>;

/**
 * Calls a tool of the owner's, also of a paused deployment, with its credential.
 *
 * @throws ApiRefusal not_found, also for a tool that there is not
 *
 * Source: management-api.md, "POST /deployments/{slug}/tools/{name}/test".
 */
export const tryOwnedTool = async (
  ports: TryOwnedToolPorts,
  owned: Owned,
  trial: Omit<ToolTrial, 'deployment'>,
): Promise<ToolTrialResult> => {
  const { id, slug, ownerId, version, credential } = await ownedDeployment(ports, owned);
  const index = await ports.toolIndexes.find(id, version);
  if (!index?.tools.some(({ name }) => name === trial.tool)) {
    throw new ApiRefusal('not_found', 'The deployment has no tool of this name.');
  }
  return ports.toolTrials.run({
    ...trial,
    deployment: {
      id,
      slug,
      ownerId,
      version,
      ...(credential && { credential: { version: credential.version, setAt: credential.setAt } }),
    },
  });
};
