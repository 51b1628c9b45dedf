import { type EpochSeconds, MINUTE, timeOf } from '../../platform/rules/time.ts';

/** In UTC, as in keys: `2026-11-20T11:59`. */
export type Minute = string;

export const minuteOf = (at: EpochSeconds): Minute => timeOf(at).slice(0, 16);

/** Of a key that begins with a time. */
export const minuteIn = (key: string): Minute => key.slice(0, 16);

export const secondOf = (minute: Minute): EpochSeconds => Date.parse(`${minute}:00Z`) / 1000;

export const minutesAfter = (minute: Minute, count: number): Minute =>
  minuteOf(secondOf(minute) + count * MINUTE);

/** `2026-11-20T11`. */
export const hourOf = (minute: Minute): string => minute.slice(0, 13);

/** Both ends included. */
export const minutesFrom = (first: Minute, last: Minute): readonly Minute[] => {
  const count = (secondOf(last) - secondOf(first)) / MINUTE + 1;
  return Array.from({ length: Math.max(0, count) }, (_, at) => minutesAfter(first, at));
};
