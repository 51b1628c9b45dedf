import type { CredentialUse } from '../rules/credential-access.ts';
import { type CredentialRef, CredentialUnavailable } from '../rules/credential-access.ts';
import { type HeldCredential, isFresh, mayOutlive, pausedUntil } from '../rules/held-credential.ts';
import type { StoredCredential } from '../../target/rules/credential.ts';
import type { CredentialBroker } from './credential-broker.ts';
import type { Clock } from '../../platform/system/clock.ts';
import type { Log } from '../../platform/rules/log.ts';
import { sharedLoads } from '../../platform/cache/shared-loads.ts';
import { subjectCache } from '../../platform/cache/subject-cache.ts';

/**
 * The broker, remembered in memory: of each deployment the version that was used last. Those who
 * ask for the same at once share one retrieval.
 *
 * Age is measured on the wall clock, since the monotonic one may stand still while a function is frozen.
 */
export const cachedCredentials = (
  broker: CredentialBroker,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
) => {
  const held = subjectCache<HeldCredential>();
  const shared = sharedLoads<StoredCredential>();

  /** What may be used for want of a fresh one. */
  const outlived = (ref: CredentialRef, error: unknown): StoredCredential => {
    const { deploymentId, version } = ref;
    const known = held.get(deploymentId);
    if (known?.version !== version || !(error instanceof CredentialUnavailable)) throw error;
    const now = clock.now();
    if (!mayOutlive(known, error.reason, now)) {
      held.delete(deploymentId);
      throw error;
    }
    held.set(deploymentId, { ...known, pausedUntil: pausedUntil(now) });
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
    /** @throws CredentialUnavailable */
    find: async (ref: CredentialRef, use: CredentialUse): Promise<StoredCredential> => {
      const { deploymentId, version } = ref;
      const now = clock.now();
      const known = held.get(deploymentId);
      if (known?.version === version && isFresh(known, now)) return known.credential;

      return shared(`${deploymentId}#${version}`, async () => {
        try {
          const credential = await broker.fetch(ref, use);
          held.set(deploymentId, { credential, version, fetchedAt: now, pausedUntil: now });
          return credential;
        } catch (error) {
          return outlived(ref, error);
        }
      });
    },
  };
};

/** What the router asks: the broker, remembered. */
export type Credentials = ReturnType<typeof cachedCredentials>;
