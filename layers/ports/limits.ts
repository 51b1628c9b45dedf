import type { LimitName } from '../limits/rules/limits.ts';
import type { PlanWindow, WindowLimit } from '../limits/rules/windows.ts';
import type { Plan } from '../limits/rules/plan.ts';
import type { EpochSeconds } from '../platform/rules/time.ts';
import type { Page, PageQuery } from './management.ts';

/** Fixed windows in UTC, one atomic counter each; refused requests are not counted. */
export interface Counters {
  /**
   * Takes one from a limit whose name says its window (`..._per_minute_...`, `..._per_hour_...`, `..._per_day`).
   *
   * @throws Fault when the store is down: callers fail closed
   */
  take(limit: WindowLimit, subject: string, now: EpochSeconds): Promise<LimitDecision>;
  /** What this instance knows without asking: refused only once it was refused here. */
  known(limit: WindowLimit, subject: string, now: EpochSeconds): LimitDecision;
}

/** What few may do at once. */
export interface Leases {
  /**
   * @param seconds - after which it ends by itself, since whoever has it may have been killed
   * @returns undefined if all that the limit allows are taken
   * @throws Fault when the store is down: callers fail closed
   */
  take(
    limit: Extract<LimitName, `${string}_at_once_per_user`>,
    subject: string,
    seconds: number,
    now: EpochSeconds,
  ): Promise<Lease | undefined>;
}

interface Lease {
  /** Does nothing once it has ended and is somebody else's. */
  giveBack(): Promise<void>;
}

export type { WindowLimit };

export type LimitDecision =
  { readonly allowed: true } | { readonly allowed: false; readonly retryAfterSeconds: number };

/**
 * What a user has used of the plan, hour and month in one item and one atomic update.
 * Source: docs/decisions/limits.md, "Quotas".
 */
export interface Usage {
  /**
   * Takes all of `cost`, or refuses it whole.
   *
   * @param subject - whom usage is kept for
   * @param total - whom it is kept for besides, on the same plan: either may refuse. The first request
   *   that one of them refuses may have counted with the other
   */
  take(
    subject: string,
    plan: Plan,
    cost: number,
    now: EpochSeconds,
    total?: string,
  ): Promise<QuotaDecision>;
  read(
    subject: string,
    now: EpochSeconds,
  ): Promise<{ readonly hour: number; readonly month: number }>;
}

interface QuotaWarning {
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
      readonly retryAfterSeconds: number;
    };

/**
 * Requests to `none` deployments, counted per client address.
 * Source: docs/decisions/limits.md, "Public deployments".
 */
export interface PublicRequests {
  /**
   * Counts `cost` requests and says whether they may pass. Beyond five times the limit in one minute on
   * one deployment the subject is blocked there for an hour, beyond fifty times over all of them everywhere.
   *
   * @throws Fault when the store is down: callers fail closed
   */
  count(request: PublicRequest, cost: number, now: EpochSeconds): Promise<PublicRequestDecision>;
}

/** The blocks of public requests, as operators see and lift them. */
export interface PublicRequestBlocks {
  /**
   * Lifts a block and begins the count anew; instances let go of it within a minute.
   *
   * @param slug - of the deployment where it holds; all blocks of the subject if undefined
   * @returns false if there was none
   */
  unblock(subject: string, slug: string | undefined, now: EpochSeconds): Promise<boolean>;
  /** Where a subject is blocked. */
  find(subject: string, now: EpochSeconds): Promise<readonly BlockedSubject[]>;
  /** Reads the whole table, page after page: one may be empty with others after it. */
  page(page: PageQuery, now: EpochSeconds): Promise<Page<BlockedSubject>>;
}

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
      readonly retryAfterSeconds: number;
      /** Set for the one request that caused a block, so that it is reported once. */
      readonly blockedNow?: BlockedNow;
    };
