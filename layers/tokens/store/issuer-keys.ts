import { LRUCache } from 'lru-cache';
import { DeadlineExceeded, Fault, Paused } from '../../platform/rules/fault.ts';
import { type EpochSeconds, HOUR, MINUTE } from '../../platform/rules/time.ts';
import type { Jwk } from '../rules/signing-keys.ts';
import type { Clock } from '../../platform/system/clock.ts';
import type { Web } from '../../target/client/web.ts';
import { fetchKeys } from './fetch-keys.ts';

/** However long an issuer keeps failing, its keys serve no longer than this beyond their time. */
const STALE_SECONDS = HOUR;
/** Between two looks for keys that are not there: strangers choose the `kid` of their tokens. */
const LOOK_AGAIN_SECONDS = MINUTE;
/** Between two tries to reach an issuer that is down, each of which keeps its callers waiting. */
const RETRY_SECONDS = 10;
const MAX_ISSUERS = 200;

/** What one instance knows of one issuer. */
interface Issuer {
  keys: readonly Jwk[];
  since: EpochSeconds;
  freshUntil: EpochSeconds;
  lookedAgainAt: EpochSeconds;
  failure?: { readonly at: EpochSeconds; readonly fault: Fault };
  loading?: Promise<void>;
}

/**
 * Keys are fetched through the guarded client; calls at once share one fetch. jose's own remote key sets
 * would keep them for one time whatever the issuer says, and have none to serve while it is down.
 */
export const issuerKeys = ({ clock, web }: { readonly clock: Clock; readonly web: Web }) => {
  const issuers = new LRUCache<string, Issuer>({ max: MAX_ISSUERS });

  const issuerAt = (jwksUri: string): Issuer => {
    const known = issuers.get(jwksUri);
    if (known) return known;
    const issuer = unknownIssuer();
    issuers.set(jwksUri, issuer);
    return issuer;
  };

  const load = async (issuer: Issuer, jwksUri: string, now: EpochSeconds): Promise<void> => {
    try {
      const { keys, keepSeconds } = await fetchKeys(web, jwksUri);
      Object.assign(issuer, { keys, since: now, freshUntil: now + keepSeconds });
      delete issuer.failure;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      // It says nothing of the issuer that we were late: the next request tries again.
      issuer.failure = { at: error instanceof DeadlineExceeded ? -Infinity : now, fault: error };
    } finally {
      delete issuer.loading;
    }
  };

  return {
    /**
     * All that the issuer publishes; the same list as long as it is remembered.
     *
     * @param keyId - the token's `kid`: one that is not known is looked for at the issuer, once in a while
     * @throws Fault if the keys cannot be had
     */
    find: async (jwksUri: string, keyId: string | undefined): Promise<readonly Jwk[]> => {
      const now = clock.now();
      const issuer = issuerAt(jwksUri);
      if (isWithin(now, issuer.since, issuer.freshUntil)) {
        if (keyId === undefined || holds(issuer, keyId)) return issuer.keys;
        if (!issuer.loading && isRecent(now, issuer.lookedAgainAt, LOOK_AGAIN_SECONDS)) {
          return issuer.keys;
        }
        issuer.lookedAgainAt = now;
      }
      if (!issuer.failure || !isRecent(now, issuer.failure.at, RETRY_SECONDS)) {
        await (issuer.loading ??= load(issuer, jwksUri, now));
      }
      if (!issuer.failure || isWithin(now, issuer.since, issuer.freshUntil + STALE_SECONDS)) {
        return issuer.keys;
      }
      const { at, fault } = issuer.failure;
      throw fault instanceof DeadlineExceeded ? fault : new Paused(fault, at + RETRY_SECONDS - now);
    },
  };
};

/** Keys of external issuers, remembered. Source: docs/decisions/oauth.md, "Tokens of mode jwt". */
export type IssuerKeys = ReturnType<typeof issuerKeys>;

const unknownIssuer = (): Issuer => ({
  keys: [],
  since: Infinity,
  freshUntil: -Infinity,
  lookedAgainAt: -Infinity,
});

const holds = ({ keys }: Issuer, keyId: string): boolean => keys.some(({ kid }) => kid === keyId);

/** A clock that was set back makes what lies in the future count as long past. */
const isRecent = (now: EpochSeconds, at: EpochSeconds, seconds: number): boolean =>
  isWithin(now, at, at + seconds);

const isWithin = (now: EpochSeconds, from: EpochSeconds, until: EpochSeconds): boolean =>
  from <= now && now < until;
