import * as z from 'zod/mini';
import type { ValueOf } from '../../platform/rules/shape.ts';
import { DAY, type EpochSeconds, HOUR, MINUTE } from '../../platform/rules/time.ts';

export const FailedLogins = z.object({
  failures: z.int(),
  failedAt: z.int(),
});
export type FailedLogins = ValueOf<typeof FailedLogins>;

/** A number of failures that locks sign-in. In between, once a lock has ended, attempts are checked again. */
export interface Lock {
  readonly failures: number;
  /** Whether every further failure locks, too. */
  readonly isLast: boolean;
  readonly seconds: number;
}

/**
 * Numbers of consecutive failures that lock sign-in, and for how long. After a lock, five more failures are needed for
 * the next, so that one mistake does not lock again.
 * Source: docs/decisions/accounts.md, "Lockout".
 */
export const LOCKS: readonly Lock[] = [
  { failures: 5, isLast: false, seconds: 15 * MINUTE },
  { failures: 10, isLast: false, seconds: HOUR },
  { failures: 15, isLast: true, seconds: DAY },
];

export const beginsLock = ({ failures }: FailedLogins): boolean => lockOf(failures) !== undefined;

/** Whether sign-ins are now refused without checking the password. */
export const isLocked = ({ failures, failedAt }: FailedLogins, now: EpochSeconds): boolean =>
  now < failedAt + (lockOf(failures)?.seconds ?? 0);

const lockOf = (failures: number): Lock | undefined =>
  LOCKS.find((lock) => (lock.isLast ? failures >= lock.failures : failures === lock.failures));
