import type { Deployment, DeploymentCredential } from '../../../domain/deployments/deployment.ts';
import { ApiRefusal } from '../../../domain/refusal.ts';
import type { Ports } from '../../../ports.ts';
import { type Owned, ownedDeployment } from '../deployments/owned-deployment.ts';

/**
 * What a deployment's credential is, but for its value, which nobody is shown.
 *
 * @throws ApiRefusal not_found
 */
export const describeCredential = async (
  ports: Pick<Ports, 'deploymentEditor'>,
  owned: Owned,
): Promise<{ readonly deployment: Deployment; readonly credential: DeploymentCredential }> => {
  const deployment = await ownedDeployment(ports, owned);
  const { credential } = deployment;
  if (!credential) throw new ApiRefusal('not_found', 'The deployment has no credential.');
  return { deployment, credential };
};
