import type { Deployment } from '../../deployments/rules/deployment.ts';
import type { Revisions } from '../../deployments/rules/revision.ts';
import {
  changeDeployment,
  type ChangeDeploymentPorts,
} from '../../deployments/steps/change-deployment.ts';
import {
  noDeployment,
  type Owned,
  ownedDeployment,
} from '../../deployments/steps/owned-deployment.ts';

/**
 * Releases a deployment, which its owner changes from then on. Idempotent.
 *
 * @throws ApiRefusal not_found, stale, conflict
 * Source: docs/declarations.md, "Who manages a server".
 */
export const releaseFromManager = async (
  ports: ChangeDeploymentPorts,
  { revisions, ...owned }: Owned & { readonly revisions?: Revisions },
): Promise<void> => {
  const before = await ownedDeployment(ports, owned);
  if (!before.managedBy) return;
  const released = await changeDeployment(ports, before, unmanaged, revisions);
  if (!released) throw noDeployment();
};

const unmanaged = (before: Deployment): Deployment => {
  const { managedBy: _, ...deployment } = before;
  return deployment;
};
