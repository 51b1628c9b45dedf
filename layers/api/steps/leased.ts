import type { Leases } from '../../limits/store/leases.ts';
import type { Ports } from '../../ports.ts';
import { tooMuchWork } from '../../limits/steps/count-work.ts';

export type LeasedPorts = Pick<Ports, 'clock' | 'leases'>;

/** Longer than a function may run: one that was killed gives nothing back. */
const LEASE_SECONDS = 30;
/** Most of what is leased ends sooner. */
const RETRY_AFTER_SECONDS = 2;

const RUNNING = {
  trials_at_once_per_user: 'Other trials of yours still run',
  compilations_at_once_per_user: 'Other descriptions of yours are still being compiled',
} as const;

/**
 * Does what takes long, while few such acts of one user run at once.
 *
 * @throws ApiRefusal rate_limited, and whatever `act` throws
 * @throws Fault when the store is down
 *
 * Source: docs/decisions/limits.md, "Work for an owner".
 */
export const leased = async <Result>(
  { clock, leases }: LeasedPorts,
  limit: Parameters<Leases['take']>[0],
  userId: string,
  act: () => Promise<Result>,
): Promise<Result> => {
  const lease = await leases.take(limit, userId, LEASE_SECONDS, clock.now());
  if (!lease) throw tooMuchWork(RUNNING[limit], limit, RETRY_AFTER_SECONDS);
  try {
    return await act();
  } finally {
    await lease.giveBack();
  }
};
