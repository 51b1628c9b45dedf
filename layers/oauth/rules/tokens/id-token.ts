import { createHash } from 'node:crypto';
import { type EpochSeconds, HOUR } from '../../../platform/rules/time.ts';

/** The `typ` of ID tokens, so that none passes for a session or a minted token. Source: RFC 8725 §3.11. */
export const ID_TOKEN_TYPE = 'JWT';

/** Seconds. Clients read it once, when they get it; what keeps somebody signed in there is the client's own. */
const LIFETIME = HOUR;

export interface SignIn {
  readonly issuer: string;
  readonly clientId: string;
  /** The client's own; absent if it sent none. */
  readonly nonce: string | undefined;
  /** When the user signed in; absent in codes of versions that did not store it. */
  readonly authTime: EpochSeconds | undefined;
  /** That is issued beside it. */
  readonly accessToken: string;
  readonly issuedAt: EpochSeconds;
}

/**
 * @param person - what the scopes open of the user, `sub` first, as userinfo tells it
 *
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

/** By the hash of ES256. */
const leftHalfOfHash = (text: string): string =>
  createHash('sha256').update(text, 'ascii').digest().subarray(0, 16).toString('base64url');
