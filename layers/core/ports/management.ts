import type { KeptAnswer } from '../domain/kept-answer.ts';
import type { EpochSeconds } from '../domain/time.ts';
import type { ToolTrial, ToolTrialResult } from '../domain/tool-test.ts';

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

/**
 * The slugs of an owner's active deployments, reserved before a deployment is there, so that no number
 * of simultaneous requests gets more than the limit.
 */
export interface OwnedSlugs {
  /** Also true for what is reserved already. @returns false if the owner has as many as there may be */
  reserve(reservation: Reservation, limit: number): Promise<boolean>;
  /** Does nothing if the slug was reserved for another deployment meanwhile. */
  release(reservation: Omit<Reservation, 'since'>): Promise<void>;
  list(ownerId: string): Promise<readonly Reservation[]>;
  /** Of an owner who is gone. Does nothing while anything is reserved. */
  forget(ownerId: string): Promise<void>;
  /** Of every owner, in no order: for the sweep. */
  all(): AsyncIterable<Reservation>;
}

export interface Reservation {
  readonly ownerId: string;
  readonly slug: string;
  readonly deploymentId: string;
  readonly since: EpochSeconds;
}

/** Deployments that are gone, remembered until a sweep has made sure that nothing of them came after. */
export interface Removals {
  note(removal: Removal): Promise<void>;
  all(): AsyncIterable<Removal>;
  forget(deploymentId: string): Promise<void>;
}

export interface Removal {
  readonly deploymentId: string;
  /** Where it was, or was to be. */
  readonly slug: string;
  readonly since: EpochSeconds;
}

/** The way to the router, which alone may use credentials. */
export interface ToolTrials {
  /** @throws Fault if the router cannot be had */
  run(trial: ToolTrial): Promise<ToolTrialResult>;
}
