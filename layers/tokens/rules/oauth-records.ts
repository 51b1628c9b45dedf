import type { Fingerprint } from '../../platform/rules/fingerprint.ts';
import type { Plan } from '../../limits/rules/plan.ts';
import type { EpochSeconds } from '../../platform/rules/time.ts';
import type { ToolScope } from './authorization.ts';

export const SCOPES = [
  'openid',
  'email',
  'profile',
  'mcp.tools.read',
  'mcp.tools.execute',
] as const;
export type Scope = (typeof SCOPES)[number];

export type TokenEndpointAuthMethod =
  | 'client_secret_post'
  | 'client_secret_basic'
  /** Of clients with a metadata document alone. */
  | 'private_key_jwt'
  | 'none';

/** Where the public keys are that a client signs its assertions with. */
export type ClientKeys =
  { readonly uri: string } | { readonly list: readonly Readonly<Record<string, unknown>>[] };

/** Source: RFC 7591 §2; docs/decisions/oauth.md, "Client metadata documents". */
export interface OAuthClient {
  /** `mcp_...`, or the URL of the client's metadata document. */
  readonly id: string;
  readonly source: 'registration' | 'metadata_document';
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly authMethod: TokenEndpointAuthMethod;
  readonly secret?: Fingerprint;
  /** Of a document that names some. */
  readonly keys?: ClientKeys;
  /** Asked for at registration; empty: not said. */
  readonly scopes: readonly Scope[];
  readonly createdAt: EpochSeconds;
  /** Of a registration: it is put off with each grant. Of a document: then it is fetched again. */
  readonly expiresAt: EpochSeconds;
}

/**
 * What stands behind the ticket that login and consent pages post.
 * Source: docs/decisions/oauth.md, "Authorization requests".
 */
export interface AuthorizationRequest {
  readonly clientId: string;
  readonly clientName: string;
  /** Set if the client must sign; absent for all others. */
  readonly clientAuthMethod?: 'private_key_jwt';
  /** Set if a document describes the client, and all of its redirect URIs are on its user's device. */
  readonly onDevice?: true;
  readonly redirectUri: string;
  /** Percent-encoded, so that it is returned byte for byte; may be absent. */
  readonly state?: string;
  /** BASE64URL(SHA-256(verifier)). */
  readonly codeChallenge: string;
  readonly scopes: readonly Scope[];
  /** The deployment that `resource` named; absent: the consent page asks. */
  readonly slug?: string;
  readonly expiresAt: EpochSeconds;
}

/** One user's consent to one client for one deployment. All tokens issued from it share its fate. */
export interface Grant {
  readonly id: string;
  readonly userId: string;
  readonly email: string;
  readonly plan: Plan;
  readonly clientId: string;
  readonly clientName: string;
  /** As the client's document said at the consent: set if it must sign, so that none passes without. */
  readonly clientAuthMethod?: 'private_key_jwt';
  readonly deploymentId: string;
  readonly slug: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: EpochSeconds;
}

export interface AuthorizationCode {
  readonly grant: Grant;
  readonly redirectUri: string;
  readonly codeChallenge: string;
  readonly expiresAt: EpochSeconds;
  readonly usedAt?: EpochSeconds;
}

/** Source: docs/protocol.md, "Tokens and codes". */
export interface AccessToken {
  readonly grantId: string;
  readonly userId: string;
  readonly email: string;
  readonly plan: Plan;
  readonly clientId: string;
  readonly deploymentId: string;
  readonly scopes: readonly Scope[];
  /** When its grant began: operators end what was granted before a moment. */
  readonly grantedAt: EpochSeconds;
  readonly expiresAt: EpochSeconds;
  readonly revoked: boolean;
}

/**
 * Whether it may still be used is the grant's to say, but for its expiry.
 * Source: docs/decisions/oauth.md, "Refresh tokens".
 */
export interface RefreshToken {
  readonly grantId: string;
  readonly clientId: string;
  /** How many refreshes lie between the code and this token. Tokens of one generation are siblings. */
  readonly generation: number;
  /** The same for all of a family: 90 days, absolute. */
  readonly expiresAt: EpochSeconds;
}

export interface AccessTokenRef {
  readonly fingerprint: Fingerprint;
  readonly expiresAt: EpochSeconds;
}

export interface MintedToken {
  readonly jti: string;
  readonly deploymentId: string;
  readonly name?: string;
  readonly scopes: readonly ToolScope[];
  readonly createdAt: EpochSeconds;
  readonly expiresAt: EpochSeconds;
  readonly revoked: boolean;
  /** Signed by a key of minted tokens; absent where sessions had the same keys. */
  readonly ownKey?: true;
  /**
   * What was known of the minter: another sign-out since then ends the token. Absent where an operator
   * minted it; then one after `createdAt` does.
   */
  readonly minterSignedOutAt?: EpochSeconds;
}
