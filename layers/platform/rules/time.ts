/** Whole seconds since 1970-01-01T00:00:00Z. */
export type EpochSeconds = number;

export const MINUTE = 60;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** ISO 8601 with milliseconds, UTC. */
export const timeOf = (at: EpochSeconds): string => new Date(at * 1000).toISOString();

/** ISO 8601 in whole seconds, UTC: `2026-11-20T12:00:00Z`. */
export const isoTime = (at: EpochSeconds): string => timeOf(at).replace('.000Z', 'Z');

/** UTC date for people: `4 December 2026`. */
export const longDate = (at: EpochSeconds): string =>
  new Date(at * 1000).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** UTC date: `2026-11-25`. */
export const dayOf = (at: EpochSeconds): string => timeOf(at).slice(0, 10);
