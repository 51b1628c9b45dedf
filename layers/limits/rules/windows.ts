import { type EpochSeconds, HOUR } from '../../platform/rules/time.ts';
import { type WindowLimit, windowSecondsOf } from './limits.ts';
import { asciiLowerCase } from '../../platform/rules/text.ts';
import { fingerprint } from '../../platform/rules/fingerprint.ts';

/**
 * A stretch of time that requests are counted in, fixed in UTC.
 * Source: docs/decisions/limits.md, "Quotas".
 */
export interface Window {
  readonly start: EpochSeconds;
  /** The first second after it. */
  readonly end: EpochSeconds;
}

export const windowOf = (limit: WindowLimit, now: EpochSeconds): Window =>
  fixed(now, windowSecondsOf(limit));

export type PlanWindow = 'hour' | 'month';

export const hourOf = (now: EpochSeconds): Window => fixed(now, HOUR);

/** The calendar month. */
export const monthOf = (now: EpochSeconds): Window => {
  const date = new Date(now * 1000);
  const year = date.getUTCFullYear();
  const month = date.getUTCMonth();
  return { start: Date.UTC(year, month) / 1000, end: Date.UTC(year, month + 1) / 1000 };
};

const fixed = (now: EpochSeconds, seconds: number): Window => {
  const start = Math.floor(now / seconds) * seconds;
  return { start, end: start + seconds };
};

/**
 * Whom usage of a plan is kept for: a hash of the e-mail, not the account, so that an account that is
 * removed and made again has used what it has used.
 *
 * Source: docs/decisions/limits.md, "Quotas".
 */
export const usageSubject = (email: string): string => fingerprint(asciiLowerCase(email));

interface Owned {
  readonly ownerId: string;
  readonly ownerUsage?: string;
}

export const ownerUsageSubject = ({ ownerId, ownerUsage = ownerId }: Owned): string => ownerUsage;

/** For all external subjects of an owner's deployments together: who chooses subjects could make any number. */
export const externalUsageSubject = (owned: Owned): string =>
  `${ownerUsageSubject(owned)}#external`;
