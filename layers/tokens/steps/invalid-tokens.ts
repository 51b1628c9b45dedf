import { type Fingerprint, fingerprint } from '../../platform/rules/fingerprint.ts';
import { addressSubject } from '../../platform/rules/subject.ts';
import type { LimitDecision } from '../../limits/rules/decisions.ts';
import type { TokensPorts } from '../ports.ts';
import type { ServiceEvent } from '../../events/rules/service-event.ts';

export type InvalidTokenPorts = Pick<TokensPorts, 'clock' | 'counters' | 'events' | 'goodTokens'>;

const LIMIT = 'invalid_tokens_per_minute_per_ip';

export type InvalidTokenFacts = Pick<
  Extract<ServiceEvent, { type: 'security' }>,
  'deploymentId' | 'slug' | 'why'
>;

/** Who shows a token, and where. */
export interface TokenShown {
  /** The client's address. */
  readonly sourceIp: string;
  /** The slug of a server, or another name of what the token is to open. */
  readonly at: string;
  readonly token: string;
}

/**
 * Whether a token may still be looked up, as far as this instance knows: asks no table, so that guesses beyond the
 * limit cost none. One that was good here lately is looked up in any case: strangers of the same address, or a client
 * there that goes on with a token which has ended, keep nobody else out.
 *
 * Source: docs/decisions/limits.md, "Invalid tokens".
 */
export const mayShowToken = (
  { clock, counters, goodTokens }: Pick<TokensPorts, 'clock' | 'counters' | 'goodTokens'>,
  shown: TokenShown,
): LimitDecision => {
  const known = counters.known(LIMIT, subjectOf(shown), clock.now());
  return known.allowed || !goodTokens.has(good(shown)) ? known : { allowed: true };
};

/**
 * Counts a token that opened nothing, and records it.
 *
 * @returns whether that was within the limit
 * @throws Fault when the store is down: nobody guesses uncounted
 */
export const countInvalidToken = async (
  { clock, counters, events, goodTokens }: InvalidTokenPorts,
  shown: TokenShown,
  facts: InvalidTokenFacts,
): Promise<LimitDecision> => {
  goodTokens.forget(good(shown));
  const verdict = await counters.take(LIMIT, subjectOf(shown), clock.now());
  if (verdict.allowed) {
    const subject = addressSubject(shown.sourceIp);
    events.record({ type: 'security', event: 'authentication_failed', subject, ...facts });
  }
  return verdict;
};

/** Remembers that a token was good where it was shown. */
export const rememberGoodToken = (
  { goodTokens }: Pick<TokensPorts, 'goodTokens'>,
  shown: Pick<TokenShown, 'at' | 'token'>,
): void => goodTokens.add(good(shown));

/** By place as well: who shows a token where it opens nothing does not lose it where it is good. */
const good = ({ at, token }: Pick<TokenShown, 'at' | 'token'>): Fingerprint =>
  fingerprint(`${at} ${token}`);

/** By address and place, so that what goes wrong at one server is none of another's affair. */
const subjectOf = ({ sourceIp, at }: TokenShown): string => `${addressSubject(sourceIp)} ${at}`;
