import type { WindowLimit } from '../domain/access/windows.ts';
import type { Plan } from '../domain/plan.ts';
import type { EpochSeconds } from '../domain/time.ts';

/** Fixed windows in UTC, one atomic counter each; refused requests are not counted. */
export interface Counters {
  /**
   * Takes one from a limit whose name says its window (`..._per_minute_...`, `..._per_hour_...`, `..._per_day`).
   *
   * @throws Fault when the store is down: callers fail closed
   */
  take(limit: WindowLimit, subject: string, now: EpochSeconds): Promise<Verdict>;
}

export type { WindowLimit };

export type Verdict =
  { readonly allowed: true } | { readonly allowed: false; readonly retryAfterSeconds: number };

/** What a user has used of the plan, hour and month in one item and one atomic update. Source: D15, D39. */
export interface Usage {
  /** Takes all of `cost`, or refuses it whole. */
  take(userId: string, plan: Plan, cost: number, now: EpochSeconds): Promise<UsageVerdict>;
  read(
    userId: string,
    now: EpochSeconds,
  ): Promise<{ readonly hour: number; readonly month: number }>;
}

export type UsageVerdict =
  | {
      readonly allowed: true;
      /** A window of which this one request reached 80 percent: none as a rule, both at most. */
      readonly warnings: readonly { readonly window: 'hour' | 'month'; readonly limit: number }[];
    }
  | {
      readonly allowed: false;
      readonly window: 'hour' | 'month';
      readonly limit: number;
      readonly retryAfterSeconds: number;
    };

/** Requests to `none` deployments, counted per client address. Source: D15, D39. */
export interface PublicRequests {
  /**
   * Counts `cost` requests of one subject (an IPv4 address or an IPv6 /64) and says whether they may pass.
   * Beyond five times the limit in one minute the subject is blocked for an hour.
   *
   * @throws Fault when the store is down: callers fail closed
   */
  count(subject: string, cost: number, now: EpochSeconds): Promise<PublicVerdict>;
  /** Lifts a block and begins the count anew; other instances let go of it within a minute. @returns false if there was none */
  unblock(subject: string, now: EpochSeconds): Promise<boolean>;
  /** Reads the whole table, and stops at a thousand. */
  blocked(now: EpochSeconds): Promise<readonly BlockedSubject[]>;
}

export interface BlockedSubject {
  readonly subject: string;
  readonly until: EpochSeconds;
}

export type PublicVerdict =
  | { readonly allowed: true }
  | {
      readonly allowed: false;
      readonly retryAfterSeconds: number;
      /** Set for the one request that caused a block, so that it is reported once. */
      readonly blockedNow: boolean;
    };
