import * as z from 'zod/mini';
import { type Fingerprint, FingerprintText } from '../../platform/rules/fingerprint.ts';
import { PLANS } from '../../limits/rules/plan.ts';
import type { ValueOf } from '../../platform/rules/shape.ts';
import type { EpochSeconds } from '../../platform/rules/time.ts';
import { TOOL_SCOPES } from './authorization.ts';

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
  /** Only of clients with a metadata document. */
  | 'private_key_jwt'
  | 'none';

/** Public keys for a client's assertions. */
export type ClientKeys =
  | { readonly uri: string }
  | { readonly list: readonly Readonly<Record<string, unknown>>[] };

/** Source: RFC 7591 §2; docs/decisions/oauth.md, "Client metadata documents". */
export interface OAuthClient {
  /** `mcp_...`, or the URL of the client's metadata document. */
  readonly id: string;
  readonly source: 'registration' | 'metadata_document';
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly authMethod: TokenEndpointAuthMethod;
  readonly secret?: Fingerprint;
  /** From its metadata document, if it names keys. */
  readonly keys?: ClientKeys;
  /** Named at registration; empty: none were named. */
  readonly scopes: readonly Scope[];
  /** Set if the client named grant types without `refresh_token`. */
  readonly withoutRefresh?: true;
  readonly createdAt: EpochSeconds;
  /** A registration is prolonged by each grant; a metadata document is fetched again. */
  readonly expiresAt: EpochSeconds;
}

/**
 * The authorization request behind the ticket of login and consent pages. Source: docs/decisions/oauth.md,
 * "Authorization requests".
 */
export interface AuthorizationRequest {
  readonly clientId: string;
  readonly clientName: string;
  /** Set if the client must sign. */
  readonly clientAuthMethod?: 'private_key_jwt';
  /** Set if a metadata document describes the client, and all its redirect URIs are on the user's device. */
  readonly onDevice?: true;
  readonly redirectUri: string;
  /** Kept percent-encoded, so that it is returned byte for byte. */
  readonly state?: string;
  /** BASE64URL(SHA-256(verifier)). */
  readonly codeChallenge: string;
  readonly scopes: readonly Scope[];
  /** Set if the client cannot refresh. */
  readonly withoutRefresh?: true;
  readonly offlineAccess?: true;
  /** Repeated in the ID token. */
  readonly nonce?: string;
  /** From `resource`; without it the consent page asks. */
  readonly slug?: string;
  readonly expiresAt: EpochSeconds;
}

export const Decision = z.object({
  decision: z.enum(['approve', 'deny']),
  slug: z.exactOptional(z.string()),
  /** Of the browser session that decided. */
  session: FingerprintText,
  decidedAt: z.int(),
  /** Derives the code together with the ticket; the code itself is not stored. */
  seed: z.string(),
});
export type Decision = ValueOf<typeof Decision>;

const text = z.string();
const id = z.string().check(z.minLength(1));
const moment = z.int();

/** One user's consent to one client for one deployment. All tokens issued from it end with it. */
export const Grant = z.object({
  id,
  userId: id,
  email: text,
  plan: z.enum(PLANS),
  clientId: text,
  clientName: text,
  /** Set if the client's metadata document required signatures when the user consented. */
  clientAuthMethod: z.exactOptional(z.literal('private_key_jwt')),
  deploymentId: id,
  slug: text,
  scopes: z.array(z.enum(SCOPES)),
  /** Set if the client cannot refresh: it gets no refresh token. */
  withoutRefresh: z.exactOptional(z.literal(true)),
  /** Set if the client asked for `offline_access`. */
  offlineAccess: z.exactOptional(z.literal(true)),
  createdAt: moment,
});
export type Grant = ValueOf<typeof Grant>;

export const AuthorizationCode = z.object({
  grant: Grant,
  redirectUri: text,
  codeChallenge: text,
  /** For the ID token. */
  nonce: z.exactOptional(text),
  authTime: z.exactOptional(moment),
  expiresAt: moment,
  usedAt: z.exactOptional(moment),
});
export type AuthorizationCode = ValueOf<typeof AuthorizationCode>;

/** Source: docs/protocol.md, "Tokens and codes". */
export const AccessToken = z.object({
  grantId: text,
  userId: text,
  email: text,
  plan: z.enum(PLANS),
  clientId: text,
  deploymentId: text,
  scopes: z.array(z.enum(SCOPES)),
  /** When the grant began. 0 in tokens of former versions, which end with the first command that ends tokens. */
  grantedAt: z._default(moment, 0),
  expiresAt: moment,
  revoked: z.boolean(),
});
export type AccessToken = ValueOf<typeof AccessToken>;

/** Its grant decides whether it may still be used. Source: docs/decisions/oauth.md, "Refresh tokens". */
export const RefreshToken = z.object({
  grantId: id,
  clientId: text,
  /** Number of refreshes since the code. A repeated refresh makes several tokens of one generation. */
  generation: z.int().check(z.minimum(0)),
  /** The same for the whole family. */
  expiresAt: moment,
});
export type RefreshToken = ValueOf<typeof RefreshToken>;

export interface AccessTokenRef {
  readonly fingerprint: Fingerprint;
  readonly expiresAt: EpochSeconds;
}

export const MintedToken = z.object({
  jti: id,
  deploymentId: id,
  name: z.exactOptional(text),
  scopes: z.array(z.enum(TOOL_SCOPES)),
  createdAt: moment,
  expiresAt: moment,
  revoked: z.boolean(),
  /** Signed by a key for minted tokens; absent in tokens from before such keys existed. */
  ownKey: z.exactOptional(z.literal(true)),
  /**
   * The minter's last sign-out when it was minted: a later one ends the token. Absent if an operator minted it: then
   * a sign-out after `createdAt` does.
   */
  minterSignedOutAt: z.exactOptional(moment),
});
export type MintedToken = ValueOf<typeof MintedToken>;
