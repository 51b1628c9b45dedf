import { type EpochSeconds, HOUR } from '../../platform/rules/time.ts';
import { type WindowLimit, windowSecondsOf } from './limits.ts';
import { asciiLowerCase } from '../../platform/rules/text.ts';
import { fingerprint } from '../../platform/rules/fingerprint.ts';

/** A counting period, fixed in UTC. Source: docs/decisions/limits.md, "Quotas". */
export interface Window {
  readonly start: EpochSeconds;
  /** Exclusive. */
  readonly end: EpochSeconds;
}

export const windowOf = (limit: WindowLimit, now: EpochSeconds): Window =>
  fixed(now, windowSecondsOf(limit));

export type PlanWindow = 'hour' | 'month';

export const hourOf = (now: EpochSeconds): Window => fixed(now, HOUR);

/** Calendar month in UTC. */
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
 * Usage is stored by a hash of the e-mail address, so that removing and recreating an account does not reset it.
 * Source: docs/decisions/limits.md, "Quotas".
 */
export const usageSubject = (email: string): string => fingerprint(asciiLowerCase(email));

interface Owned {
  readonly ownerId: string;
  readonly ownerUsage?: string;
}

export const ownerUsageSubject = ({ ownerId, ownerUsage = ownerId }: Owned): string => ownerUsage;

/** One counter for all external subjects of an owner's deployments: an issuer can invent any number of subjects. */
export const externalUsageSubject = (owned: Owned): string =>
  `${ownerUsageSubject(owned)}#external`;
