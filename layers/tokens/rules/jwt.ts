import { externalUserId } from '../../platform/rules/subject.ts';
import { member } from '../../platform/rules/json/json.ts';
import * as z from 'zod/mini';
import { InvalidToken, TOOL_SCOPES, type ToolScope, toolScopesAmong } from './authorization.ts';
import { type EpochSeconds, MINUTE } from '../../platform/rules/time.ts';
import { described, type ValueOf } from '../../platform/rules/shape.ts';
import { parsedJson } from '../../platform/rules/json/parsed-json.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** Header and claims of a JWT; unproven until its signature is checked. */
export interface Jwt {
  readonly algorithm: string;
  readonly type: string | undefined;
  readonly keyId: string | undefined;
  readonly claims: JsonObject;
}

const COMPACT = /^(?<header>[\w-]+)\.(?<claims>[\w-]+)\.[\w-]+$/;

/**
 * Parses a signed JWT in its compact form, without verifying it.
 * @throws InvalidToken for anything else, also unsigned and encrypted JWTs. Source: RFC 7515 §3.1, §4.1; RFC 7519 §3.
 */
export const readJwt = (token: string): Jwt => {
  const { header = '', claims = '' } = COMPACT.exec(token)?.groups ?? {};
  const { alg, typ, kid, crit } = jsonObject(header);
  // No critical extension is supported.
  if (crit !== undefined) throw notJwt();
  if (typeof alg !== 'string' || !isOptionalText(typ) || !isOptionalText(kid)) throw notJwt();
  return { algorithm: alg, type: typ, keyId: kid, claims: jsonObject(claims) };
};

const UTF8 = new TextDecoder('utf-8', { fatal: true });

