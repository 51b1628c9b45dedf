import { InvalidToken } from '../../../tokens/rules/authorization.ts';
import { authorizationServer } from '../../../platform/rules/addresses.ts';
import {
  checkSoleAudience,
  checkTime,
  dateClaim,
  type Jwt,
  type JwtAlgorithm,
  readJwt,
  textClaim,
} from '../../../tokens/rules/jwt.ts';
import { type EpochSeconds, MINUTE } from '../../../platform/rules/time.ts';
import type { SentMetadata } from './client-metadata.ts';
import type { Jwk } from '../../../tokens/rules/signing-keys.ts';
import type { ClientKeys } from '../../../tokens/rules/oauth-records.ts';

/** Source: RFC 7523 §2.2. */
export const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** Asymmetric algorithms only: no shared secret, and never `none`. */
export const ASSERTION_ALGORITHMS = [
  'RS256',
  'PS256',
  'ES256',
  'EdDSA',
] as const satisfies readonly JwtAlgorithm[];

const MAX_BYTES = 16 * 1024;
const MAX_JTI_LENGTH = 256;
const MAX_AHEAD_SECONDS = 10 * MINUTE;
/** For differing clocks. */
const LEEWAY_SECONDS = MINUTE;

/** Claims of a client assertion; unproven until its signature is checked. */
export interface ClientAssertion {
  readonly clientId: string;
  readonly keyId: string | undefined;
  readonly jti: string;
  /** The assertion has expired by then, so that its `jti` may be forgotten. */
  readonly endsAt: EpochSeconds;
}

/** The client id that an assertion claims. @throws InvalidToken. Source: RFC 7523 §3, `sub`. */
export const assertedClient = (text: string): string => textClaim(jwtIn(text).claims, 'sub');

/**
 * @throws InvalidToken. Source: RFC 7523 §3; OpenID Connect Core §9, `private_key_jwt`; docs/decisions/oauth.md,
 *   "Client authentication".
 */
export const readClientAssertion = (
  text: string,
  baseUrl: string,
  now: EpochSeconds,
): ClientAssertion => {
  const { algorithm, keyId, claims } = jwtIn(text);
  if (!ASSERTION_ALGORITHMS.some((one) => one === algorithm)) {
    throw new InvalidToken('algorithm not allowed');
  }
  const clientId = textClaim(claims, 'sub');
  if (claims['iss'] !== clientId) throw new InvalidToken('issuer is not the client');
  const issuer = authorizationServer(baseUrl);
  // The issuer is the proper audience; ChatGPT and most libraries that follow RFC 7523 send the token endpoint.
  checkSoleAudience(claims, [issuer, `${issuer}/token`]);
  checkTime(claims, now, LEEWAY_SECONDS);
  const expiresAt = dateClaim(claims, 'exp');
  if (expiresAt > now + MAX_AHEAD_SECONDS + LEEWAY_SECONDS) {
    throw new InvalidToken('lives too long');
  }
  const jti = textClaim(claims, 'jti');
  if (jti.length > MAX_JTI_LENGTH) throw new InvalidToken('no usable jti');
  return { clientId, keyId, jti, endsAt: Math.ceil(expiresAt) + LEEWAY_SECONDS };
};

const jwtIn = (text: string): Jwt => {
  if (text.length > MAX_BYTES) throw new InvalidToken('too long for an assertion');
  return readJwt(text);
};

const MAX_URI_LENGTH = 500;
const MAX_KEYS = 20;

/** @returns undefined without usable keys. Source: RFC 7591 §2 (`jwks_uri` or `jwks`, never both); RFC 7517 §5. */
export const readClientKeys = ({ jwks_uri: uri, jwks }: SentMetadata): ClientKeys | undefined => {
  if (uri !== undefined) return jwks === undefined ? keysAt(uri) : undefined;
  const { keys } = typeof jwks === 'object' && jwks !== null ? (jwks as { keys?: unknown }) : {};
  if (!Array.isArray(keys) || keys.length === 0 || keys.length > MAX_KEYS) return undefined;
  return keys.every(isPublicKey) ? { list: keys.map(publicMembers) } : undefined;
};

/** Plain http only on the client's own machine, as for its metadata document. */
export const HTTPS_OR_LOOPBACK = /^https:\/\/|^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])[:/]/;

const keysAt = (uri: unknown): ClientKeys | undefined =>
  typeof uri === 'string' &&
  uri.length <= MAX_URI_LENGTH &&
  HTTPS_OR_LOOPBACK.test(uri) &&
  URL.canParse(uri)
    ? { uri }
    : undefined;

/** Members of public keys. Source: RFC 7517 §4; RFC 7518 §6.2.1, §6.3.1. */
const MEMBERS = ['kty', 'use', 'key_ops', 'alg', 'kid', 'crv', 'x', 'y', 'n', 'e'] as const;

/** A key with private members is refused: published, it is a secret no more. Source: RFC 7518 §6. */
const isPublicKey = (key: unknown): key is Jwk =>
  typeof key === 'object' &&
  key !== null &&
  !('d' in key) &&
  !('k' in key) &&
  Object.values(publicMembers(key)).every(isText);

/** Other members are dropped: DynamoDB refuses values that nest too deeply. */
const publicMembers = (key: object): Jwk =>
  Object.fromEntries(Object.entries(key).filter(([name]) => MEMBERS.some((one) => one === name)));

const isText = (value: unknown): boolean => [value].flat().every((one) => typeof one === 'string');
