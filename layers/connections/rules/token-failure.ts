import { CONNECTION_OUTCOMES } from '../../platform/rules/metrics/metrics.ts';

export type TokenFailureReason = Exclude<(typeof CONNECTION_OUTCOMES)[number], 'ok'>;

export const TOKEN_FAILURE_REASONS = CONNECTION_OUTCOMES.filter(
  (outcome): outcome is TokenFailureReason => outcome !== 'ok',
);

/**
 * A token could not be obtained. `why` and `code` are logged and hold neither secrets nor texts of the issuer. `said`
 * holds the issuer's text with secrets masked: it is shown to the owner, but neither logged nor stored.
 */
export class TokenUnavailable extends Error {
  override readonly name = 'TokenUnavailable';
  readonly reason: TokenFailureReason;
  readonly why: string;
  /** Error code of the issuer. Source: RFC 6749 §5.2. */
  readonly code: string | undefined;
  readonly said: string | undefined;

  constructor(reason: TokenFailureReason, why: string, code?: string, said?: string) {
    super(code === undefined ? `${reason}: ${why}` : `${reason}: ${why} (${code})`);
    this.reason = reason;
    this.why = why;
    this.code = code;
    this.said = said;
  }
}

/** Appends the message of the API or the token issuer to a text of ours. */
export const withItsWords = (ours: string, said: string | undefined): string =>
  said === undefined ? ours : `${ours} It says: ${said}`;

/** Keeps an error code only if it has the form of one: anything else could be a message, or a secret. */
export const errorCode = (given: unknown): string | undefined =>
  typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : undefined;
