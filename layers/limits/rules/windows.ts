import { DAY, type EpochSeconds, HOUR, MINUTE } from '../../platform/rules/time.ts';
import type { LimitName } from './limits.ts';

/**
 * A stretch of time that requests are counted in, fixed in UTC.
 * Source: docs/decisions/limits.md, "Quotas".
 */
export interface Window {
  readonly start: EpochSeconds;
  /** The first second after it. */
  readonly end: EpochSeconds;
}

/** Limits whose name says their window. */
export type WindowLimit = Extract<
  LimitName,
  `${string}_per_minute${string}` | `${string}_per_hour${string}` | `${string}_per_day${string}`
>;

/** The window that a limit counts in. */
export const windowOf = (limit: WindowLimit, now: EpochSeconds): Window => {
  if (limit.includes('_per_minute')) return fixed(now, MINUTE);
  if (limit.includes('_per_hour')) return hourOf(now);
  return fixed(now, DAY);
};

/** The windows that a plan counts requests in. */
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
