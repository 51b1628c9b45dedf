import { createHash } from 'node:crypto';
import { type EpochSeconds, HOUR } from '../../../platform/rules/time.ts';

/** `typ` of ID tokens, which keeps them from passing as a session or a minted token. Source: RFC 8725 §3.11. */
export const ID_TOKEN_TYPE = 'JWT';

/** Clients read an ID token once, on receipt; how long a user stays signed in there is up to the client. */
const LIFETIME = HOUR;

export interface SignIn {
  readonly issuer: string;
  readonly clientId: string;
  readonly nonce: string | undefined;
  /** When the user signed in; absent in codes of versions that did not store it. */
  readonly authTime: EpochSeconds | undefined;
  readonly accessToken: string;
  readonly issuedAt: EpochSeconds;
}

/**
 * @param person - claims that the scopes allow, `sub` first, as in userinfo
 * Source: OpenID Connect Core 1.0 §2, §3.1.3.6; docs/decisions/oauth.md, "ID tokens".
 */
export const idTokenClaims = (
  { issuer, clientId, nonce, authTime, accessToken, issuedAt }: SignIn,
  person: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> => ({
  iss: issuer,
  ...person,
  aud: clientId,
  iat: issuedAt,
  exp: issuedAt + LIFETIME,
  ...(authTime !== undefined && { auth_time: authTime }),
  ...(nonce !== undefined && { nonce }),
  at_hash: leftHalfOfHash(accessToken),
});

/** SHA-256 goes with the signature algorithm ES256. */
const leftHalfOfHash = (text: string): string =>
  createHash('sha256').update(text, 'ascii').digest().subarray(0, 16).toString('base64url');
