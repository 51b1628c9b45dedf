import type { Random } from '../support/random.ts';

/** What is fuzzed. */
export interface Subject {
  /** The input of one case, the same for equal random numbers. */
  readonly input: (random: Random, index: number) => Uint8Array;
  /**
   * Runs a case.
   *
   * @returns how it ended, in a word, for the table
   * @throws whatever is no good end
   */
  readonly run: (input: Uint8Array) => string | Promise<string>;
}

export const SUBJECTS = ['descriptions', 'arguments', 'multiplied'] as const;
/** `faulty` proves that faults are found. */
export type SubjectName = (typeof SUBJECTS)[number] | 'faulty';

/** A case that ended badly. */
export interface Fault {
  readonly subject: string;
  readonly seed: number;
  readonly index: number;
  /** What was wrong; equal for equal faults. */
  readonly what: string;
  readonly detail: string;
  readonly input?: Uint8Array;
}
