import { type Fingerprint, fingerprint } from '../../platform/rules/fingerprint.ts';
import { addressSubject } from '../../platform/rules/subject.ts';
import type { LimitDecision } from '../../limits/rules/decisions.ts';
import type { TokensPorts } from '../ports.ts';
import { EndedToken, type InvalidToken } from '../rules/authorization.ts';
import type { ServiceEvent } from '../../events/rules/service-event.ts';

type InvalidTokenPorts = Pick<TokensPorts, 'clock' | 'counters' | 'events' | 'goodTokens'>;

const LIMIT = 'invalid_tokens_per_minute_per_ip';

export type InvalidTokenFacts = Pick<
  Extract<ServiceEvent, { type: 'security' }>,
  'deploymentId' | 'slug'
>;

/** Who shows a token, and where. */
export interface TokenShown {
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
  const now = clock.now();
  const own = counters.known(LIMIT, ofToken(shown), now);
  if (!own.allowed) return own;
  const known = counters.known(LIMIT, subjectOf(shown), now);
  return known.allowed || !goodTokens.has(ofToken(shown)) ? known : { allowed: true };
};

/**
 * Counts a token that opened nothing, and records it. One that was issued there and has ended is counted by itself: the
 * tokens of all users of a hosted client may end within a minute, and each has to be told so, to be refreshed.
 *
 * @returns whether that was within the limit
 * @throws Fault when the store is down: nobody guesses uncounted
 */
export const countInvalidToken = async (
  { clock, counters, events, goodTokens }: InvalidTokenPorts,
  shown: TokenShown,
  error: InvalidToken,
  facts: InvalidTokenFacts = {},
): Promise<LimitDecision> => {
  goodTokens.forget(ofToken(shown));
  const counted = error instanceof EndedToken ? ofToken(shown) : subjectOf(shown);
  const verdict = await counters.take(LIMIT, counted, clock.now());
  if (verdict.allowed) {
    const subject = addressSubject(shown.sourceIp);
    events.record({
      type: 'security',
      event: 'authentication_failed',
      subject,
      why: error.why,
      ...facts,
    });
  }
  return verdict;
};

/** Remembers that a token was good where it was shown. */
export const rememberGoodToken = (
  { goodTokens }: Pick<TokensPorts, 'goodTokens'>,
  shown: Pick<TokenShown, 'at' | 'token'>,
): void => goodTokens.add(ofToken(shown));

/** By place as well: who shows a token where it opens nothing does not lose it where it is good. */
const ofToken = ({ at, token }: Pick<TokenShown, 'at' | 'token'>): Fingerprint =>
  fingerprint(`${at} ${token}`);

/** By address and place, so that what goes wrong at one server is none of another's affair. */
const subjectOf = ({ sourceIp, at }: TokenShown): string => `${addressSubject(sourceIp)} ${at}`;
