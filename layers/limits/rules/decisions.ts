import type { PlanWindow } from './windows.ts';
import type { EpochSeconds } from '../../platform/rules/time.ts';
export interface Lease {
  /** Does nothing once the lease has expired and somebody else has it. */
  giveBack(): Promise<void>;
}

export interface NoLease {
  /** When the first lease expires. */
  readonly until: EpochSeconds;
}

export type LimitDecision =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly retryAfterSeconds: number };

export interface QuotaWarning {
  readonly window: PlanWindow;
  readonly limit: number;
  /** Set if the total of several callers is meant. */
  readonly isTotal?: true;
}

export type QuotaDecision =
  | {
      readonly allowed: true;
      /** Windows in which this request reached 80 percent: usually none. */
      readonly warnings: readonly QuotaWarning[];
    }
  | {
      readonly allowed: false;
      readonly window: PlanWindow;
      readonly limit: number;
      /** Set if the total of several callers is used up. */
      readonly isTotal?: true;
      /** Absent if the cost exceeds the whole window: waiting does not help. */
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
  /** Absent if the block holds for every deployment. */
  readonly slug?: string;
  readonly until: EpochSeconds;
}

export type BlockedNow = 'here' | 'everywhere';

export type PublicRequestDecision =
  | { readonly allowed: true }
  | {
      readonly allowed: false;
      /** Absent if the cost exceeds a whole minute's limit: waiting does not help. */
      readonly retryAfterSeconds?: number;
      /** Set for the request that caused the block, so that it is reported once. */
      readonly blockedNow?: BlockedNow;
    };
