import type { CallOutcome } from '../../events/rules/call-outcome.ts';
import type { EventType } from '../../events/rules/call-record.ts';
/** Sorts after every place on the time line: clocks of other instances may be ahead. */
export const AFTER_ALL = '~';

/** All given criteria must match. `from` and `before` are places as in `ActivityQuery`. */
export interface CallQuery {
  readonly deploymentId: string;
  readonly tool: string | undefined;
  /** Any of them. */
  readonly subjects: readonly string[] | undefined;
  readonly clientId: string | undefined;
  readonly outcome: CallOutcome | undefined;
  readonly from: string;
  readonly before: string;
  readonly limit: number;
}

/** Places on the time line are ISO times, optionally with a suffix, compared as text. */
export interface ActivityQuery {
  readonly of: { readonly deploymentId: string } | { readonly accountId: string };
  readonly type: EventType | undefined;
  /** Inclusive. */
  readonly from: string;
  /** Exclusive. */
  readonly before: string;
  readonly limit: number;
}
