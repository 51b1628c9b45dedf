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
  /** Of clients with a metadata document alone. */
  | 'private_key_jwt'
  | 'none';

/** Where the public keys are that a client signs its assertions with. */
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
  /** Of a document that names some. */
  readonly keys?: ClientKeys;
  /** Asked for at registration; empty: not said. */
  readonly scopes: readonly Scope[];
  /** Set if it named the grant types that it uses, and refreshing is none of them. */
  readonly withoutRefresh?: true;
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
  /** What is asked of refresh tokens: none, since the client does without, or one by name. */
  readonly withoutRefresh?: true;
  readonly offlineAccess?: true;
  /** Repeated in the ID token. */
  readonly nonce?: string;
  /** The deployment that `resource` named; absent: the consent page asks. */
  readonly slug?: string;
  readonly expiresAt: EpochSeconds;
}

export const Decision = z.object({
  decision: z.enum(['approve', 'deny']),
  /** The deployment of an approval. */
  slug: z.exactOptional(z.string()),
  /** Fingerprint of the browser's session. */
  session: FingerprintText,
  decidedAt: z.int(),
  /** With the ticket it makes the code, which is stored nowhere. */
  seed: z.string(),
});
export type Decision = ValueOf<typeof Decision>;

const text = z.string();
const id = z.string().check(z.minLength(1));
const moment = z.int();

/** One user's consent to one client for one deployment. All tokens issued from it share its fate. */
export const Grant = z.object({
  id,
  userId: id,
  email: text,
  plan: z.enum(PLANS),
  clientId: text,
  clientName: text,
  /** As the client's document said at the consent: set if it must sign, so that none passes without. */
  clientAuthMethod: z.exactOptional(z.literal('private_key_jwt')),
  deploymentId: id,
  slug: text,
  scopes: z.array(z.enum(SCOPES)),
  /** Set if its client said at its registration that it does not refresh: it gets no refresh token. */
  withoutRefresh: z.exactOptional(z.literal(true)),
  /** Set if its client asked for `offline_access`, which is answered as granted beside the scopes. */
  offlineAccess: z.exactOptional(z.literal(true)),
  createdAt: moment,
});
export type Grant = ValueOf<typeof Grant>;

export const AuthorizationCode = z.object({
  grant: Grant,
  redirectUri: text,
  codeChallenge: text,
  /** For the ID token: the client's own, and when its user signed in. */
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
  /**
   * When its grant began: operators end what was granted before a moment. Absent in tokens of versions that did not
   * store it: such a one ends with the first command that ends tokens.
   */
  grantedAt: z._default(moment, 0),
  expiresAt: moment,
  revoked: z.boolean(),
});
export type AccessToken = ValueOf<typeof AccessToken>;

/**
 * Whether it may still be used is the grant's to say, but for its expiry.
 * Source: docs/decisions/oauth.md, "Refresh tokens".
 */
export const RefreshToken = z.object({
  grantId: id,
  clientId: text,
  /** How many refreshes lie between the code and this token. Tokens of one generation are siblings. */
  generation: z.int().check(z.minimum(0)),
  /** The same for all of a family: 90 days, absolute. */
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
  /** Signed by a key of minted tokens; absent where sessions had the same keys. */
  ownKey: z.exactOptional(z.literal(true)),
  /**
   * What was known of the minter: another sign-out since then ends the token. Absent where an operator
   * minted it; then one after `createdAt` does.
   */
  minterSignedOutAt: z.exactOptional(moment),
});
export type MintedToken = ValueOf<typeof MintedToken>;
