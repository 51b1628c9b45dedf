import * as z from 'zod/mini';
import type { ValueOf } from '../../platform/rules/shape.ts';
import { DAY, type EpochSeconds, HOUR, MINUTE } from '../../platform/rules/time.ts';

/** Failed sign-ins in a row. */
export const FailedLogins = z.object({
  failures: z.int(),
  /** Of the latest. */
  failedAt: z.int(),
});
export type FailedLogins = ValueOf<typeof FailedLogins>;

/** A failed sign-in that locks. Between two of them sign-ins are open, however many have failed. */
export interface Lock {
  readonly failures: number;
  /** Whether each further failure locks as well. */
  readonly isLast: boolean;
  readonly seconds: number;
}

/**
 * Which failed sign-ins in a row lock, and for how long: after a lock has ended, five more are needed for the
 * next one, so that nobody is locked again for one mistake.
 *
 * Source: docs/decisions/accounts.md, "Lockout".
 */
export const LOCKS: readonly Lock[] = [
  { failures: 5, isLast: false, seconds: 15 * MINUTE },
  { failures: 10, isLast: false, seconds: HOUR },
  { failures: 15, isLast: true, seconds: DAY },
];

/** Whether this failure is one that locks. */
export const beginsLock = ({ failures }: FailedLogins): boolean => lockOf(failures) !== undefined;

/** Whether sign-ins are refused unchecked after so many failures. */
export const isLocked = ({ failures, failedAt }: FailedLogins, now: EpochSeconds): boolean =>
  now < failedAt + (lockOf(failures)?.seconds ?? 0);

const lockOf = (failures: number): Lock | undefined =>
  LOCKS.find((lock) => (lock.isLast ? failures >= lock.failures : failures === lock.failures));
