import type { ActivityEvent, EventType } from '../activity/rules/activity.ts';
import type { CallOutcome, CallRecord } from '../activity/rules/call-record.ts';
import type { ToolDay } from '../activity/rules/call-counts.ts';
import type { EpochSeconds } from '../platform/rules/time.ts';

/** The router's record of calls. What it is given is out of the instance's hands when it returns. */
export interface CallLog {
  write(call: CallRecord): void;
}

/** Where calls are kept one by one, and counted by tool and hour. */
export interface CallStore {
  /**
   * Keeps and counts those calls that are not kept yet: whatever is stored twice counts once.
   *
   * @param source - where they come from, of which each call has one: a line stays in its log stream. Writers of
   *   different sources rarely meet in one count
   * @throws Fault, and then some may be kept; storing all of them again keeps the others
   */
  store(calls: readonly CallRecord[], source: string): Promise<void>;
}

/** The calls of a deployment, for its owner to read. May lag behind a moment. */
export interface Calls {
  /** The newest first. */
  page(query: CallQuery): Promise<{
    readonly calls: readonly CallRecord[];
    /** Where to go on; undefined at the end. */
    readonly next: string | undefined;
  }>;
  /** One entry per tool and day, from one day to another inclusive, in no order. */
  days(deploymentId: string, from: string, to: string): Promise<readonly ToolDay[]>;
}

/** Those that have all that is given. Places are as `ActivityQuery` has them. */
export interface CallQuery {
  readonly deploymentId: string;
  readonly tool: string | undefined;
  /** One of them. */
  readonly subjects: readonly string[] | undefined;
  readonly clientId: string | undefined;
  readonly outcome: CallOutcome | undefined;
  readonly from: string;
  readonly before: string;
  readonly limit: number;
}

/** What has happened on a deployment or to an account, for its owner to read. May lag behind a moment. */
export interface Activity {
  /** The newest first. */
  events(query: ActivityQuery): Promise<{
    readonly events: readonly ActivityEvent[];
    /** Where to go on; undefined at the end. */
    readonly next: string | undefined;
  }>;
}

/** Places on the time line are ISO times, with or without something behind; they are compared as texts. */
export interface ActivityQuery {
  readonly of: { readonly deploymentId: string } | { readonly accountId: string };
  /** All of them if undefined. */
  readonly type: EventType | undefined;
  /** The first place that counts. */
  readonly from: string;
  /** The first place that does not. */
  readonly before: string;
  readonly limit: number;
}

/** A version of a deployment's credential that its target has refused at least once. */
export interface CredentialMark {
  readonly deploymentId: string;
  readonly version: string;
  /** When it was refused first. */
  readonly since: EpochSeconds;
}

/** Which credentials are worth a look: whether one is refused still is for the calls to tell. */
export interface CredentialMarks {
  /** Does nothing where it is marked already. */
  put(mark: CredentialMark): Promise<void>;
  /** Those of the last seven days. May lag behind a moment. */
  list(): Promise<readonly CredentialMark[]>;
}
