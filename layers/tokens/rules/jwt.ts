import { externalUserId } from '../../platform/rules/subject.ts';
import { member } from '../../platform/rules/json/json.ts';
import * as z from 'zod/mini';
import { InvalidToken, TOOL_SCOPES, type ToolScope, toolScopesAmong } from './authorization.ts';
import { type EpochSeconds, MINUTE } from '../../platform/rules/time.ts';
import { described, type ValueOf } from '../../platform/rules/shape.ts';
import { parsedJson } from '../../platform/rules/json/parsed-json.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** What a JWT says. Nothing of it is true before its signature has been checked. */
export interface Jwt {
  readonly algorithm: string;
  readonly type: string | undefined;
  readonly keyId: string | undefined;
  readonly claims: JsonObject;
}

const COMPACT = /^(?<header>[\w-]+)\.(?<claims>[\w-]+)\.[\w-]+$/;

/**
 * Reads a signed JWT in its compact form.
 *
 * @throws InvalidToken for anything else, unsigned and encrypted ones included
 *
 * Source: RFC 7515 §3.1, §4.1; RFC 7519 §3.
 */
export const readJwt = (token: string): Jwt => {
  const { header = '', claims = '' } = COMPACT.exec(token)?.groups ?? {};
  const { alg, typ, kid, crit } = jsonObject(header);
  // Extensions that the sender wants understood: we understand none.
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
 * A claim that must be there. An empty text says nothing, and halves of characters, which JSON can escape, all become
 * the same one where a text is hashed or stored: two people would be one.
 *
 * @throws InvalidToken
 */
export const textClaim = (claims: Claims, name: string): string => {
  const value = member(claims, name);
  if (typeof value !== 'string' || value === '' || !value.isWellFormed()) {
    throw new InvalidToken(`no usable ${name}`);
  }
  return value;
};

/** Seconds, perhaps with a fraction. @throws InvalidToken. Source: RFC 7519 §2, "NumericDate". */
export const dateClaim = (claims: Claims, name: string): number => {
  const value = member(claims, name);
  if (typeof value !== 'number') throw new InvalidToken(`no usable ${name}`);
  return value;
};

/**
 * Whether now is in the token's time: before `exp`, and not before `nbf` if there is one.
 *
 * @param leewaySeconds - for clocks that differ
 * @throws InvalidToken. Source: RFC 7519 §4.1.4, §4.1.5.
 */
export const checkTime = (claims: Claims, now: EpochSeconds, leewaySeconds: number): void => {
  if (now - leewaySeconds >= dateClaim(claims, 'exp')) throw new InvalidToken('token expired');
  if (claims['nbf'] === undefined) return;
  if (now + leewaySeconds < dateClaim(claims, 'nbf')) throw new InvalidToken('token not valid yet');
};

/**
 * Whether the token is for us, under one of our names.
 *
 * @throws InvalidToken. Source: RFC 7519 §4.1.3.
 */
export const checkAudience = (claims: Claims, names: readonly string[]): void => {
  if (!audiencesIn(claims).some((one) => isAmong(names, one))) {
    throw new InvalidToken('token for another audience');
  }
};

/**
 * Whether the token is for us alone, under one of our names: another server that it was for as well could
 * show it here.
 *
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

/**
 * What a JWT may be signed with: asymmetric algorithms only, never `none`, never HMAC.
 * Source: docs/decisions/oauth.md, "Tokens of mode jwt".
 */
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

/**
 * Whose tokens, besides our own, a `jwt` deployment accepts.
 * Source: docs/decisions/oauth.md, "Tokens of mode jwt".
 */
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

/** What issuers write into `typ` of an access token; many write nothing. Source: RFC 9068 §2.1; RFC 8725 §3.11. */
const TYPES: readonly (string | undefined)[] = [undefined, 'jwt', 'at+jwt', 'application/at+jwt'];

/** Whoever an external issuer speaks of. */
export interface ExternalUser {
  /**
   * Stands for issuer and subject, and for nobody else: whom limits count.
   * Source: docs/decisions/limits.md, "Quotas".
   */
  readonly id: string;
  readonly scopes: readonly ToolScope[];
  /** Source: RFC 9068 §2.2; OpenID Connect Core §2, `azp`. */
  readonly clientId: string | undefined;
  /** Source: RFC 7519 §4.1.7. */
  readonly tokenId: string | undefined;
}

/**
 * Reads a token of the issuer that a deployment trusts. Its signature is for others to check.
 *
 * @throws InvalidToken
 *
 * Source: docs/decisions/oauth.md, "Tokens of mode jwt".
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
  checkTime(claims, now, LEEWAY_SECONDS);
  const subject = textClaim(claims, 'sub');
  return {
    id: externalUserId(issuer, subject),
    scopes: scopesOf(claims),
    clientId: nameIn(claims['client_id'] ?? claims['azp']),
    tokenId: nameIn(claims['jti']),
  };
};

/** Characters. Other issuers may write what they like. */
const MAX_NAME = 256;

const nameIn = (claim: unknown): string | undefined =>
  typeof claim === 'string' && claim !== '' ? claim.slice(0, MAX_NAME) : undefined;

/**
 * Many issuers cannot be taught our scopes. As on the consent page, whoever speaks of none of them
 * gets both; a token that names any `mcp.` scope gets those that it names, and no more.
 *
 * `scope` is a text (RFC 8693 §4.2), `scp` a text or a list, depending on the issuer.
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
