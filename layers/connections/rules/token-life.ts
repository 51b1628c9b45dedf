import { DAY, type EpochSeconds, MINUTE } from '../../platform/rules/time.ts';

/** Assumed life of a token whose issuer states none. */
const UNSAID_SECONDS = 5 * MINUTE;
/** Cap on stated lifetimes, which may be wrong; it also means that a revoked token is replaced after a day. */
const MOST_SECONDS = DAY;
/** Floor, so that a token which expires at once is not requested with every call. */
const LEAST_SECONDS = 10;

/**
 * When a token expires.
 *
 * @param lifeSeconds - as the issuer says; undefined where it does not
 * @param now - a moment before the token was requested
 */
export const endOf = (lifeSeconds: number | undefined, now: EpochSeconds): EpochSeconds => {
  const seconds = Math.floor(lifeSeconds ?? UNSAID_SECONDS);
  return now + Math.min(MOST_SECONDS, Math.max(LEAST_SECONDS, seconds));
};

/** Allows for the duration of a call and for clocks that differ. */
const MARGIN_SECONDS = MINUTE;

/**
 * Until when a token is handed to the router: a minute before it expires, or half of a short life.
 *
 * @param givenAt - when its life began
 */
export const givenOutUntil = (givenAt: EpochSeconds, expiresAt: EpochSeconds): EpochSeconds =>
  expiresAt - Math.min(MARGIN_SECONDS, Math.floor((expiresAt - givenAt) / 2));

/** Pause between two requests for a token: after a refusal, and after a token that the target refused at once. */
export const PAUSE_SECONDS = 10;

/** Lease of the instance that requests a token: covers its wait for the issuer, and storing the token. */
export const LEASE_SECONDS = 10;
