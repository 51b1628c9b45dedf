import { addressSubject } from '../../platform/rules/subject.ts';
import { OAuthRefusal } from '../../platform/rules/refusal/oauth-refusal.ts';
import type { LimitDecision } from '../../limits/rules/decisions.ts';
import type { LimitsPorts } from '../../limits/ports.ts';
import type { WindowLimit } from '../../limits/rules/limits.ts';

type CountRequestPorts = Pick<LimitsPorts, 'clock' | 'counters'>;

/**
 * Counts a request against a limit, before anything is done for it.
 *
 * @throws OAuthRefusal too_many_requests
 * @throws Fault when the store is down: nobody passes uncounted
 *
 * Source: docs/decisions/limits.md, "Limits of the OAuth server"; docs/decisions/oauth.md, "Statuses
 * of OAuth errors".
 */
export const countRequest = async (
  { clock, counters }: CountRequestPorts,
  limit: WindowLimit,
  subject: string,
): Promise<void> => {
  checkAllowed(await counters.take(limit, subject, clock.now()), limit);
};

/**
 * Refuses whoever was refused before in this window, for what is counted only where it fails: it costs no trip.
 *
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

/**
 * Whom a limit per client counts as long as nothing proves that the client itself asks.
 *
 * @param sourceIp - the client's address
 */
export const clientAtAddress = (clientId: string, sourceIp: string): string =>
  `${clientId} ${addressSubject(sourceIp)}`;
