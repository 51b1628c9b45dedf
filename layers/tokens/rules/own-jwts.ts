import { InvalidToken, type ToolScope, toolScopesAmong } from './authorization.ts';
import { authorizationServer, management } from '../../platform/rules/addresses.ts';
import { type Fingerprint, fingerprint } from '../../platform/rules/fingerprint.ts';
import { DAY, type EpochSeconds } from '../../platform/rules/time.ts';
import {
  checkAudience,
  checkBegun,
  checkTime,
  dateClaim,
  isExpired,
  type Jwt,
  textClaim,
} from './jwt.ts';

/** `typ` of session tokens, which keeps our other JWTs from passing as one. Source: RFC 8725 §3.11. */
export const SESSION_TYPE = 'session+jwt';
export const SESSION_ALGORITHM = 'ES256';

/**
 * Audience of session tokens: pages and management API do not accept each other's. Source: RFC 8725 §3.9;
 * docs/decisions/accounts.md, "Sessions".
 */
export const sessionAudience = (baseUrl: string, kind: 'browser' | 'api'): string =>
  kind === 'browser' ? authorizationServer(baseUrl) : management(baseUrl);

export interface NamedSession {
  readonly kind: 'browser' | 'api';
  readonly userId: string;
  readonly createdAt: EpochSeconds;
  readonly expiresAt: EpochSeconds;
}

/** @param sid - the session's secret */
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

/** In seconds. Short, since scripts can read it: a page requests the next one while its session lasts. */
export const CONSOLE_TOKEN_SECONDS = 600;

/**
 * Token for the console's scripts: for the management API only, and valid only as long as the browser's session. It
 * names the session by fingerprint, since scripts can read it, and the secret itself proves forms. Source:
 * docs/decisions/accounts.md, "Sessions of the console".
 */
export const consoleClaims = (
  baseUrl: string,
  session: Fingerprint,
  {
    userId,
    createdAt,
    expiresAt,
  }: {
    readonly userId: string;
    readonly createdAt: EpochSeconds;
    readonly expiresAt: EpochSeconds;
  },
) => ({
  iss: authorizationServer(baseUrl),
  aud: sessionAudience(baseUrl, 'api'),
  sub: userId,
  sid_hash: session,
  iat: createdAt,
  exp: expiresAt,
});

export interface SessionTerms {
  readonly issuer: string;
  readonly audience: string;
  readonly now: EpochSeconds;
}

export interface SessionClaims {
  readonly sub: string;
  readonly session: Fingerprint;
  /** The session's secret; absent in tokens of the console. */
  readonly sid?: string;
}

/**
 * Checks the claims of a session token. Its signature, and whether the session still exists, are checked elsewhere.
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
  const sub = textClaim(claims, 'sub');
  if (claims['sid_hash'] !== undefined) {
    return { sub, session: textClaim(claims, 'sid_hash') as Fingerprint };
  }
  const sid = textClaim(claims, 'sid');
  return { sub, session: fingerprint(sid), sid };
};

/** `typ` of minted tokens. Source: RFC 9068 §2.1; docs/decisions/oauth.md, "Tokens of mode jwt". */
export const MINTED_TYPE = 'at+jwt';
export const MINTED_ALGORITHM = 'ES256';
/** For every authentication mode; each has its own limit below it. */
export const MINTED_MAX_SECONDS = DAY;

/** `client_id` of minted tokens, which no OAuth client requested. */
const CLIENT_ID = 'mcp-management';

export interface Minting {
  readonly issuer: string;
  readonly subject: string;
  /** Address of the MCP server. */
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

/** Our own clock wrote the times, so there is no leeway. */
export interface MintedTerms {
  readonly issuer: string;
  /** All addresses of the MCP server. */
  readonly audiences: readonly string[];
  readonly now: EpochSeconds;
  readonly maxSeconds: number;
}

export interface MintedClaims {
  readonly jti: string;
  /** The deployment's owner when it was minted. */
  readonly subject: string;
  /** As `ExternalUser` has it. */
  readonly isExpired: boolean;
  readonly scopes: readonly ToolScope[];
}

/**
 * Checks the claims of a minted token. Its signature and revocation are checked elsewhere.
 * @throws InvalidToken. Source: docs/decisions/oauth.md, "Tokens of mode jwt".
 */
export const readMinted = (
  { type, algorithm, claims }: Jwt,
  { issuer, audiences, now, maxSeconds }: MintedTerms,
): MintedClaims => {
  if (type !== MINTED_TYPE) throw new InvalidToken('not of the type of minted tokens');
  if (algorithm !== MINTED_ALGORITHM) throw new InvalidToken('algorithm not allowed');
  if (claims['iss'] !== issuer) throw new InvalidToken('unknown issuer');
  checkAudience(claims, audiences);
  checkBegun(claims, now, 0);
  const lifetime = dateClaim(claims, 'exp') - dateClaim(claims, 'iat');
  if (!(lifetime <= maxSeconds)) throw new InvalidToken('token lives too long');
  return {
    jti: textClaim(claims, 'jti'),
    subject: textClaim(claims, 'sub'),
    isExpired: isExpired(claims, now, 0),
    scopes: toolScopesAmong(textClaim(claims, 'scope').split(' ')),
  };
};
