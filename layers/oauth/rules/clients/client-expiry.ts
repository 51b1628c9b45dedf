import { DAY, type EpochSeconds } from '../../../platform/rules/time.ts';

const UNUSED_SECONDS = 90 * DAY;

/**
 * When a registration ends that nobody gives a grant. Source: docs/decisions/oauth.md, "Clients that
 * nobody uses".
 */
export const registrationExpiry = (createdAt: EpochSeconds): EpochSeconds =>
  createdAt + UNUSED_SECONDS;

/**
 * When a client ends that gets or refreshes a grant: not before the grant can, and a day later, so that only
 * one request a day has to write it.
 *
 * @returns undefined if it lasts long enough already
 */
export const prolongedExpiry = (
  expiresAt: EpochSeconds,
  now: EpochSeconds,
  refreshTokenSeconds: number,
): EpochSeconds | undefined => {
  const least = now + Math.max(UNUSED_SECONDS, refreshTokenSeconds);
  return expiresAt < least ? least + DAY : undefined;
};
