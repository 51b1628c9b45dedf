import { describe, expect, test } from '@jest/globals';
import { beginsLock, isLocked } from '../../../layers/accounts/rules/lockout.ts';

const NOON = 1_795_176_000;
const MINUTES_15 = 900;
const HOUR = 3600;
const DAY = 86_400;

describe('the account lockout', () => {
  test.each([
    [5, MINUTES_15],
    [10, HOUR],
    [15, DAY],
    [16, DAY],
    [99, DAY],
  ])('lasts, after failed sign-in number %i in a row, exactly %i seconds', (failures, seconds) => {
    const failed = { failures, failedAt: NOON };

    expect(isLocked(failed, NOON)).toBe(true);
    expect(isLocked(failed, NOON + seconds - 1)).toBe(true);
    expect(isLocked(failed, NOON + seconds)).toBe(false);
  });

  test.each([0, 1, 4, 6, 9, 11, 14])(
    'does not begin with failed sign-in number %i: the next lock needs five more',
    (failures) => {
      expect(isLocked({ failures, failedAt: NOON }, NOON)).toBe(false);
      expect(beginsLock({ failures, failedAt: NOON })).toBe(false);
    },
  );

  test.each([5, 10, 15, 16, 17])('begins with failed sign-in number %i', (failures) => {
    expect(beginsLock({ failures, failedAt: NOON })).toBe(true);
  });
});
