import { addressSubject } from '../../platform/rules/subject.ts';
import { OAuthRefusal } from '../../platform/rules/refusal/oauth-refusal.ts';
import type { LimitDecision } from '../../limits/rules/decisions.ts';
import type { LimitsPorts } from '../../limits/ports.ts';
import type { WindowLimit } from '../../limits/rules/limits.ts';

type CountRequestPorts = Pick<LimitsPorts, 'clock' | 'counters'>;

/**
 * Counts a request before it is carried out.
 * @throws OAuthRefusal too_many_requests
 * @throws Fault if the store is down: nobody passes uncounted
 * Source: docs/decisions/limits.md, "Limits of the OAuth server"; docs/decisions/oauth.md, "Statuses of OAuth errors".
 */
export const countRequest = async (
  { clock, counters }: CountRequestPorts,
  limit: WindowLimit,
  subject: string,
): Promise<void> => {
  checkAllowed(await counters.take(limit, subject, clock.now()), limit);
};

/**
 * Refuses a subject that exceeded a limit of failures in this window, by the cached count alone.
 * @throws OAuthRefusal too_many_requests
 */
export const checkRemaining = (
  { clock, counters }: CountRequestPorts,
  limit: WindowLimit,
  subject: string,
): void => checkAllowed(counters.known(limit, subject, clock.now()), limit);

const checkAllowed = (verdict: LimitDecision, limit: WindowLimit): void => {
  if (verdict.allowed) return;
  const { retryAfterSeconds } = verdict;
  throw new OAuthRefusal(
    'too_many_requests',
    `Too many requests. Try again in ${retryAfterSeconds} seconds.`,
    limit,
    { retryAfterSeconds },
  );
};

/** Subject of a limit per client while the client is unproven: client and address. */
export const clientAtAddress = (clientId: string, sourceIp: string): string =>
  `${clientId} ${addressSubject(sourceIp)}`;
