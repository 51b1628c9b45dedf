import { InvalidToken } from '../invalid-token.ts';
import { DAY, type EpochSeconds } from '../../../platform/rules/time.ts';
import { type ToolScope, toolScopesAmong } from '../../../openapi/tool-scopes.ts';
import { checkAudience, checkTime, dateClaim, textClaim } from './claims.ts';
import type { Jwt } from './compact.ts';

/**
 * The `typ` of the tokens that we mint; that of a user's session is another.
 * Source: RFC 9068 §2.1; docs/decisions/oauth.md, "Tokens of mode jwt".
 */
export const MINTED_TYPE = 'at+jwt';
export const MINTED_ALGORITHM = 'ES256';
export const MINTED_MAX_SECONDS = DAY;

/** The `client_id` of minted tokens: they were asked for here, by no OAuth client. */
const CLIENT_ID = 'mcp-management';

export interface Minting {
  readonly issuer: string;
  /** The deployment's owner. */
  readonly subject: string;
  /** The resource: the address of the MCP server. */
  readonly audience: string;
  readonly jti: string;
  readonly scopes: readonly ToolScope[];
  readonly issuedAt: EpochSeconds;
  readonly expiresAt: EpochSeconds;
}

/** Source: RFC 9068 §2.2. */
export const mintedClaims = (minting: Minting) => ({
  iss: minting.issuer,
  sub: minting.subject,
  aud: minting.audience,
  client_id: CLIENT_ID,
  jti: minting.jti,
  scope: minting.scopes.join(' '),
  iat: minting.issuedAt,
  exp: minting.expiresAt,
});

/** What a minted token is checked against. Our own clock wrote its times, so there is no leeway. */
export interface MintedTerms {
  readonly issuer: string;
  /** The names of the resource. */
  readonly audiences: readonly string[];
  readonly now: EpochSeconds;
}

export interface MintedClaims {
  readonly jti: string;
  /** The deployment's owner when it was minted. */
  readonly subject: string;
  readonly scopes: readonly ToolScope[];
}

/**
 * Reads a token that says it was minted here. Its signature and its revocation are for others to check.
 *
 * @throws InvalidToken
 *
 * Source: docs/decisions/oauth.md, "Tokens of mode jwt".
 */
export const readMinted = (
  { type, algorithm, claims }: Jwt,
  { issuer, audiences, now }: MintedTerms,
): MintedClaims => {
  if (type !== MINTED_TYPE) throw new InvalidToken('not of the type of minted tokens');
  if (algorithm !== MINTED_ALGORITHM) throw new InvalidToken('algorithm not allowed');
  if (claims['iss'] !== issuer) throw new InvalidToken('unknown issuer');
  checkAudience(claims, audiences);
  checkTime(claims, now, 0);
  const lifetime = dateClaim(claims, 'exp') - dateClaim(claims, 'iat');
  if (!(lifetime <= MINTED_MAX_SECONDS)) throw new InvalidToken('token lives too long');
  return {
    jti: textClaim(claims, 'jti'),
    subject: textClaim(claims, 'sub'),
    scopes: toolScopesAmong(textClaim(claims, 'scope').split(' ')),
  };
};
