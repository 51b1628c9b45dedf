import { describe, expect, test } from '@jest/globals';
import { beginsLock, isLocked } from '../../../layers/core/domain/access/lockout.ts';

const NOON = 1_795_176_000;
const MINUTES_15 = 900;
const HOUR = 3600;
const DAY = 86_400;

describe('failed sign-ins in a row (spec, "Account lockout")', () => {
  test.each([
    [5, MINUTES_15],
    [9, MINUTES_15],
    [10, HOUR],
    [14, HOUR],
    [15, DAY],
    [99, DAY],
  ])('%i of them lock for %i seconds, not a second longer', (failures, seconds) => {
    const failed = { failures, failedAt: NOON };

    expect(isLocked(failed, NOON)).toBe(true);
    expect(isLocked(failed, NOON + seconds - 1)).toBe(true);
    expect(isLocked(failed, NOON + seconds)).toBe(false);
  });

  test('fewer than five lock nothing', () => {
    expect(isLocked({ failures: 4, failedAt: NOON }, NOON)).toBe(false);
    expect(isLocked(undefined, NOON)).toBe(false);
  });

  test.each([
    [4, false],
    [5, true],
    [6, false],
    [10, true],
    [15, true],
    [16, false],
  ])('the %ith begins a lock: %p', (failures, begins) => {
    expect(beginsLock({ failures, failedAt: NOON })).toBe(begins);
  });
});
