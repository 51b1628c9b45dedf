import { addressSubject } from '../../domain/access/subject.ts';
import { OAuthRefusal } from '../../domain/refusal.ts';
import type { Ports, WindowLimit } from '../../ports.ts';

export type CountRequestPorts = Pick<Ports, 'clock' | 'counters'>;

/**
 * Counts a request against a limit, before anything is done for it.
 *
 * @throws OAuthRefusal too_many_requests
 * @throws Fault when the store is down: nobody passes uncounted
 *
 * Source: docs/decisions.md, "Limits of the OAuth server", "Statuses of OAuth errors".
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

/**
 * Whom a limit per client counts as long as nothing proves that the client itself asks.
 *
 * @param sourceIp - as the gateway saw it
 */
export const clientAtAddress = (clientId: string, sourceIp: string): string =>
  `${clientId} ${addressSubject(sourceIp)}`;
