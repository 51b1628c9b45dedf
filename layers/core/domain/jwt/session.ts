import { InvalidToken } from '../access/invalid-token.ts';
import { authorizationServer, management } from '../addresses.ts';
import type { EpochSeconds } from '../time.ts';
import { checkAudience, checkTime, textClaim } from './claims.ts';
import type { Jwt } from './compact.ts';

/**
 * The `typ` of a user's session, so that no other JWT of ours passes for one.
 * Source: RFC 8725 §3.11.
 */
export const SESSION_TYPE = 'session+jwt';
export const SESSION_ALGORITHM = 'ES256';

/**
 * For whom a session's token is: the pages or the management API, so that neither takes the other's.
 * Source: RFC 8725 §3.9; docs/decisions.md, "Sessions".
 */
export const sessionAudience = (baseUrl: string, kind: 'browser' | 'api'): string =>
  kind === 'browser' ? authorizationServer(baseUrl) : management(baseUrl);

/** What a token says of the session that it stands for. */
export interface NamedSession {
  readonly kind: 'browser' | 'api';
  readonly userId: string;
  readonly createdAt: EpochSeconds;
  readonly expiresAt: EpochSeconds;
}

/** @param sid - the secret that stands for the session */
export const sessionClaims = (
  baseUrl: string,
  sid: string,
  { kind, userId, createdAt, expiresAt }: NamedSession,
) => ({
  iss: authorizationServer(baseUrl),
  aud: sessionAudience(baseUrl, kind),
  sub: userId,
  sid,
  iat: createdAt,
  exp: expiresAt,
});

export interface SessionTerms {
  readonly issuer: string;
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
