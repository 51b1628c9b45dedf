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

export interface TokenShown {
  readonly sourceIp: string;
  /** The slug of a server, or another name of the place where the token is presented. */
  readonly at: string;
  readonly token: string;
}

/**
 * Whether a token may be looked up, by cached counts alone, so that guesses beyond the limit cost no read. A token
 * that was recently valid here may even if its address is over the limit: others there cannot lock it out. Source:
 * docs/decisions/limits.md, "Invalid tokens".
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
 * Counts and records an invalid token. An expired or ended token is counted by itself, not by address: the tokens of
 * all users of a hosted client may expire within a minute, and each must hear of it to be refreshed.
 * @returns whether it was within the limit
 * @throws Fault if the store is down: nobody guesses uncounted
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

export const rememberGoodToken = (
  { goodTokens }: Pick<TokensPorts, 'goodTokens'>,
  shown: Pick<TokenShown, 'at' | 'token'>,
): void => goodTokens.add(ofToken(shown));

/** Per place: presenting a token at a wrong server does not affect it at the right one. */
const ofToken = ({ at, token }: Pick<TokenShown, 'at' | 'token'>): Fingerprint =>
  fingerprint(`${at} ${token}`);

/** Per address and place: failures at one server do not affect another. */
const subjectOf = ({ sourceIp, at }: TokenShown): string => `${addressSubject(sourceIp)} ${at}`;
