import { doneBy } from '../../../accounts/rules/operator.ts';
import type { Deployment } from '../../../deployments/rules/deployment.ts';
import { ApiRefusal } from '../../../platform/rules/refusal/api-refusal.ts';
import type { AccountsPorts } from '../../../accounts/ports.ts';
import {
  changeOfService,
  type ChangeDeploymentPorts,
} from '../../../deployments/steps/change-deployment.ts';
import { noDeployment, ownedDeployment } from '../../../deployments/steps/owned-deployment.ts';

type StopDeploymentPorts = ChangeDeploymentPorts & Pick<AccountsPorts, 'events' | 'users'>;

/**
 * Stops a deployment for an operator. Like a paused one it answers 404, within 15 seconds on every instance; its owner
 * can neither resume nor try it.
 *
 * @param operatorId - of the operator's account, if done in the console
 * @throws ApiRefusal not_found, conflict
 * Source: docs/decisions/oauth.md, "Ending everything at once"; docs/decisions/storage.md, "When a change takes effect".
 */
export const stopDeployment = (
  ports: StopDeploymentPorts,
  slug: string,
  operatorId?: string,
): Promise<Deployment> => toStatus(ports, slug, 'stopped', operatorId);

/**
 * Releases a stopped deployment: it is then paused, and its owner may resume it. Without an owner's account nobody
 * could, so it becomes active.
 *
 * @throws ApiRefusal invalid_request unless it is stopped; not_found, conflict
 */
export const releaseDeployment = async (
  ports: StopDeploymentPorts,
  slug: string,
  operatorId?: string,
): Promise<Deployment> => {
  const { status, ownerId } = await ownedDeployment(ports, { slug });
  if (status !== 'stopped') {
    throw new ApiRefusal('invalid_request', `The deployment is ${status}, not stopped.`);
  }
  const owner = await ports.users.find(ownerId);
  return toStatus(ports, slug, owner ? 'paused' : 'active', operatorId);
};

const toStatus = async (
  ports: StopDeploymentPorts,
  slug: string,
  status: 'stopped' | 'paused' | 'active',
  operatorId: string | undefined,
): Promise<Deployment> => {
  const found = await ownedDeployment(ports, { slug });
  const changed = await changeOfService(ports, found, (current) => ({ ...current, status }));
  if (!changed) throw noDeployment();
  const { id: deploymentId, ownerId: subject } = changed;
  const event = status === 'stopped' ? 'deployment_stopped' : 'deployment_released';
  const by = doneBy(operatorId);
  ports.events.record({ type: 'security', event, deploymentId, slug, subject, ...by });
  return changed;
};
