import type { Grant } from '../../tokens/rules/oauth-records.ts';
import type { EpochSeconds } from '../../platform/rules/time.ts';
import type { ShownToken } from './tokens/rotation.ts';
import type { Fingerprint } from '../../platform/rules/fingerprint.ts';
export interface ActiveGrant {
  readonly grant: Grant;
  /** Absent if it was never refreshed. */
  readonly refreshedAt?: EpochSeconds;
  /** End of the grant if nobody ends it before. */
  readonly expiresAt: EpochSeconds;
}

export interface ShownRefreshToken extends ShownToken {
  /** The refresh token that replaces it; undefined for a client that keeps its token. */
  readonly successor: Fingerprint | undefined;
}

export type RefreshOutcome =
  | { readonly outcome: 'ok'; readonly grant: Grant }
  /** The grant was ended, or it has expired. */
  | { readonly outcome: 'ended' }
  /** Replaced before: the token was stolen or copied. */
  | { readonly outcome: 'reused' };
