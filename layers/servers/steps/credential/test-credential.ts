import type { Permission } from '../../../accounts/rules/permission.ts';
import type { User } from '../../../accounts/rules/user.ts';
import type {
  CredentialTrial,
  CredentialTrialResult,
} from '../../../connections/rules/credential-trial.ts';
import { isPerCaller } from '../../../connections/rules/token-source.ts';
import type { CredentialName } from '../../../credentials/rules/credential-name.ts';
import { namedCredentials } from '../../../credentials/rules/deployment-credential.ts';
import { countWork, type CountWorkPorts } from '../../../limits/steps/count-work.ts';
import { ApiRefusal } from '../../../platform/rules/refusal/api-refusal.ts';
import { trustOf } from '../../../target/rules/target.ts';
import type { ServersPorts } from '../../ports.ts';
import { leased, type LeasedPorts } from '../../../api/steps/leased.ts';
import { ownedDeployment, stopped } from '../../../deployments/steps/owned-deployment.ts';

export type TestCredentialPorts = CountWorkPorts &
  LeasedPorts &
  Pick<ServersPorts, 'credentialTrials' | 'deploymentEditor'>;

/**
 * Has a credential of the owner's tried: read, or one token asked for with it. It counts as a trial.
 *
 * @throws ApiRefusal not_found; conflict where the deployment was stopped; rate_limited
 *
 * Source: docs/decisions/credentials.md, "Tokens that others give"; docs/decisions/limits.md, "Work for an owner".
 */
export const testCredential = async (
  ports: TestCredentialPorts,
  owner: User,
  may: Permission<'call'>,
  slug: string,
  { name, sender }: { readonly name: CredentialName; readonly sender: CredentialTrial['sender'] },
): Promise<CredentialTrialResult> => {
  may.check('call', { doing: `try the credential ${name}` });
  const deployment = await ownedDeployment(ports, { ownerId: owner.id, slug });
  if (deployment.status === 'stopped') throw stopped();
  const credential = namedCredentials(deployment).find(([its]) => its === name)?.[1];
  if (!credential) {
    throw new ApiRefusal('not_found', 'The deployment has no credential of this name.');
  }
  const { type, version } = credential;
  return leased(ports, 'trials_at_once_per_user', owner.id, async () => {
    await countWork(ports, 'trials_per_hour_per_user', owner.id);
    const { id, ownerId } = deployment;
    return ports.credentialTrials.run({
      deployment: { id, slug, ownerId, ...trustOf(deployment) },
      name,
      type,
      version,
      ...(isPerCaller(credential) && { perCaller: true }),
      sender,
    });
  });
};
