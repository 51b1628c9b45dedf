import {
  type CredentialRefusals,
  credentialRefusals as refusalsIn,
} from '../../../activity/rules/credential-refusals.ts';
import {
  type DeploymentCredential,
  namedCredentials,
} from '../../../credentials/rules/deployment-credential.ts';
import { DAY, MINUTE, timeOf } from '../../../platform/rules/time.ts';
import type { Deployment } from '../../../deployments/rules/deployment.ts';
import type { ActivityPorts } from '../../../activity/ports.ts';

/** Older calls say nothing about whether the credential is accepted today. */
const DAYS_LOOKED_AT = 7;
/** Number of newest calls that are read of each outcome. */
const CALLS_LOOKED_AT = 200;

/**
 * Examines the newest calls with a credential.
 *
 * @returns undefined if it was accepted last, was not used, or a few 403 may have had another reason
 */
export const credentialRefusals = async (
  { calls, clock }: Pick<ActivityPorts, 'calls' | 'clock'>,
  deploymentId: string,
  credential: Pick<DeploymentCredential, 'setAt' | 'version'>,
): Promise<CredentialRefusals | undefined> => {
  const now = clock.now();
  const newest = (outcome: 'ok' | 'target_error', limit: number) =>
    calls.page({
      deploymentId,
      tool: undefined,
      subjects: undefined,
      clientId: undefined,
      outcome,
      from: timeOf(Math.max(credential.setAt, now - DAYS_LOOKED_AT * DAY)),
      before: timeOf(now + MINUTE),
      limit,
    });
  const [errors, taken] = await Promise.all([
    newest('target_error', CALLS_LOOKED_AT),
    newest('ok', CALLS_LOOKED_AT),
  ]);
  return refusalsIn([...errors.calls, ...taken.calls], credential.version);
};

/** Refusals by deployment id. Looks only at credentials that were refused before, which are few. */
export const refusedCredentials = async (
  ports: Pick<ActivityPorts, 'calls' | 'clock'>,
  deployments: readonly Deployment[],
): Promise<ReadonlyMap<string, CredentialRefusals>> => {
  const looked = deployments
    .flatMap((one) => namedCredentials(one).map(([, credential]) => ({ id: one.id, credential })))
    .filter(({ credential }) => credential.refusedAt !== undefined)
    .map(
      async ({ id, credential }) => [id, await credentialRefusals(ports, id, credential)] as const,
    );
  return new Map(
    (await Promise.all(looked)).flatMap(([id, refusals]) => (refusals ? [[id, refusals]] : [])),
  );
};
