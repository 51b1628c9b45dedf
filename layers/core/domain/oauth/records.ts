import { createHash } from 'node:crypto';
import type { Plan } from '../plan.ts';
import type { EpochSeconds } from '../time.ts';

declare const fingerprinted: unique symbol;

/** SHA-256 of a secret, hex. Stores take nothing else, so that no secret can be kept by mistake. */
export type Fingerprint = string & { readonly [fingerprinted]: true };

export const fingerprint = (secret: string): Fingerprint =>
  createHash('sha256').update(secret).digest('hex') as Fingerprint;

export const SCOPES = [
  'openid',
  'email',
  'profile',
  'mcp.tools.read',
  'mcp.tools.execute',
] as const;
export type Scope = (typeof SCOPES)[number];

export type TokenEndpointAuthMethod = 'client_secret_post' | 'client_secret_basic' | 'none';

/** Source: spec, "OAuth client"; RFC 7591 §2; D27 for metadata documents. */
export interface OAuthClient {
  /** `mcp_...`, or the URL of the client's metadata document. */
  readonly id: string;
  readonly source: 'registration' | 'metadata_document';
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly authMethod: TokenEndpointAuthMethod;
  readonly secret?: Fingerprint;
  /** Asked for at registration; empty: not said. */
  readonly scopes: readonly Scope[];
  readonly createdAt: EpochSeconds;
}

/** What stands behind the ticket that login and consent pages post. Source: A3. */
export interface AuthorizationRequest {
  readonly clientId: string;
  readonly clientName: string;
  readonly redirectUri: string;
  /** Percent-encoded, so that it is returned byte for byte; may be absent. */
  readonly state?: string;
  /** BASE64URL(SHA-256(verifier)). */
  readonly challenge: string;
  readonly scopes: readonly Scope[];
  /** The deployment that `resource` named; absent: the consent page asks (D12). */
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
  readonly deploymentId: string;
  readonly slug: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: EpochSeconds;
}

export interface AuthorizationCode {
  readonly grant: Grant;
  readonly redirectUri: string;
  readonly challenge: string;
  readonly expiresAt: EpochSeconds;
  readonly usedAt?: EpochSeconds;
}

/** Source: spec, "Tokens and codes": user_id, expires_at, revoked. */
export interface AccessToken {
  readonly grantId: string;
  readonly userId: string;
  readonly email: string;
  readonly plan: Plan;
  readonly clientId: string;
  readonly deploymentId: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: EpochSeconds;
  readonly revoked: boolean;
}

/** Whether it may still be used is the grant's to say, but for its expiry. Source: D18. */
export interface RefreshToken {
  readonly grantId: string;
  readonly clientId: string;
  /** How many refreshes lie between the code and this token. Tokens of one generation are siblings. */
  readonly generation: number;
  /** The same for all of a family: 90 days, absolute. */
  readonly expiresAt: EpochSeconds;
}
