import { createHash } from 'node:crypto';
import { InvalidToken } from '../invalid-token.ts';
import type { JwtIssuer } from './jwt-issuer.ts';
import { type EpochSeconds, MINUTE } from '../../../platform/rules/time.ts';
import { TOOL_SCOPES, type ToolScope, toolScopesAmong } from '../../../openapi/tool-scopes.ts';
import { checkAudience, checkTime, textClaim } from './claims.ts';
import type { Jwt } from './compact.ts';

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

/** A hash, since other people's ids may be e-mails, and of both in JSON, so that no two pairs read alike. */
export const externalUserId = (issuer: string, subject: string): string =>
  `jwt_${createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest('hex')}`;

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
