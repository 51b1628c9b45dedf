import type { PlanWindow } from './windows.ts';
import type { EpochSeconds } from '../../platform/rules/time.ts';
export interface Lease {
  /** Does nothing once it has ended and is somebody else's. */
  giveBack(): Promise<void>;
}

/** All that a limit allows are taken. */
export interface NoLease {
  /** When the first of them ends by itself. */
  readonly until: EpochSeconds;
}

export type LimitDecision =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly retryAfterSeconds: number };

export interface QuotaWarning {
  readonly window: PlanWindow;
  readonly limit: number;
  /** It is the total that is used up so far. */
  readonly isTotal?: true;
}

export type QuotaDecision =
  | {
      readonly allowed: true;
      /** A window of which this one request reached 80 percent: none as a rule, both at most. */
      readonly warnings: readonly QuotaWarning[];
    }
  | {
      readonly allowed: false;
      readonly window: PlanWindow;
      readonly limit: number;
      /** It is the total that is used up. */
      readonly isTotal?: true;
      /** Absent where it is more than the window ever allows: waiting does not help. */
      readonly retryAfterSeconds?: number;
    };

export interface PublicRequest {
  /** An IPv4 address or an IPv6 /64. */
  readonly subject: string;
  readonly deploymentId: string;
  readonly slug: string;
}

export interface BlockedSubject {
  readonly subject: string;
  /** Of the deployment where it is blocked; absent: everywhere. */
  readonly slug?: string;
  readonly until: EpochSeconds;
}

/** Where somebody is blocked from now on. */
export type BlockedNow = 'here' | 'everywhere';

export type PublicRequestDecision =
  | { readonly allowed: true }
  | {
      readonly allowed: false;
      /** Absent where it is more than a minute ever allows: waiting does not help. */
      readonly retryAfterSeconds?: number;
      /** Set for the one request that caused a block, so that it is reported once. */
      readonly blockedNow?: BlockedNow;
    };
