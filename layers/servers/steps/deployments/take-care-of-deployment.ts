import type { ActivityPorts } from '../../../activity/ports.ts';
import type { PlatformPorts, PortsOf } from '../../../platform/ports.ts';
import type { Refreshed } from '../../../deployments/rules/versions.ts';
import { refreshDescription } from './refresh-description.ts';
import type { Deployment } from '../../../deployments/rules/deployment.ts';
import { fingerprint } from '../../../platform/rules/fingerprint.ts';
import {
  changeOfService,
  type ChangeDeploymentPorts,
} from '../../../deployments/steps/change-deployment.ts';
import {
  type NamedCredential,
  namedCredentials,
  withNamed,
} from '../../../credentials/rules/deployment-credential.ts';
import { credentialRefusals } from '../credential/credential-refusals.ts';

/** `isCredentialRefused`: whether a refused credential was first noticed by this run. */
export const takeCareOfDeployment = async (
  ports: ReportRefusalsPorts & PortsOf<typeof refreshDescription> & Pick<PlatformPorts, 'log'>,
  slug: string,
): Promise<{ isCredentialRefused: boolean; refreshed?: Refreshed['outcome'] }> => {
  const found = await ports.deploymentEditor.read(slug);
  if (found?.status !== 'active') return { isCredentialRefused: false };
  const isCredentialRefused = await reportRefusals(ports, found);
  const deployment = isCredentialRefused ? await ports.deploymentEditor.read(slug) : found;
  const refreshed = deployment && (await refreshDescription(ports, deployment));
  return { isCredentialRefused, ...(refreshed && { refreshed }) };
};

type ReportRefusalsPorts = ChangeDeploymentPorts &
  Pick<ActivityPorts, 'calls' | 'mailRequests' | 'users'>;

/**
 * Mails the owner once for each version of a credential.
 *
 * @returns whether this run noticed one first
 * Source: docs/decisions/mcp.md, "Failed calls".
 */
const reportRefusals = async (
  ports: ReportRefusalsPorts,
  deployment: Deployment,
): Promise<boolean> => {
  let seen = false;
  for (const named of namedCredentials(deployment)) {
    if (await reportRefusal(ports, deployment, named)) seen = true;
  }
  return seen;
};

const reportRefusal = async (
  ports: ReportRefusalsPorts,
  deployment: Deployment,
  [name, credential]: NamedCredential,
): Promise<boolean> => {
  const { clock, mailRequests, users } = ports;
  const { id: deploymentId, slug, ownerId } = deployment;
  if (credential.refusedAt !== undefined) return false;
  if (!(await credentialRefusals(ports, deploymentId, credential))) return false;
  const { version } = credential;
  // Owners of operators' deployments may have no account.
  const owner = await users.find(ownerId);
  const id = fingerprint(`credential_refused#${deploymentId}#${version}#${ownerId}`);
  // Recorded last, so that no mail is lost; the mail's id prevents duplicates.
  if (owner) {
    await mailRequests.send({ id, purpose: 'credential_refused', email: owner.email, slug });
  }
  const refusedAt = clock.now();
  await changeOfService(ports, deployment, (current) => {
    const now = namedCredentials(current).find(([its]) => its === name)?.[1];
    return now?.version === version ? withNamed(current, [name, { ...now, refusedAt }]) : current;
  });
  return true;
};
