import { LRUCache } from 'lru-cache';
import { DeadlineExceeded, Fault, Paused } from '../../platform/rules/fault.ts';
import { type EpochSeconds, HOUR, MINUTE } from '../../platform/rules/time.ts';
import type { Jwk } from '../rules/signing-keys.ts';
import type { Clock } from '../../platform/system/clock.ts';
import type { Web } from '../../target/client/web.ts';
import { fetchKeys } from './fetch-keys.ts';

/** How long keys are used beyond their cache time while the issuer is unreachable. */
const STALE_SECONDS = HOUR;
/** Minimum time between two fetches for unknown keys: strangers choose the `kid` of their tokens. */
const LOOK_AGAIN_SECONDS = MINUTE;
/** Minimum time between attempts to reach a failing issuer, each of which makes callers wait. */
const RETRY_SECONDS = 10;
const MAX_ISSUERS = 200;

interface Issuer {
  keys: readonly Jwk[];
  since: EpochSeconds;
  freshUntil: EpochSeconds;
  lookedAgainAt: EpochSeconds;
  failure?: { readonly at: EpochSeconds; readonly fault: Fault };
  loading?: Promise<void>;
}

/**
 * Fetches keys through the SSRF-guarded client; parallel calls share one fetch. jose's remote key sets ignore the
 * issuer's cache time, and have no keys to use while the issuer is down.
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
      // Our own deadline says nothing about the issuer: the next request tries again.
      issuer.failure = { at: error instanceof DeadlineExceeded ? -Infinity : now, fault: error };
    } finally {
      delete issuer.loading;
    }
  };

  return {
    /**
     * All keys that the issuer publishes; the same array while they are cached.
     * @param keyId - the token's `kid`: for an unknown one the keys are fetched again, at most once a minute
     * @throws Fault if the keys are unavailable
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

/** Source: docs/decisions/oauth.md, "Tokens of mode jwt". */
export type IssuerKeys = ReturnType<typeof issuerKeys>;

const unknownIssuer = (): Issuer => ({
  keys: [],
  since: Infinity,
  freshUntil: -Infinity,
  lookedAgainAt: -Infinity,
});

const holds = ({ keys }: Issuer, keyId: string): boolean => keys.some(({ kid }) => kid === keyId);

/** A time in the future, after the clock was set back, counts as long past. */
const isRecent = (now: EpochSeconds, at: EpochSeconds, seconds: number): boolean =>
  isWithin(now, at, at + seconds);

const isWithin = (now: EpochSeconds, from: EpochSeconds, until: EpochSeconds): boolean =>
  from <= now && now < until;
