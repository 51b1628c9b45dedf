import type { Deployment } from '../../rules/deployment.ts';
import type { Ports } from '../../../ports.ts';
import { type Owned, ownedDeployment } from '../deployments/owned-deployment.ts';
import { checkRevision, type Revisions } from '../../rules/revision.ts';
import { changeDeployment, type ChangeDeploymentPorts } from '../deployments/change-deployment.ts';

export type RemoveCredentialPorts = ChangeDeploymentPorts & Pick<Ports, 'credentialVault'>;

export interface CredentialToRemove extends Owned {
  readonly revisions?: Revisions;
}

/**
 * Takes a deployment's credential away. The deployment lets go of it first, so that no call is made with
 * a value that is half gone. What a try that broke off has left in the store goes as well.
 *
 * @throws ApiRefusal not_found, stale, conflict
 */
export const removeCredential = async (
  ports: RemoveCredentialPorts,
  { revisions, ...owned }: CredentialToRemove,
): Promise<void> => {
  const deployment = await ownedDeployment(ports, owned);
  checkRevision(deployment, revisions);
  await removeFrom(ports, deployment, revisions);
};

const removeFrom = async (
  ports: RemoveCredentialPorts,
  before: Deployment,
  revisions?: Revisions,
): Promise<void> => {
  const { credentialVault, deploymentEditor } = ports;
  if (before.credential) await changeDeployment(ports, before, withoutCredential, revisions);
  await credentialVault.remove(before.id);
  // One that was set at the same time lost its value to us: it goes as well.
  const after = await deploymentEditor.read(before.slug);
  if (after?.id === before.id && after.credential) await removeFrom(ports, after);
};

const withoutCredential = (deployment: Deployment): Deployment => {
  const { credential: _, ...rest } = deployment;
  return rest;
};
