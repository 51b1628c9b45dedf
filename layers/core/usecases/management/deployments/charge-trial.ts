import { usageSubject } from '../../../domain/access/usage-subject.ts';
import type { User } from '../../../domain/accounts/user.ts';
import type { Deployment } from '../../../domain/deployments/deployment.ts';
import type { Ports } from '../../../ports.ts';
import { tooMuchWork } from '../count-work.ts';

export type ChargeTrialPorts = Pick<Ports, 'clock' | 'events' | 'usage'>;

/**
 * Counts a trial against the owner's plan, as a call of the owner's would be.
 *
 * @throws ApiRefusal rate_limited
 *
 * Source: docs/decisions.md, "Quotas".
 */
export const chargeTrial = async (
  { clock, events, usage }: ChargeTrialPorts,
  { id: subject, email, plan }: User,
  { id: deploymentId, slug }: Deployment,
): Promise<void> => {
  const verdict = await usage.take(usageSubject(email), plan, 1, clock.now());
  if (verdict.allowed) {
    for (const { window, limit } of verdict.warnings) {
      const type = 'quota_warning';
      events.record({ type, deploymentId, slug, subject, plan, window, limit });
    }
    return;
  }
  const { window, limit, retryAfterSeconds } = verdict;
  const reached = `The plan's limit of ${limit} requests per ${window} is reached`;
  throw tooMuchWork(reached, `${plan}_requests_per_${window}`, retryAfterSeconds);
};
