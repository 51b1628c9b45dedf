import { LRUCache } from 'lru-cache';
import { sharedLoads } from '../../platform/cache/shared-loads.ts';
import type { Log } from '../../platform/rules/log.ts';
import { type EpochSeconds, MINUTE } from '../../platform/rules/time.ts';
import type { Clock } from '../../platform/system/clock.ts';
import type { SentCredential } from '../../target/rules/credential.ts';
import { TokenUnavailable } from '../rules/token-failure.ts';
import { PAUSE_SECONDS } from '../rules/token-life.ts';
import { tokenFingerprint } from '../rules/token-source.ts';
import type { TokenBroker, WantedToken } from './token-broker.ts';

/** A token as an instance of the router holds it in memory. */
interface HeldToken {
  readonly credential: SentCredential;
  /** When its retrieval began. */
  readonly fetchedAt: EpochSeconds;
  /** Nobody is asked again before this moment. */
  readonly freshUntil: EpochSeconds;
  /** And it is not sent from this moment on. */
  readonly until: EpochSeconds;
  /** Those that it took the place of, which answers that are under way may still repeat. */
  readonly former: readonly { readonly credential: SentCredential; readonly until: EpochSeconds }[];
}

const FRESH_SECONDS = 5 * MINUTE;
const FORMER_SECONDS = MINUTE;
const MAX_TOKENS = 2000;
/** Characters of all tokens together. */
const MAX_WEIGHT = 8_388_608;

/** A token for a call. */
export interface FoundToken {
  readonly credential: SentCredential;
  /** Those of the last minute: what they are is as secret. */
  readonly former: readonly SentCredential[];
}

/**
 * The function that has tokens, remembered in memory: of each credential, or caller, the token that was used last, for
 * five minutes at most and never beyond its end. Those who ask for the same at once share one retrieval. While the
 * function cannot be asked, the token that is held serves until its end.
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

  const fetched = async (wanted: WantedToken, known: HeldToken | undefined): Promise<HeldToken> => {
    const now = clock.now();
    const { credential, until } = await broker.fetch(wanted);
    return {
      credential,
      fetchedAt: now,
      freshUntil: Math.min(until, now + FRESH_SECONDS),
      until,
      former: formerOf(known, credential, clock.now()),
    };
  };

  const load = async (key: string, wanted: WantedToken): Promise<HeldToken> => {
    const known = held.get(key);
    try {
      const token = await fetched(wanted, known);
      held.set(key, token);
      return token;
    } catch (error) {
      const now = clock.now();
      const isDown =
        error instanceof TokenUnavailable &&
        (error.reason === 'unavailable' || error.reason === 'limited');
      if (!known || !isDown || wanted.not !== undefined || !isSendable(known, now)) throw error;
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
    /** Without remembering anything. @throws TokenUnavailable */
    ask: broker.fetch,

    /**
     * @returns for `not` another token than that one, or the same where there is no other now
     * @throws TokenUnavailable
     */
    find: async (wanted: WantedToken): Promise<FoundToken> => {
      const { not } = wanted;
      const key = keyOf(wanted);
      const now = clock.now();
      const known = held.get(key);
      const isFresh = known && known.fetchedAt <= now && now < known.freshUntil;
      // Whoever was refused the token before finds the one that another call has brought meanwhile.
      const isWanted = isFresh && (not === undefined || tokenFingerprint(known.credential) !== not);
      const token = isWanted ? known : await shared(`${key}#${not ?? ''}`, () => load(key, wanted));
      return {
        credential: token.credential,
        former: token.former.filter(({ until }) => now < until).map(({ credential }) => credential),
      };
    },
  };
};

/** What the router asks: the function that has tokens, remembered. */
export type CachedTokens = ReturnType<typeof cachedTokens>;

const keyOf = ({ ref, use, perCaller }: WantedToken): string =>
  [ref.deploymentId, ref.name, ref.version, ...(perCaller ? [use.user] : [])].join('#');

const isSendable = ({ fetchedAt, until }: HeldToken, now: EpochSeconds): boolean =>
  fetchedAt <= now && now < until;

const formerOf = (
  known: HeldToken | undefined,
  credential: SentCredential,
  now: EpochSeconds,
): HeldToken['former'] => {
  if (!known) return [];
  const former = known.former.filter(({ until }) => now < until);
  return tokenFingerprint(known.credential) === tokenFingerprint(credential)
    ? former
    : [...former, { credential: known.credential, until: now + FORMER_SECONDS }];
};
