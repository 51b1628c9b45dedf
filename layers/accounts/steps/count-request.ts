import { addressSubject } from '../../platform/rules/subject.ts';
import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';
import type { LimitsPorts } from '../../limits/ports.ts';
import type { WindowLimit } from '../../limits/rules/limits.ts';

/**
 * Counts a request against a limit per address.
 * @throws ApiRefusal rate_limited
 * @throws Fault when the store is down: no request passes uncounted
 * Source: docs/limits.md, "Whom a limit counts".
 */
export const countRequest = async (
  { clock, counters }: Pick<LimitsPorts, 'clock' | 'counters'>,
  limit: Extract<WindowLimit, `${string}_per_ip`>,
  sourceIp: string,
): Promise<void> => {
  const verdict = await counters.take(limit, addressSubject(sourceIp), clock.now());
  if (verdict.allowed) return;
  const { retryAfterSeconds } = verdict;
  const description = `Too many requests. Try again in ${retryAfterSeconds} seconds.`;
  throw new ApiRefusal('rate_limited', description, [], limit, { limit, retryAfterSeconds });
};
