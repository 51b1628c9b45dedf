import { checkCredential, describeCredential } from '../../../domain/credentials/index.ts';
import type { Deployment, DeploymentCredential } from '../../../domain/deployment.ts';
import type { Credential } from '../../../domain/target.ts';
import type { Ports } from '../../../ports.ts';
import { noDeployment, type Owned, ownedDeployment } from '../owned-deployment.ts';
import {
  changeDeployment,
  type ChangeDeploymentPorts,
  checkRevision,
  type Revisions,
} from './change-deployment.ts';

export type SetCredentialPorts = ChangeDeploymentPorts & Pick<Ports, 'credentialVault' | 'mint'>;

export interface CredentialToSet extends Owned {
  readonly credential: Credential;
  readonly revisions?: Revisions;
}

/**
 * Gives a deployment a credential, in place of the one it has. The value is stored before the deployment
 * points to it, so whatever breaks off in between leaves the old one in use. Routers use the new one
 * from their next look at the deployment, at the latest 15 s later.
 *
 * @throws ApiRefusal invalid_request, not_found, stale, conflict
 *
 * Source: management-api.md, "Credentials".
 */
export const setCredential = async (
  ports: SetCredentialPorts,
  { credential, revisions, ...owned }: CredentialToSet,
): Promise<{ readonly deployment: Deployment; readonly credential: DeploymentCredential }> => {
  const { clock, credentialVault, mint } = ports;
  checkCredential(credential);
  const before = await ownedDeployment(ports, owned);
  checkRevision(before, revisions);
  const { id: deploymentId, ownerId } = before;
  const described = describeCredential(credential, mint.id(), clock.now());

  const ref = { deploymentId, ownerId, version: described.version };
  const store = () => credentialVault.put(ref, credential, before.credential?.version);
  await store();
  const pointing = (current: Deployment): Deployment => ({ ...current, credential: described });
  const deployment = await changeDeployment(ports, before, pointing, revisions);
  if (!deployment) {
    await credentialVault.remove(deploymentId);
    throw noDeployment();
  }
  // A removal at the same time may have taken ours along; where it is still there, nothing is done.
  await store();
  return { deployment, credential: described };
};
