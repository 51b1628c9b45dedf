import type { KeptAnswer } from '../domain/kept-answer.ts';
import type { EpochSeconds } from '../domain/time.ts';

/** A request that its client may repeat under one name. */
export interface RepeatableRequest {
  readonly userId: string;
  /** What the client sent as `Idempotency-Key`. */
  readonly key: string;
  /** SHA-256 (hex) of the whole request. */
  readonly requestHash: string;
}

/** Requests and their answers, for a day. Source: management-api.md; D41. */
export interface Repeatables {
  /**
   * Begins a request, or tells what became of it. One that was begun and never finished is resumed once
   * its function cannot be running any more; it keeps its attempt then.
   *
   * @param attempt - names the request if it is new
   */
  begin(request: RepeatableRequest, attempt: string, now: EpochSeconds): Promise<Repetition>;
  /** Keeps the answer for repetitions. */
  finish(request: RepeatableRequest, attempt: string, answer: KeptAnswer): Promise<void>;
  /** Forgets a request that came to nothing, so that it may be sent again, also with another body. */
  forget(request: RepeatableRequest, attempt: string): Promise<void>;
}

export type Repetition =
  | { readonly state: 'begun'; readonly attempt: string }
  | { readonly state: 'under_way' }
  | { readonly state: 'answered'; readonly answer: KeptAnswer }
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
