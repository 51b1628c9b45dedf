/** A moment, in whole seconds since 1970-01-01T00:00:00Z. */
export type EpochSeconds = number;

export const MINUTE = 60;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
