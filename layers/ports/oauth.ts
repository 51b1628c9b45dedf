import type { NotBefore } from '../tokens/rules/not-before.ts';
import type { Fingerprint } from '../platform/rules/fingerprint.ts';
import type {
  AccessToken,
  AuthorizationCode,
  AuthorizationRequest,
  Grant,
  OAuthClient,
  RefreshToken,
} from '../tokens/rules/oauth-records.ts';
import type { ShownToken } from '../oauth/rules/tokens/rotation.ts';
import type { IdentityAssertion } from '../oauth/rules/tokens/identity-assertion.ts';
import type { ClientAssertion } from '../oauth/rules/clients/client-assertion.ts';
import type { EpochSeconds } from '../platform/rules/time.ts';
import type { ToolScope } from '../openapi/tool-scopes.ts';
import type { Page, PageQuery } from './management.ts';

/** Table `oauth`. Reads are strongly consistent; single-item conditional writes only. */

export interface Clients {
  /** Not once it has ended. */
  find(id: string): Promise<OAuthClient | undefined>;
  put(client: OAuthClient): Promise<void>;
  /** Does nothing to one that is gone, or lasts longer. */
  prolong(id: string, expiresAt: EpochSeconds): Promise<void>;
  /** Does nothing if it is gone. */
  remove(id: string): Promise<void>;
}

/** Assertions that clients have signed, each of which is good once. Source: RFC 7523 §3, item 7. */
export interface ClientAssertions {
  /** @returns true for exactly one request, until the assertion has ended */
  use(assertion: ClientAssertion): Promise<boolean>;
}

/** Assertions of identity providers, each of which is good once. */
export interface IdentityAssertions {
  /** @returns true for exactly one request, until the assertion has ended */
  use(assertion: Pick<IdentityAssertion, 'provider' | 'jti' | 'endsAt'>): Promise<boolean>;
}

export interface AuthorizationRequests {
  put(ticket: Fingerprint, request: AuthorizationRequest): Promise<void>;
  /** Not once it was taken. */
  find(ticket: Fingerprint): Promise<AuthorizationRequest | undefined>;
  /** @returns true for exactly one of any number of callers: whoever may act on the ticket */
  take(ticket: Fingerprint): Promise<boolean>;
}

export interface Codes {
  put(code: Fingerprint, record: AuthorizationCode): Promise<void>;
  find(code: Fingerprint): Promise<AuthorizationCode | undefined>;
  /**
   * @param requestId - names this attempt, so that a retry after a lost answer is no replay
   * @returns true for exactly one request
   */
  markUsed(code: Fingerprint, requestId: string, now: EpochSeconds): Promise<boolean>;
}

/**
 * Grants know their live access tokens, so that ending a grant ends them all, with no gap: a token is
 * noted with its grant before it is stored, and it is stored only where no revocation came first.
 */
export interface Grants {
  /** One that has not ended. */
  find(id: string): Promise<Grant | undefined>;
  /**
   * @param refreshToken - that the client will show once, for a successor; none of one that keeps its token
   * @returns false if the grant exists or was ended before it began
   */
  begin(grant: Grant, access: AccessTokenRef, refreshToken?: Fingerprint): Promise<boolean>;
  /** The same for a grant that buys this one token alone. */
  beginOnce(grant: Grant, access: AccessTokenRef): Promise<boolean>;
  /**
   * Notes one more access token for a refresh, and which refresh token may be shown next.
   * Source: docs/decisions/oauth.md, "Refresh tokens".
   */
  refresh(
    id: string,
    shown: ShownRefreshToken,
    access: AccessTokenRef,
    now: EpochSeconds,
  ): Promise<RefreshOutcome>;
  /** Ends the grant and every access token of it. Also before it began. A repetition finishes what broke off. */
  end(id: string, now: EpochSeconds): Promise<void>;
  /**
   * No more refreshes; access tokens live on until they expire.
   * Source: docs/decisions/oauth.md, "Revocation".
   */
  endRefresh(id: string, now: EpochSeconds): Promise<void>;
  /** Which deployment a grant is for, also one that has ended; undefined if it never began. */
  deploymentOf(id: string): Promise<string | undefined>;
  /** The grant itself, also one that has ended; undefined if it never began. */
  recordOf(id: string): Promise<Grant | undefined>;
  /**
   * Those that still give access to a deployment, the newest first; also one whose end broke off before
   * all its access tokens were revoked. May lag behind a moment.
   */
  page(deploymentId: string, query: PageQuery, now: EpochSeconds): Promise<Page<ActiveGrant>>;
  /** The same of those that a user has given to clients. */
  pageOfUser(userId: string, query: PageQuery, now: EpochSeconds): Promise<Page<ActiveGrant>>;
}

/** A grant that still gives access. */
export interface ActiveGrant {
  readonly grant: Grant;
  /** Absent if it was never refreshed. */
  readonly refreshedAt?: EpochSeconds;
  /** When it gives no access any more, unless it is ended before. */
  readonly expiresAt: EpochSeconds;
}

export interface AccessTokenRef {
  readonly fingerprint: Fingerprint;
  readonly expiresAt: EpochSeconds;
}

export interface ShownRefreshToken extends ShownToken {
  /** What its client gets in its place; none for a client that keeps its token. */
  readonly successor: Fingerprint | undefined;
}

export type RefreshOutcome =
  | { readonly outcome: 'ok'; readonly grant: Grant }
  /** Ended, or refreshing has ended. */
  | { readonly outcome: 'ended' }
  /** A successor of it has been used, or another one took its place: this one is stolen or a copy. */
  | { readonly outcome: 'reused' };

export interface AccessTokens {
  find(token: Fingerprint): Promise<AccessToken | undefined>;
  /** @returns false if it was revoked before it was stored */
  put(token: Fingerprint, record: AccessToken): Promise<boolean>;
  revoke(token: Fingerprint): Promise<void>;
}

/** What operators have ended. Source: docs/decisions/oauth.md, "Ending everything at once". */
export interface NotBeforeTimes {
  find(): Promise<NotBefore>;
}

export interface NotBeforeRegister extends NotBeforeTimes {
  /** @param next - of the revision after the one that was found @returns false if it was changed meanwhile */
  replace(next: NotBefore): Promise<boolean>;
}

export interface RefreshTokens {
  find(token: Fingerprint): Promise<RefreshToken | undefined>;
  put(token: Fingerprint, record: RefreshToken): Promise<void>;
}

/**
 * JWTs that the service minted for a `jwt` deployment.
 * Source: docs/decisions/oauth.md, "Tokens of mode jwt".
 */
export interface MintedTokens {
  put(token: MintedToken): Promise<void>;
  find(jti: string): Promise<MintedToken | undefined>;
  revoke(jti: string): Promise<void>;
  /** The newest first, those that were revoked or have expired as well. May lag behind a moment. */
  page(deploymentId: string, query: PageQuery): Promise<Page<MintedToken>>;
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
