import { LOCKS } from '../rules/lockout.ts';
import type { EpochSeconds } from '../../platform/rules/time.ts';

/**
 * Counts a failed sign-in unless the item is locked: one condition and one update, so that of any number of
 * sign-ins at once no more are tried than until the next lock.
 */
export const reserveFailure = (now: EpochSeconds) => ({
  UpdateExpression: 'ADD failures :one SET failedAt = :now',
  isUnlocked: LOCKS.map(
    ({ isLast }, index) =>
      `NOT (failures ${isLast ? '>=' : '='} :failures${index} AND failedAt > :since${index})`,
  ).join(' AND '),
  values: {
    ':one': 1,
    ':now': now,
    ...Object.fromEntries(
      LOCKS.flatMap(({ failures, seconds }, index) => [
        [`:failures${index}`, failures],
        [`:since${index}`, now - seconds],
      ]),
    ),
  },
});
