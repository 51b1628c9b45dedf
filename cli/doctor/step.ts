/** What one step of the walk found. */
export interface Step {
  readonly step: string;
  readonly outcome: 'ok' | 'failed' | 'warning' | 'skipped';
  /** What was found, in a sentence. */
  readonly what: string;
  /** Why that is so, probably. */
  readonly cause?: string;
  /** What to do about it. */
  readonly hint?: string;
}

/** Something is wrong, why that is so, and what to do. */
export interface Fault {
  readonly what: string;
  readonly cause: string;
  readonly hint: string;
}

export const ok = (step: string, what: string): Step => ({ step, outcome: 'ok', what });

export const skipped = (step: string, what: string): Step => ({ step, outcome: 'skipped', what });

export const failed = (step: string, fault: Fault): Step => ({ step, outcome: 'failed', ...fault });

/** Some clients will not mind. */
export const warning = (step: string, fault: Fault): Step => ({
  step,
  outcome: 'warning',
  ...fault,
});

/** A step that is good unless there is a fault. */
export const judged = (step: string, fault: Fault | undefined, good: string): Step =>
  fault ? failed(step, fault) : ok(step, good);