const jsonObject = (encoded: string): JsonObject => {
  let value: unknown;
  try {
    value = parsedJson(UTF8.decode(Buffer.from(encoded, 'base64url')));
  } catch {
    throw notJwt();
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw notJwt();
  return value as JsonObject;
};

const isOptionalText = (value: unknown): value is string | undefined =>
  value === undefined || typeof value === 'string';

const notJwt = () => new InvalidToken('not a signed JWT');

type Claims = Jwt['claims'];

/**
 * A required claim. Refuses empty text, and unpaired surrogates, which JSON can escape: they become the same
 * replacement character when hashed or stored, and two users would become one.
 * @throws InvalidToken
 */
export const textClaim = (claims: Claims, name: string): string => {
  const value = member(claims, name);
  if (typeof value !== 'string' || value === '' || !value.isWellFormed()) {
    throw new InvalidToken(`no usable ${name}`);
  }
  return value;
};

/** In seconds, possibly fractional. @throws InvalidToken. Source: RFC 7519 §2, "NumericDate". */
export const dateClaim = (claims: Claims, name: string): number => {
  const value = member(claims, name);
  if (typeof value !== 'number') throw new InvalidToken(`no usable ${name}`);
  return value;
};

/**
 * Checks `exp`, and `nbf` if present.
 * @param leewaySeconds - for differing clocks
 * @throws InvalidToken. Source: RFC 7519 §4.1.4, §4.1.5.
 */
export const checkTime = (claims: Claims, now: EpochSeconds, leewaySeconds: number): void => {
  if (isExpired(claims, now, leewaySeconds)) throw new InvalidToken('token expired');
  checkBegun(claims, now, leewaySeconds);
};

/** @throws InvalidToken without `exp`. Source: RFC 7519 §4.1.4. */
export const isExpired = (claims: Claims, now: EpochSeconds, leewaySeconds: number): boolean =>
  now - leewaySeconds >= dateClaim(claims, 'exp');

/** Checks `nbf` if present. @throws InvalidToken. Source: RFC 7519 §4.1.5. */
export const checkBegun = (claims: Claims, now: EpochSeconds, leewaySeconds: number): void => {
  if (claims['nbf'] === undefined) return;
  if (now + leewaySeconds < dateClaim(claims, 'nbf')) throw new InvalidToken('token not valid yet');
};

/** @throws InvalidToken. Source: RFC 7519 §4.1.3. */
export const checkAudience = (claims: Claims, names: readonly string[]): void => {
  if (!audiencesIn(claims).some((one) => isAmong(names, one))) {
    throw new InvalidToken('token for another audience');
  }
};

/**
 * Refuses tokens with further audiences: another server that received the token could replay it here.
 * @throws InvalidToken. Source: draft-ietf-oauth-rfc7523bis, "JWT Format and Processing Requirements".
 */
export const checkSoleAudience = (claims: Claims, names: readonly string[]): void => {
  const [audience, ...others] = audiencesIn(claims);
  if (others.length > 0) throw new InvalidToken('token for other audiences as well');
  if (!isAmong(names, audience)) throw new InvalidToken('token for another audience');
};

const audiencesIn = ({ aud }: Claims): readonly unknown[] => [aud].flat();

const isAmong = (names: readonly string[], audience: unknown): boolean =>
  typeof audience === 'string' && names.includes(audience);

/** Asymmetric algorithms only, never `none` or HMAC. Source: docs/decisions/oauth.md, "Tokens of mode jwt". */
export const JWT_ALGORITHMS = [
  'ES256',
  'ES384',
  'ES512',
  'PS256',
  'PS384',
  'PS512',
  'RS256',
  'RS384',
  'RS512',
  'EdDSA',
  'Ed25519',
] as const;
export type JwtAlgorithm = (typeof JWT_ALGORITHMS)[number];

const text = () => z.string().check(z.minLength(1), z.maxLength(2048));

/** The external issuer that a `jwt` deployment trusts. Source: docs/decisions/oauth.md, "Tokens of mode jwt". */
export const JwtIssuer = z.object({
  issuer: described(text(), 'Compared byte for byte with `iss`.'),
  jwksUri: z.url({ protocol: /^https?$/ }).check(z.maxLength(2048)),
  audience: text(),
  algorithms: z
    .array(z.enum(JWT_ALGORITHMS))
    .check(z.minLength(1), z.maxLength(JWT_ALGORITHMS.length)),
});
export type JwtIssuer = ValueOf<typeof JwtIssuer>;

/** Source: docs/decisions/oauth.md, "Tokens of mode jwt". */
const LEEWAY_SECONDS = MINUTE;

/** Values of `typ` for access tokens; many issuers send none. Source: RFC 9068 §2.1; RFC 8725 §3.11. */
const TYPES: readonly (string | undefined)[] = [undefined, 'jwt', 'at+jwt', 'application/at+jwt'];

export interface ExternalUser {
  /** Derived from issuer and subject, and unique: limits count it. Source: docs/decisions/limits.md, "Quotas". */
  readonly id: string;
  /** Refused only once the signature is checked: a token that was good before is no guess. */
  readonly isExpired: boolean;
  readonly scopes: readonly ToolScope[];
  /** Source: RFC 9068 §2.2; OpenID Connect Core §2, `azp`. */
  readonly clientId: string | undefined;
  /** Source: RFC 7519 §4.1.7. */
  readonly tokenId: string | undefined;
}

/**
 * Reads a token of the external issuer; its signature is checked elsewhere.
 * @throws InvalidToken. Source: docs/decisions/oauth.md, "Tokens of mode jwt".
 */
export const readExternal = (
  { type, algorithm, claims }: Jwt,
  { issuer, audience, algorithms }: JwtIssuer,
  now: EpochSeconds,
): ExternalUser => {
  if (claims['iss'] !== issuer) throw new InvalidToken('unknown issuer');
  if (!algorithms.some((allowed) => allowed === algorithm)) {
    throw new InvalidToken('algorithm not allowed');
  }
  if (!TYPES.includes(type?.toLowerCase()))
    throw new InvalidToken('not of a type of access tokens');
  checkAudience(claims, [audience]);
  checkBegun(claims, now, LEEWAY_SECONDS);
  const subject = textClaim(claims, 'sub');
  return {
    id: externalUserId(issuer, subject),
    isExpired: isExpired(claims, now, LEEWAY_SECONDS),
    scopes: scopesOf(claims),
    clientId: nameIn(claims['client_id'] ?? claims['azp']),
    tokenId: nameIn(claims['jti']),
  };
};

/** In characters, since external issuers may send any text. */
const MAX_NAME = 256;

const nameIn = (claim: unknown): string | undefined =>
  typeof claim === 'string' && claim !== '' ? claim.slice(0, MAX_NAME) : undefined;

/**
 * Many issuers cannot be configured with our scopes. A token without any `mcp.` scope gets both, as on the consent
 * page; one with such scopes gets only those. `scope` is a text (RFC 8693 §4.2), `scp` a text or a list.
 */
const scopesOf = ({ scope = [], scp = [] }: Jwt['claims']): readonly ToolScope[] => {
  const names = [scope, scp].flatMap(namesIn);
  return names.some((name) => name.startsWith('mcp.')) ? toolScopesAmong(names) : TOOL_SCOPES;
};

const namesIn = (claim: unknown): readonly string[] => {
  if (typeof claim === 'string') return claim.split(' ');
  if (Array.isArray(claim) && claim.every((name) => typeof name === 'string')) return claim;
  throw new InvalidToken('no usable scope');
};
