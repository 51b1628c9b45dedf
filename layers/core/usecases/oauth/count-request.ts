import { OAuthRefusal } from '../../domain/refusal.ts';
import type { Ports, WindowLimit } from '../../ports.ts';

export type CountRequestPorts = Pick<Ports, 'clock' | 'counters'>;

/**
 * Counts a request against a limit, before anything is done for it.
 *
 * @throws OAuthRefusal too_many_requests
 * @throws Fault when the store is down: nobody passes uncounted
 *
 * Source: spec, "Limits"; D22, D23.
 */
export const countRequest = async (
  { clock, counters }: CountRequestPorts,
  limit: WindowLimit,
  subject: string,
): Promise<void> => {
  const verdict = await counters.take(limit, subject, clock.now());
  if (verdict.allowed) return;
  const { retryAfterSeconds } = verdict;
  throw new OAuthRefusal(
    'too_many_requests',
    `Too many requests. Try again in ${retryAfterSeconds} seconds.`,
    limit,
    { retryAfterSeconds },
  );
};
