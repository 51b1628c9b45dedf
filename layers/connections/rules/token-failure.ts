import { CONNECTION_OUTCOMES } from '../../platform/rules/metrics/metrics.ts';

export type TokenFailureReason = Exclude<(typeof CONNECTION_OUTCOMES)[number], 'ok'>;

export const TOKEN_FAILURE_REASONS = CONNECTION_OUTCOMES.filter(
  (outcome): outcome is TokenFailureReason => outcome !== 'ok',
);

/**
 * A token that could not be had. `why` is for the log; neither it nor `code` ever says what a secret is, or repeats a
 * text that the giver of tokens has written. That `said` alone does, without what it was sent: it is shown, and neither
 * logged nor stored.
 */
export class TokenUnavailable extends Error {
  override readonly name = 'TokenUnavailable';
  readonly reason: TokenFailureReason;
  readonly why: string;
  /** What the giver of tokens calls the error. Source: RFC 6749 §5.2. */
  readonly code: string | undefined;
  /** What whoever gives tokens says of what it refused, in its own words. */
  readonly said: string | undefined;

  constructor(reason: TokenFailureReason, why: string, code?: string, said?: string) {
    super(code === undefined ? `${reason}: ${why}` : `${reason}: ${why} (${code})`);
    this.reason = reason;
    this.why = why;
    this.code = code;
    this.said = said;
  }
}

/** Our words, and behind them those of whoever refused: the API, or the server that gives tokens. */
export const withItsWords = (ours: string, said: string | undefined): string =>
  said === undefined ? ours : `${ours} It says: ${said}`;

/** A code of an error, if it has the form of one: anything else could be a text, or a secret. */
export const errorCode = (given: unknown): string | undefined =>
  typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : undefined;
