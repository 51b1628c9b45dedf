import type { StoredReply } from '../tools/answer/stored-reply.ts';
import type { EpochSeconds } from '../platform/rules/time.ts';
import type { TargetAnswer } from '../target/rules/target.ts';
import type { ToolTrial, ToolTrialResult } from '../openapi/tool-test.ts';

/** A request that its client may repeat under one name. */
export interface IdempotentRequest {
  readonly userId: string;
  /** What the client sent as `Idempotency-Key`. */
  readonly key: string;
  /** SHA-256 (hex) of the whole request. */
  readonly requestHash: string;
}

/** Requests and their answers, for a day. Source: docs/decisions/management.md, "Repeating a request". */
export interface IdempotencyRecords {
  /**
   * Begins a request, or tells what became of it. One that was begun and never finished is resumed once
   * its function cannot be running any more; it keeps its attempt then.
   *
   * @param attempt - names the request if it is new
   */
  begin(request: IdempotentRequest, attempt: string, now: EpochSeconds): Promise<IdempotencyState>;
  /** Keeps the answer for repetitions. */
  finish(request: IdempotentRequest, attempt: string, answer: StoredReply): Promise<void>;
  /** Forgets a request that came to nothing, so that it may be sent again, also with another body. */
  forget(request: IdempotentRequest, attempt: string): Promise<void>;
}

type IdempotencyState =
  | { readonly state: 'begun'; readonly attempt: string }
  | { readonly state: 'under_way' }
  | { readonly state: 'answered'; readonly answer: StoredReply }
  | { readonly state: 'another_request' };

/** Part of a list. */
export interface PageQuery {
  readonly limit: number;
  /** The `next` of the page before. */
  readonly after?: string | undefined;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  /** Where the list goes on, in the store's own words; absent at its end. */
  readonly next?: string;
}

/** The way to the router, which alone may use credentials. */
export interface DescriptionFetches {
  /**
   * GET with the credential of a deployment, which goes to the hosts that it is meant for alone.
   *
   * @returns undefined where nobody answered, or the document is longer than answers are read
   * @throws Fault if the router cannot be had
   */
  fetch(
    deployment: CredentialOwner,
    url: string,
  ): Promise<Pick<TargetAnswer, 'body' | 'headers' | 'status'> | undefined>;
}

/** Whose credential it is, and which version. */
export interface CredentialOwner {
  readonly id: string;
  readonly slug: string;
  readonly ownerId: string;
  readonly version: string;
}

/** The way to the router, which alone may use credentials. */
export interface ToolTrials {
  /** @throws Fault if the router cannot be had */
  run(trial: ToolTrial): Promise<ToolTrialResult>;
}
