import { InvalidToken } from '../invalid-token.ts';
import type { EpochSeconds } from '../time.ts';
import { checkAudience, checkTime, textClaim } from './claims.ts';
import type { Jwt } from './compact.ts';

/** The `typ` of a user's session, so that no other JWT of ours passes for one. Source: RFC 8725 §3.11; D14. */
export const SESSION_TYPE = 'session+jwt';
export const SESSION_ALGORITHM = 'ES256';

export interface SessionTerms {
  readonly issuer: string;
  /** The management API. */
  readonly audience: string;
  readonly now: EpochSeconds;
}

export interface SessionClaims {
  /** The user's id. */
  readonly sub: string;
  /** The secret that stands for the session. */
  readonly sid: string;
}

/**
 * Reads a JWT that says it stands for a session. Its signature, and whether the session lives, is for
 * others to check.
 *
 * @throws InvalidToken
 */
export const readSession = (
  { type, algorithm, claims }: Jwt,
  { issuer, audience, now }: SessionTerms,
): SessionClaims => {
  if (type !== SESSION_TYPE) throw new InvalidToken('not of the type of sessions');
  if (algorithm !== SESSION_ALGORITHM) throw new InvalidToken('algorithm not allowed');
  if (claims['iss'] !== issuer) throw new InvalidToken('unknown issuer');
  checkAudience(claims, [audience]);
  checkTime(claims, now, 0);
  return { sub: textClaim(claims, 'sub'), sid: textClaim(claims, 'sid') };
};
