import type { Fingerprint } from '../../platform/rules/fingerprint.ts';
import type { EpochSeconds } from '../../platform/rules/time.ts';
import type { ToolScope } from '../../openapi/tool-scopes.ts';
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
