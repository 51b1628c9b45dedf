import { DAY, type EpochSeconds, HOUR, MINUTE } from '../time.ts';

const STEPS = [
  { failures: 15, seconds: DAY },
  { failures: 10, seconds: HOUR },
  { failures: 5, seconds: 15 * MINUTE },
] as const;

/** Failed sign-ins in a row. */
export interface Failures {
  readonly failures: number;
  /** Of the latest. */
  readonly failedAt: EpochSeconds;
}

/**
 * Whether sign-ins are refused unchecked after so many failures.
 *
 * Source: spec, "Account lockout": 5 → 15 min, 10 → 1 h, 15 or more → 24 h; D37.
 */
export const isLocked = (failed: Failures | undefined, now: EpochSeconds): boolean => {
  if (!failed) return false;
  const step = STEPS.find(({ failures }) => failed.failures >= failures);
  return step !== undefined && now < failed.failedAt + step.seconds;
};

/** Whether this failure is the one that locks, or locks for longer. */
export const beginsLock = ({ failures }: Failures): boolean =>
  STEPS.some((step) => step.failures === failures);
