import type { Fault } from './subject.ts';

export interface Fuzzed {
  readonly subject: string;
  readonly cases: number;
  /** How often each end was met. */
  readonly outcomes: Readonly<Record<string, number>>;
  readonly faults: readonly Fault[];
  /** Milliseconds of processor time. */
  readonly slowestMs: number;
  readonly slowestIndex: number;
  readonly totalMs: number;
}

/** Counts how cases end, and what they take. */
export const countsOf = (subject: string, seed: number) => {
  const outcomes: Record<string, number> = {};
  const faults: Fault[] = [];
  let [slowestMs, slowestIndex, totalMs] = [0, 0, 0];
  return {
    ended: (outcome: string, times = 1): void => {
      outcomes[outcome] = (outcomes[outcome] ?? 0) + times;
    },
    took: (ms: number, index: number): void => {
      totalMs += ms;
      if (ms > slowestMs) [slowestMs, slowestIndex] = [ms, index];
    },
    failed: (fault: Omit<Fault, 'subject' | 'seed'>): void => {
      faults.push({ subject, seed, ...fault });
    },
    fuzzed: (cases: number): Fuzzed => {
      return { subject, cases, outcomes, faults, slowestMs, slowestIndex, totalMs };
    },
  };
};
