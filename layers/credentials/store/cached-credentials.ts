import {
  type CredentialFailure,
  type CredentialRef,
  CredentialUnavailable,
  type CredentialUse,
} from '../rules/credential-access.ts';
import type { SentCredential } from '../../target/rules/credential.ts';
import { type EpochSeconds, MINUTE } from '../../platform/rules/time.ts';
import type { CredentialBroker } from './credential-broker.ts';
import type { Clock } from '../../platform/system/clock.ts';
import type { Log } from '../../platform/rules/log.ts';
import { sharedLoads } from '../../platform/cache/shared-loads.ts';
import { subjectCache } from '../../platform/cache/subject-cache.ts';

export interface HeldCredential {
  readonly credential: SentCredential;
  readonly version: string;
  /** Start of the retrieval. */
  readonly fetchedAt: EpochSeconds;
  /** After a failed retrieval, none is tried before this moment. */
  readonly pausedUntil: EpochSeconds;
  /** Earlier versions of the credential, newest first, which are masked in answers as well. */
  readonly former: readonly SentCredential[];
}

export const MOST_FORMER = 3;

const FRESH_SECONDS = 5 * MINUTE;
const STALE_SECONDS = 15 * MINUTE;
const PAUSE_SECONDS = 10;

/** A clock that was set back makes a credential stale. */
export const isFresh = ({ fetchedAt, pausedUntil }: HeldCredential, now: EpochSeconds): boolean =>
  isWithin(fetchedAt, now, FRESH_SECONDS) ||
  (now < pausedUntil && isWithin(fetchedAt, now, FRESH_SECONDS + STALE_SECONDS));

/**
 * A stale credential may be used for 15 minutes while the store is throttled or down, never once access was denied or
 * the credential is gone. Source: docs/decisions/credentials.md, "Credentials".
 */
export const mayOutlive = (
  { fetchedAt }: HeldCredential,
  failure: CredentialFailure,
  now: EpochSeconds,
): boolean =>
  (failure === 'unavailable' || failure === 'limited') &&
  isWithin(fetchedAt, now, FRESH_SECONDS + STALE_SECONDS);

/** A store in trouble is asked again after a pause, not with every request. */
export const pausedUntil = (now: EpochSeconds): EpochSeconds => now + PAUSE_SECONDS;

const isWithin = (since: EpochSeconds, now: EpochSeconds, seconds: number): boolean =>
  since <= now && now < since + seconds;

/**
 * Remembers in memory the latest version of each credential that the broker gave. Concurrent requests for the same
 * credential share one retrieval.
 *
 * Age is measured on the wall clock, since the monotonic one may stand still while a function is frozen.
 */
export const cachedCredentials = (
  broker: CredentialBroker,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
) => {
  const held = subjectCache<HeldCredential>();
  const shared = sharedLoads<SentCredential>();

  const outlived = (ref: CredentialRef, error: unknown): SentCredential => {
    const { deploymentId, version } = ref;
    const subject = subjectOf(ref);
    const known = held.get(subject);
    if (known?.version !== version || !(error instanceof CredentialUnavailable)) throw error;
    const now = clock.now();
    if (!mayOutlive(known, error.reason, now)) {
      held.delete(subject);
      throw error;
    }
    held.set(subject, { ...known, pausedUntil: pausedUntil(now) });
    log.write({
      message: 'stale_credential_used',
      level: 'error',
      deployment_id: deploymentId,
      reason: error.reason,
      why: error.why,
      age_seconds: now - known.fetchedAt,
    });
    return known.credential;
  };

  return {
    /** Versions of a credential in memory, expired ones included. */
    held: (place: Pick<CredentialRef, 'deploymentId' | 'name'>): readonly SentCredential[] => {
      const known = held.peek(subjectOf(place));
      return known ? [known.credential, ...known.former] : [];
    },

    /** @throws CredentialUnavailable */
    find: async (ref: CredentialRef, use: CredentialUse): Promise<SentCredential> => {
      const { version } = ref;
      const subject = subjectOf(ref);
      const now = clock.now();
      const known = held.get(subject);
      if (known?.version === version && isFresh(known, now)) return known.credential;

      return shared(`${subject}#${version}`, async () => {
        try {
          const credential = await broker.fetch(ref, use);
          const before = held.get(subject);
          const former =
            before && before.version !== version
              ? [before.credential, ...before.former].slice(0, MOST_FORMER)
              : (before?.former ?? []);
          held.set(subject, { credential, version, fetchedAt: now, pausedUntil: now, former });
          return credential;
        } catch (error) {
          return outlived(ref, error);
        }
      });
    },
  };
};

const subjectOf = ({ deploymentId, name }: Pick<CredentialRef, 'deploymentId' | 'name'>): string =>
  `${deploymentId}#${name}`;

export type Credentials = ReturnType<typeof cachedCredentials>;
