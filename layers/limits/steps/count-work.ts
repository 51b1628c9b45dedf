import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';
import type { LimitsPorts, LimitsSettings } from '../ports.ts';
import type { WindowLimit } from '../rules/limits.ts';

export type CountWorkPorts = Pick<LimitsPorts, 'clock' | 'counters'> & {
  readonly settings: LimitsSettings;
};

/**
 * Counts work for an owner before it is done.
 * @throws ApiRefusal rate_limited
 * @throws Fault if the store is down: nobody passes uncounted. Source: docs/decisions/limits.md, "Work for an owner".
 */
export const countWork = async (
  { clock, counters, settings }: CountWorkPorts,
  limit: Extract<WindowLimit, `${string}_per_user`>,
  userId: string,
): Promise<void> => {
  const verdict = await counters.take(limit, userId, clock.now());
  if (verdict.allowed) return;
  const most = settings.limits[limit];
  throw tooMuchWork(`The limit of ${most} is reached`, limit, verdict.retryAfterSeconds);
};

/** @param what - the beginning of a sentence */
export const tooMuchWork = (what: string, limit: string, retryAfterSeconds: number): ApiRefusal =>
  new ApiRefusal(
    'rate_limited',
    `${what} (limit ${limit}). Try again in ${retryAfterSeconds} seconds.`,
    [],
    limit,
    { limit, retryAfterSeconds },
  );
