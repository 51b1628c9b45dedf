import type { Leases } from '../../limits/store/leases.ts';
import { afterwards } from '../../platform/rules/afterwards.ts';
import { secondsToWait } from '../../limits/rules/seconds-to-wait.ts';
import type { LimitsPorts } from '../../limits/ports.ts';
import { tooMuchWork } from '../../limits/steps/count-work.ts';

/** Longer than a function can run: a killed one gives nothing back. */
const LEASE_SECONDS = 30;

const RUNNING = {
  trials_at_once_per_user: 'Other trials of yours still run',
  compilations_at_once_per_user: 'Other descriptions of yours are still being compiled',
} as const;

/**
 * Limits how many long operations of a user run at the same time.
 * @throws ApiRefusal rate_limited, and whatever `act` throws
 * @throws Fault if the store is down. Source: docs/decisions/limits.md, "Work for an owner".
 */
export const leased = async <Result>(
  ports: Pick<LimitsPorts, 'clock' | 'leases' | 'log'>,
  limit: Parameters<Leases['take']>[0],
  userId: string,
  act: () => Promise<Result>,
): Promise<Result> => {
  const { clock, leases } = ports;
  const now = clock.now();
  const taken = await leases.take(limit, userId, LEASE_SECONDS, now);
  if ('until' in taken) {
    const { until } = taken;
    const seconds = secondsToWait({ begunAt: until - LEASE_SECONDS, until }, now);
    throw tooMuchWork(RUNNING[limit], limit, seconds);
  }
  try {
    return await act();
  } finally {
    // A failure here is ignored: the lease expires by itself.
    await afterwards(ports, `a lease of ${limit}`, taken.giveBack);
  }
};
