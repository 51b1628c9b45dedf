import type { Deployment } from '../../domain/deployment.ts';
import { RouterRefusal, type RpcIds } from '../../domain/refusal.ts';
import type { Ports } from '../../ports.ts';
import type { Caller } from './authenticate.ts';

export type ChargePorts = Pick<Ports, 'clock' | 'events' | 'publicRequests'>;

/** What is counted: all of it, or nothing (D39). */
export interface Charge {
  readonly deployment: Deployment;
  readonly caller: Caller;
  /** In requests. */
  readonly cost: number;
  /** The ids that a refusal repeats; a list for a batch. */
  readonly answersTo: RpcIds;
}

/**
 * Counts requests against the caller's limit, before anything is done for them.
 *
 * @throws RouterRefusal rate_limited
 * @throws Fault when the store is down: nobody passes uncounted
 *
 * Source: D15, D39.
 */
export const charge = async (
  { clock, events, publicRequests }: ChargePorts,
  { deployment, caller, cost, answersTo }: Charge,
): Promise<void> => {
  if (cost === 0) return;
  const verdict = await publicRequests.count(caller.subject, cost, clock.now());
  if (verdict.allowed) return;

  const { retryAfterSeconds, blockedNow } = verdict;
  const why = 'public_requests_per_minute_per_ip';
  if (blockedNow) {
    const { slug } = deployment;
    events.record({ type: 'security', event: 'ip_blocked', slug, subject: caller.subject, why });
  }
  throw new RouterRefusal(
    'rate_limited',
    `Too many requests. Try again in ${retryAfterSeconds} seconds.`,
    { retryAfterSeconds, answersTo },
    why,
  );
};
