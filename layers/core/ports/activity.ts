import type { ToolDay } from '../domain/activity/index.ts';
import type { ActivityEvent, EventType } from '../domain/activity/index.ts';

/** How often the tools of deployments are called. Nobody waits for it to be written down. */
export interface ToolCounts {
  /**
   * Counts a call that begins now. Every so often this begins to store what was counted since, beside
   * the call itself.
   *
   * @returns resolves, and never rejects, when what this call has begun to store is stored
   */
  began(call: CountedCall): Promise<void>;
  /** Counts how a call ended; stored with a later call. */
  ended(call: CountedCall, end: CallEnd): void;
}

export interface CountedCall {
  readonly deploymentId: string;
  readonly tool: string;
}

export interface CallEnd {
  readonly outcome: 'ok' | 'target_error' | 'no_answer';
  readonly durationMs: number;
}

/** What has happened on a deployment or to an account, for its owner to read. May lag behind a moment. */
export interface Activity {
  /** The newest first. */
  events(query: ActivityQuery): Promise<{
    readonly events: readonly ActivityEvent[];
    /** Where to go on; undefined at the end. */
    readonly next: string | undefined;
  }>;
  /** One entry per tool and day, from one day to another inclusive, in no order. */
  toolDays(deploymentId: string, from: string, to: string): Promise<readonly ToolDay[]>;
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
