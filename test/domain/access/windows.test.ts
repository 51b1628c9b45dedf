import { describe, expect, test } from '@jest/globals';
import { hourOf, monthOf, windowOf } from '../../../layers/core/domain/access/windows.ts';

const at = (time: string) => Date.parse(time) / 1000;

describe('the window of a limit', () => {
  test.each([
    ['token_per_minute_per_client', '2026-11-20T12:34:00Z', '2026-11-20T12:35:00Z'],
    ['public_requests_per_minute_per_ip', '2026-11-20T12:34:00Z', '2026-11-20T12:35:00Z'],
    ['registration_per_hour_per_ip', '2026-11-20T12:00:00Z', '2026-11-20T13:00:00Z'],
    ['gallery_per_hour', '2026-11-20T12:00:00Z', '2026-11-20T13:00:00Z'],
    ['gallery_per_day', '2026-11-20T00:00:00Z', '2026-11-21T00:00:00Z'],
  ] as const)('%s is the one its name says, in UTC', (limit, start, end) => {
    expect(windowOf(limit, at('2026-11-20T12:34:56Z'))).toEqual({ start: at(start), end: at(end) });
  });

  test.each([
    ['the first second', '2026-11-20T12:00:00Z', '2026-11-20T12:00:00Z'],
    ['the last', '2026-11-20T12:59:59Z', '2026-11-20T12:00:00Z'],
    ['the next', '2026-11-20T13:00:00Z', '2026-11-20T13:00:00Z'],
  ])('has %s in the hour it belongs to', (_, now, start) => {
    expect(hourOf(at(now)).start).toBe(at(start));
  });
});

describe('the month', () => {
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
  ])('is the calendar’s: %s', (_, now, start, end) => {
    expect(monthOf(at(now))).toEqual({ start: at(start), end: at(end) });
  });
});
