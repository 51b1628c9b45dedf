import type { CredentialRefusals } from '../../../activity/rules/credential-refusals.ts';
import type { Deployment } from '../../rules/deployment.ts';
import type { DeploymentCredential } from '../../../credentials/rules/deployment-credential.ts';
import { ApiRefusal } from '../../../platform/rules/refusal/api-refusal.ts';
import type { Ports } from '../../../ports.ts';
import { credentialRefusals } from './credential-refusals.ts';
import { type Owned, ownedDeployment } from '../deployments/owned-deployment.ts';

export type DescribeCredentialPorts = Pick<Ports, 'calls' | 'clock' | 'deploymentEditor'>;

export interface DescribedCredential {
  readonly deployment: Deployment;
  readonly credential: DeploymentCredential;
  /** That the target refuses it; undefined as far as nobody knows. */
  readonly refusals: CredentialRefusals | undefined;
}

/**
 * What a deployment's credential is, but for its value, which nobody is shown.
 *
 * @throws ApiRefusal not_found
 */
export const describeCredential = async (
  ports: DescribeCredentialPorts,
  owned: Owned,
): Promise<DescribedCredential> => {
  const deployment = await ownedDeployment(ports, owned);
  const { credential } = deployment;
  if (!credential) throw new ApiRefusal('not_found', 'The deployment has no credential.');
  return { deployment, credential, refusals: await credentialRefusals(ports, deployment) };
};
