import { LRUCache } from 'lru-cache';
import { sharedLoads } from '../../platform/cache/shared-loads.ts';
import type { Log } from '../../platform/rules/log.ts';
import { type EpochSeconds, MINUTE } from '../../platform/rules/time.ts';
import type { Clock } from '../../platform/system/clock.ts';
import { MOST_FORMER } from '../../credentials/store/cached-credentials.ts';
import type { SentCredential } from '../../target/rules/credential.ts';
import { TokenUnavailable } from '../rules/token-failure.ts';
import { PAUSE_SECONDS } from '../rules/token-life.ts';
import { tokenFingerprint } from '../rules/token-source.ts';
import type { TokenBroker, WantedToken } from './token-broker.ts';

interface HeldToken {
  readonly credential: SentCredential;
  readonly version: string;
  readonly fetchedAt: EpochSeconds;
  /** The instance asks for no other token before this moment. */
  readonly freshUntil: EpochSeconds;
  /** The token is not sent from this moment on. */
  readonly until: EpochSeconds;
  /** Earlier tokens, newest first: most are still valid, so they are masked in answers as well. */
  readonly former: readonly SentCredential[];
}

const FRESH_SECONDS = 5 * MINUTE;
const MAX_TOKENS = 2000;
/** Limit on the characters of all tokens in memory. */
const MAX_WEIGHT = 8_388_608;

/**
 * Remembers in memory the tokens that the function `connections` gave: for each credential, or caller of it, the
 * latest, for at most five minutes and never beyond its end. Concurrent requests for the same token share one
 * retrieval. While the function is down, the token in memory serves until its end.
 *
 * Age is measured on the wall clock, since the monotonic one may stand still while a function is frozen.
 */
export const cachedTokens = (
  broker: TokenBroker,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
) => {
  const held = new LRUCache<string, HeldToken>({
    max: MAX_TOKENS,
    maxSize: MAX_WEIGHT,
    sizeCalculation: ({ credential, former }) => JSON.stringify([credential, former]).length,
  });
  const shared = sharedLoads<HeldToken>();

  const fetched = async (key: string, wanted: WantedToken): Promise<HeldToken> => {
    const now = clock.now();
    const { credential, until } = await broker.fetch(wanted);
    return {
      credential,
      version: wanted.ref.version,
      fetchedAt: now,
      freshUntil: Math.min(until, now + FRESH_SECONDS),
      until,
      former: formerOf(held.get(key), credential),
    };
  };

  const load = async (key: string, wanted: WantedToken): Promise<HeldToken> => {
    const known = held.get(key);
    try {
      const token = await fetched(key, wanted);
      held.set(key, token);
      return token;
    } catch (error) {
      const now = clock.now();
      const isDown =
        error instanceof TokenUnavailable &&
        (error.reason === 'unavailable' || error.reason === 'limited');
      const isSame = known?.version === wanted.ref.version && wanted.not === undefined;
      if (!isSame || !isDown || !isSendable(known, now)) throw error;
      log.write({
        message: 'stale_credential_used',
        level: 'error',
        deployment_id: wanted.ref.deploymentId,
        reason: error.reason,
        why: error.why,
        age_seconds: now - known.fetchedAt,
      });
      const paused = { ...known, freshUntil: Math.min(known.until, now + PAUSE_SECONDS) };
      held.set(key, paused);
      return paused;
    }
  };

  return {
    /** Asks the function and remembers nothing. @throws TokenUnavailable */
    ask: broker.fetch,

    /** Tokens in memory for a credential, or for one caller of it, expired ones included. */
    held: (wanted: HeldFor): readonly SentCredential[] => {
      const known = held.peek(keyOf(wanted));
      return known ? [known.credential, ...known.former] : [];
    },

    /**
     * @returns for `not` another token than that one, or the same if there is no other yet
     * @throws TokenUnavailable
     */
    find: async (wanted: WantedToken): Promise<SentCredential> => {
      const { not } = wanted;
      const key = keyOf(wanted);
      const now = clock.now();
      const known = held.get(key);
      const isFresh =
        known?.version === wanted.ref.version && known.fetchedAt <= now && now < known.freshUntil;
      // A call whose token was refused takes the new one that another call has fetched meanwhile.
      const isWanted = isFresh && (not === undefined || tokenFingerprint(known.credential) !== not);
      if (isWanted) return known.credential;
      const { version } = wanted.ref;
      const { credential } = await shared(`${key}#${version}#${not ?? ''}`, () =>
        load(key, wanted),
      );
      return credential;
    },
  };
};

export type CachedTokens = ReturnType<typeof cachedTokens>;

interface HeldFor extends Pick<WantedToken, 'bearer' | 'perCaller'> {
  readonly ref: Pick<WantedToken['ref'], 'deploymentId' | 'name'>;
  readonly use: Pick<WantedToken['use'], 'user'>;
}

/** Callers with and without an access token have separate entries. The token itself is in no key. */
const keyOf = ({ ref, use, perCaller, bearer }: HeldFor): string =>
  [
    ref.deploymentId,
    ref.name,
    ...(perCaller ? [bearer ? 'shown' : 'not shown', use.user] : []),
  ].join('#');

const isSendable = ({ fetchedAt, until }: HeldToken, now: EpochSeconds): boolean =>
  fetchedAt <= now && now < until;

const formerOf = (
  known: HeldToken | undefined,
  credential: SentCredential,
): readonly SentCredential[] => {
  if (!known) return [];
  return tokenFingerprint(known.credential) === tokenFingerprint(credential)
    ? known.former
    : [known.credential, ...known.former].slice(0, MOST_FORMER);
};
