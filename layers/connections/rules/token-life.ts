import { DAY, type EpochSeconds, MINUTE } from '../../platform/rules/time.ts';

/** Where nothing is said of its end. */
const UNSAID_SECONDS = 5 * MINUTE;
/** What is said of a longer life may be a mistake, and a token that was revoked should be asked for again some day. */
const MOST_SECONDS = DAY;
/** One that ends at once would be asked for with each call. */
const LEAST_SECONDS = 10;

/**
 * When a token ends.
 *
 * @param lifeSeconds - as its giver says; undefined where that says nothing
 * @param now - from before it was asked for
 */
export const endOf = (lifeSeconds: number | undefined, now: EpochSeconds): EpochSeconds => {
  const seconds = Math.floor(lifeSeconds ?? UNSAID_SECONDS);
  return now + Math.min(MOST_SECONDS, Math.max(LEAST_SECONDS, seconds));
};

/** A call takes a while, and clocks differ. */
const MARGIN_SECONDS = MINUTE;

/**
 * Until when a token is given out: a minute before its end, or half of its life where that is short.
 *
 * @param givenAt - when its life began
 */
export const givenOutUntil = (givenAt: EpochSeconds, expiresAt: EpochSeconds): EpochSeconds =>
  expiresAt - Math.min(MARGIN_SECONDS, Math.floor((expiresAt - givenAt) / 2));

/** For so long nobody asks again who was refused a token, nor for another one in place of one that is as new. */
export const PAUSE_SECONDS = 10;

/** How long others wait for one that asks: longer than what it waits for, and what it stores. */
export const LEASE_SECONDS = 10;
