import type { Grant } from '../../tokens/rules/oauth-records.ts';
import type { EpochSeconds } from '../../platform/rules/time.ts';
import type { ShownToken } from './tokens/rotation.ts';
import type { Fingerprint } from '../../platform/rules/fingerprint.ts';
export interface ActiveGrant {
  readonly grant: Grant;
  /** Absent if it was never refreshed. */
  readonly refreshedAt?: EpochSeconds;
  /** When it gives no access any more, unless it is ended before. */
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
