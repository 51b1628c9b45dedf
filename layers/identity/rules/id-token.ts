import { InvalidToken } from '../../tokens/rules/authorization.ts';
import {
  checkSoleAudience,
  checkTime,
  dateClaim,
  type Jwt,
  type JwtAlgorithm,
  readJwt,
  textClaim,
} from '../../tokens/rules/jwt.ts';
import { type EpochSeconds, MINUTE } from '../../platform/rules/time.ts';

/** Asymmetric signatures only: HMAC would let anybody who knows our client secret forge tokens. */
export const ID_TOKEN_ALGORITHMS = [
  'RS256',
  'PS256',
  'ES256',
  'EdDSA',
  'Ed25519',
] as const satisfies readonly JwtAlgorithm[];

const MAX_BYTES = 32 * 1024;
const MAX_AGE_SECONDS = 10 * MINUTE;
const LEEWAY_SECONDS = MINUTE;

export interface IdTokenTerms {
  readonly issuer: string;
  readonly clientId: string;
  /** Nonce of this sign-in; undefined for a refresh, where nobody signs in. */
  readonly nonce: string | undefined;
  readonly now: EpochSeconds;
}

/**
 * Reads and checks an ID token, except for its signature, which is checked elsewhere.
 * @throws InvalidToken
 * Source: OpenID Connect Core 1.0 §3.1.3.7; RFC 8725 §3.
 */
export const readIdToken = (
  text: string,
  { issuer, clientId, nonce, now }: IdTokenTerms,
): Pick<Jwt, 'claims' | 'keyId'> => {
  if (text.length > MAX_BYTES) throw new InvalidToken('too long for an ID token');
  const { algorithm, claims, keyId } = readJwt(text);
  if (!ID_TOKEN_ALGORITHMS.some((one) => one === algorithm)) {
    throw new InvalidToken('algorithm not allowed');
  }
  if (claims['iss'] !== issuer) throw new InvalidToken('unknown issuer');
  checkSoleAudience(claims, [clientId]);
  if (claims['azp'] !== undefined && claims['azp'] !== clientId) {
    throw new InvalidToken('for another client');
  }
  checkTime(claims, now, LEEWAY_SECONDS);
  const issuedAt = dateClaim(claims, 'iat');
  if (issuedAt > now + LEEWAY_SECONDS) throw new InvalidToken('not issued yet');
  if (now - issuedAt > MAX_AGE_SECONDS + LEEWAY_SECONDS)
    throw new InvalidToken('issued too long ago');
  if (nonce !== undefined && textClaim(claims, 'nonce') !== nonce) {
    throw new InvalidToken('of another sign-in');
  }
  return { claims, keyId };
};

/** Time of authentication from `auth_time`, if the provider sends it; some send it as a string. */
export const authTimeOf = (claims: Jwt['claims'], now: EpochSeconds): EpochSeconds | undefined => {
  const { auth_time: sent } = claims;
  const seconds = typeof sent === 'string' && /^\d{1,12}$/.test(sent) ? Number(sent) : sent;
  if (typeof seconds !== 'number' || !Number.isFinite(seconds) || seconds < 0) return undefined;
  return Math.min(Math.floor(seconds), now);
};
