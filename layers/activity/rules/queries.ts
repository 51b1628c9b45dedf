import type { CallOutcome } from '../../events/rules/call-outcome.ts';
import type { EventType } from '../../events/rules/call-record.ts';
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
