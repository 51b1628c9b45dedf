import type { Deployment } from '../../domain/deployment.ts';
import { RouterRefusal, type RpcIds } from '../../domain/refusal.ts';
import type { Ports } from '../../ports.ts';
import type { Anonymous, Caller, Holder } from './caller.ts';

export type ChargePorts = Pick<Ports, 'clock' | 'events' | 'publicRequests' | 'usage'>;

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
 * Counts requests against the caller's limit, before anything is done for them: a user's plan, or the
 * limit of an address.
 *
 * @param meanwhile - reading that takes its trip at the same time; who needs it sees whether it failed
 * @throws RouterRefusal rate_limited
 * @throws Fault when the store is down: nobody passes uncounted
 *
 * Source: D15, D39.
 */
export const charge = async (
  ports: ChargePorts,
  wanted: Charge,
  meanwhile?: Promise<unknown>,
): Promise<void> => {
  const [counted] = await Promise.allSettled([count(ports, wanted), meanwhile]);
  if (counted.status === 'rejected') throw counted.reason;
};

const count = async (ports: ChargePorts, wanted: Charge): Promise<void> => {
  const { caller, cost } = wanted;
  if (cost === 0) return;
  await (caller.kind === 'anonymous'
    ? countAddress(ports, wanted, caller)
    : countHolder(ports, wanted, caller));
};

const countAddress = async (
  { clock, events, publicRequests }: ChargePorts,
  { deployment: { id: deploymentId, slug }, cost, answersTo }: Charge,
  { subject }: Anonymous,
): Promise<void> => {
  const verdict = await publicRequests.count(subject, cost, clock.now());
  if (verdict.allowed) return;

  const { retryAfterSeconds, blockedNow } = verdict;
  const why = 'public_requests_per_minute_per_ip';
  if (blockedNow) {
    const event = 'ip_blocked';
    events.record({ type: 'security', event, deploymentId, slug, subject, why });
  }
  throw rateLimited('Too many requests.', retryAfterSeconds, answersTo, why);
};

const countHolder = async (
  { clock, events, usage }: ChargePorts,
  { deployment: { id: deploymentId, slug }, cost, answersTo }: Charge,
  { subject, plan }: Holder,
): Promise<void> => {
  const verdict = await usage.take(subject, plan, cost, clock.now());
  if (verdict.allowed) {
    for (const { window, limit } of verdict.warnings) {
      const type = 'quota_warning';
      events.record({ type, deploymentId, slug, subject, plan, window, limit });
    }
    return;
  }
  const { window, limit, retryAfterSeconds } = verdict;
  throw rateLimited(
    `The plan's limit of ${limit} requests per ${window} is reached.`,
    retryAfterSeconds,
    answersTo,
    `${plan}_requests_per_${window}`,
  );
};

const rateLimited = (
  what: string,
  retryAfterSeconds: number,
  answersTo: RpcIds,
  why: string,
): RouterRefusal =>
  new RouterRefusal(
    'rate_limited',
    `${what} Try again in ${retryAfterSeconds} seconds.`,
    { retryAfterSeconds, answersTo },
    why,
  );
