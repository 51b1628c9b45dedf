import type { CredentialsPorts } from '../../credentials/ports.ts';
import { addressSubject } from '../../platform/rules/subject.ts';
import type { LimitDecision } from '../../limits/rules/decisions.ts';
import type { LimitsPorts } from '../../limits/ports.ts';
import type { ServiceEvent } from '../../events/rules/service-event.ts';

export type InvalidTokenPorts = Pick<CredentialsPorts, 'clock' | 'counters' | 'events'>;

const LIMIT = 'invalid_tokens_per_minute_per_ip';

export type InvalidTokenFacts = Pick<
  Extract<ServiceEvent, { type: 'security' }>,
  'deploymentId' | 'slug' | 'why'
>;

/**
 * Whether an address may still show tokens, as far as this instance knows: asks no table, so that guesses
 * beyond the limit cost none.
 *
 * @param sourceIp - the client's address, here and below
 *
 * Source: docs/decisions/limits.md, "Invalid tokens".
 */
export const mayShowToken = (
  { clock, counters }: Pick<LimitsPorts, 'clock' | 'counters'>,
  sourceIp: string,
): LimitDecision => counters.known(LIMIT, addressSubject(sourceIp), clock.now());

/**
 * Counts a token that opened nothing, and records it.
 *
 * @returns whether that was within the limit
 * @throws Fault when the store is down: nobody guesses uncounted
 */
export const countInvalidToken = async (
  { clock, counters, events }: InvalidTokenPorts,
  sourceIp: string,
  facts: InvalidTokenFacts,
): Promise<LimitDecision> => {
  const subject = addressSubject(sourceIp);
  const verdict = await counters.take(LIMIT, subject, clock.now());
  if (verdict.allowed) {
    events.record({ type: 'security', event: 'authentication_failed', subject, ...facts });
  }
  return verdict;
};
