import { InvalidToken, type ToolScope, toolScopesAmong } from './authorization.ts';
import { authorizationServer, management } from '../../platform/rules/addresses.ts';
import { type Fingerprint, fingerprint } from '../../platform/rules/fingerprint.ts';
import { DAY, type EpochSeconds } from '../../platform/rules/time.ts';
import { checkAudience, checkTime, dateClaim, type Jwt, textClaim } from './jwt.ts';

/**
 * The `typ` of a user's session, so that no other JWT of ours passes for one.
 * Source: RFC 8725 §3.11.
 */
export const SESSION_TYPE = 'session+jwt';
export const SESSION_ALGORITHM = 'ES256';

/**
 * For whom a session's token is: the pages or the management API, so that neither takes the other's.
 * Source: RFC 8725 §3.9; docs/decisions/accounts.md, "Sessions".
 */
export const sessionAudience = (baseUrl: string, kind: 'browser' | 'api'): string =>
  kind === 'browser' ? authorizationServer(baseUrl) : management(baseUrl);

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

/** Seconds. Short, since a script holds it: a page asks for the next one as long as its session lasts. */
export const CONSOLE_TOKEN_SECONDS = 600;

/**
 * What a browser's session lends to the pages of the console: for the management API alone, and good only as
 * long as that session is. It names the session by its fingerprint, since scripts read it: the secret proves
 * forms.
 *
 * Source: docs/decisions/accounts.md, "Sessions of the console".
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
  /** The secret that stands for the session; absent from what a browser's session has lent. */
  readonly sid?: string;
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
  const sub = textClaim(claims, 'sub');
  if (claims['sid_hash'] !== undefined) {
    return { sub, session: textClaim(claims, 'sid_hash') as Fingerprint };
  }
  const sid = textClaim(claims, 'sid');
  return { sub, session: fingerprint(sid), sid };
};

/**
 * The `typ` of the tokens that we mint; that of a user's session is another.
 * Source: RFC 9068 §2.1; docs/decisions/oauth.md, "Tokens of mode jwt".
 */
export const MINTED_TYPE = 'at+jwt';
export const MINTED_ALGORITHM = 'ES256';
/** In any mode; each mode says how long one may live there. */
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
  /** Most seconds that one may live. */
  readonly maxSeconds: number;
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
  { issuer, audiences, now, maxSeconds }: MintedTerms,
): MintedClaims => {
  if (type !== MINTED_TYPE) throw new InvalidToken('not of the type of minted tokens');
  if (algorithm !== MINTED_ALGORITHM) throw new InvalidToken('algorithm not allowed');
  if (claims['iss'] !== issuer) throw new InvalidToken('unknown issuer');
  checkAudience(claims, audiences);
  checkTime(claims, now, 0);
  const lifetime = dateClaim(claims, 'exp') - dateClaim(claims, 'iat');
  if (!(lifetime <= maxSeconds)) throw new InvalidToken('token lives too long');
  return {
    jti: textClaim(claims, 'jti'),
    subject: textClaim(claims, 'sub'),
    scopes: toolScopesAmong(textClaim(claims, 'scope').split(' ')),
  };
};
