import { describe, expect, test } from '@jest/globals';
import {
  DEFAULT_LIMITS,
  type WindowLimit,
  windowSecondsOf,
} from '../../../layers/limits/rules/limits.ts';
import { DAY, HOUR, MINUTE } from '../../../layers/platform/rules/time.ts';
import { hourOf, monthOf, windowOf } from '../../../layers/limits/rules/windows.ts';

const at = (time: string) => Date.parse(time) / 1000;

const SECONDS = { minute: MINUTE, hour: HOUR, day: DAY } as const;

/** Requests of a plan are counted apart, by the hour and the calendar month. */
const OF_PLANS = /^(free|pro)_(issuer_)?requests_/;

describe('the time window of a rate limit', () => {
  test('is as long as its name says, of each', () => {
    const named = Object.keys(DEFAULT_LIMITS).flatMap((name) => {
      const unit = /_per_(minute|hour|day)(?:_|$)/.exec(name)?.[1] as keyof typeof SECONDS;
      return unit === undefined || OF_PLANS.test(name)
        ? []
        : [[name as WindowLimit, unit] as const];
    });

    expect(named.length).toBeGreaterThan(20);
    for (const [name, unit] of named) {
      expect([name, windowSecondsOf(name)]).toEqual([name, SECONDS[unit]]);
    }
  });

  test.each([
    ['token_per_minute_per_client', '2026-11-20T12:34:00Z', '2026-11-20T12:35:00Z'],
    ['public_requests_per_minute_per_ip', '2026-11-20T12:34:00Z', '2026-11-20T12:35:00Z'],
    ['registration_per_hour_per_ip', '2026-11-20T12:00:00Z', '2026-11-20T13:00:00Z'],
    ['gallery_per_hour', '2026-11-20T12:00:00Z', '2026-11-20T13:00:00Z'],
    ['gallery_per_day', '2026-11-20T00:00:00Z', '2026-11-21T00:00:00Z'],
  ] as const)('%s is counted in the window of its name, in UTC', (limit, start, end) => {
    expect(windowOf(limit, at('2026-11-20T12:34:56Z'))).toEqual({ start: at(start), end: at(end) });
  });

  test.each([
    ['the first second', '2026-11-20T12:00:00Z', '2026-11-20T12:00:00Z'],
    ['the last second', '2026-11-20T12:59:59Z', '2026-11-20T12:00:00Z'],
    ['the first second of the next hour', '2026-11-20T13:00:00Z', '2026-11-20T13:00:00Z'],
  ])('assigns %s to the hour it belongs to', (_, now, start) => {
    expect(hourOf(at(now)).start).toBe(at(start));
  });
});

describe('the monthly window of a limit', () => {
  test.each([
    ['its first second', '2026-11-01T00:00:00Z', '2026-11-01T00:00:00Z', '2026-12-01T00:00:00Z'],
    ['its last second', '2026-11-30T23:59:59Z', '2026-11-01T00:00:00Z', '2026-12-01T00:00:00Z'],
    ['December', '2026-12-31T23:59:59Z', '2026-12-01T00:00:00Z', '2027-01-01T00:00:00Z'],
    [
      'a leap year’s February',
      '2028-02-29T12:00:00Z',
      '2028-02-01T00:00:00Z',
      '2028-03-01T00:00:00Z',
    ],
    ['another February', '2026-02-28T23:59:59Z', '2026-02-01T00:00:00Z', '2026-03-01T00:00:00Z'],
  ])('is the calendar month in the case of %s', (_, now, start, end) => {
    expect(monthOf(at(now))).toEqual({ start: at(start), end: at(end) });
  });
});
