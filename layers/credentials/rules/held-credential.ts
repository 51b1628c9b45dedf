import type { CredentialFailure } from './credential-access.ts';
import type { StoredCredential } from '../../target/rules/credential.ts';
import { type EpochSeconds, MINUTE } from '../../platform/rules/time.ts';

/** A credential as an instance of the router holds it in memory. */
export interface HeldCredential {
  readonly credential: StoredCredential;
  readonly version: string;
  /** When its retrieval began. */
  readonly fetchedAt: EpochSeconds;
  /** No retrieval before this moment, since one has just failed. */
  readonly pausedUntil: EpochSeconds;
}

const FRESH_SECONDS = 5 * MINUTE;
const STALE_SECONDS = 15 * MINUTE;
const PAUSE_SECONDS = 10;

/** Whether it is given out without asking. A clock that was set back makes it too old. */
export const isFresh = ({ fetchedAt, pausedUntil }: HeldCredential, now: EpochSeconds): boolean =>
  isWithin(fetchedAt, now, FRESH_SECONDS) ||
  (now < pausedUntil && isWithin(fetchedAt, now, FRESH_SECONDS + STALE_SECONDS));

/**
 * Whether it may be used for want of a fresh one: for 15 minutes while the store is throttled or down,
 * never once access was denied or the credential is gone.
 *
 * Source: docs/decisions/credentials.md, "Credentials".
 */
export const mayOutlive = (
  { fetchedAt }: HeldCredential,
  failure: CredentialFailure,
  now: EpochSeconds,
): boolean =>
  (failure === 'unavailable' || failure === 'limited') &&
  isWithin(fetchedAt, now, FRESH_SECONDS + STALE_SECONDS);

/** A store in trouble is read again after a moment, not with every request. */
export const pausedUntil = (now: EpochSeconds): EpochSeconds => now + PAUSE_SECONDS;

const isWithin = (since: EpochSeconds, now: EpochSeconds, seconds: number): boolean =>
  since <= now && now < since + seconds;
