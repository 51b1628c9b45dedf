import { LOCKS } from '../rules/lockout.ts';
import type { EpochSeconds } from '../../platform/rules/time.ts';

/** Counts a failed sign-in unless locked, in one write: parallel attempts get no more tries than sequential ones. */
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
