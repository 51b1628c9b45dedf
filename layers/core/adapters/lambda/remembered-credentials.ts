import { type CredentialRef, CredentialUnavailable } from '../../domain/credential-access.ts';
import {
  type HeldCredential,
  isFresh,
  mayOutlive,
  pausedUntil,
} from '../../domain/credentials/index.ts';
import type { Credential } from '../../domain/target.ts';
import type { CredentialBroker, Credentials, Ports } from '../../ports.ts';
import { remember } from '../dynamodb/remember.ts';

/**
 * The broker, remembered in memory: of each deployment the version that was asked for last. Those who
 * ask for the same at once share one retrieval.
 *
 * Age is measured on the wall clock, since the monotonic one may stand still while a function is frozen.
 */
export const rememberedCredentials = (
  broker: CredentialBroker,
  { clock, log }: Pick<Ports, 'clock' | 'log'>,
): Credentials => {
  const held = new Map<string, HeldCredential>();
  const fetching = new Map<string, Promise<Credential>>();

  /** What may be used for want of a fresh one. */
  const outlived = (ref: CredentialRef, error: unknown): Credential => {
    const { deploymentId, version } = ref;
    const known = held.get(deploymentId);
    if (known?.version !== version || !(error instanceof CredentialUnavailable)) throw error;
    const now = clock.now();
    if (!mayOutlive(known, error.reason, now)) {
      held.delete(deploymentId);
      throw error;
    }
    remember(held, deploymentId, { ...known, pausedUntil: pausedUntil(now) });
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
    find: async (ref, use) => {
      const { deploymentId, version } = ref;
      const now = clock.now();
      const known = held.get(deploymentId);
      if (known?.version === version && isFresh(known, now)) return known.credential;

      const key = `${deploymentId}#${version}`;
      const underWay = fetching.get(key);
      if (underWay) return underWay;
      const retrieval = broker
        .fetch(ref, use)
        .then((credential) => {
          remember(held, deploymentId, { credential, version, fetchedAt: now, pausedUntil: now });
          return credential;
        })
        .catch((error: unknown) => outlived(ref, error))
        .finally(() => fetching.delete(key));
      fetching.set(key, retrieval);
      return retrieval;
    },
  };
};
