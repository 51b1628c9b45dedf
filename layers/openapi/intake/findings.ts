import type { Finding } from '../../platform/rules/refusal/api-refusal.ts';

const MAX_WARNINGS = 2000;
const MAX_POINTER = 1000;
const MAX_TEXT = 400;

/** A finding that is safe to show: bounded, without control characters from the description. */
export const finding = (where: string, what: string, hint: string): Finding => ({
  where: shortened(where, MAX_POINTER),
  what: shortened(what, MAX_TEXT),
  hint: shortened(hint, MAX_TEXT),
});

/** Collects up to 2,000 warnings, and counts the rest. */
export interface Warnings {
  readonly add: (where: string, what: string, hint: string) => void;
  readonly all: () => readonly Finding[];
}

export const collectWarnings = (): Warnings => {
  const kept: Finding[] = [];
  let more = 0;
  return {
    add: (where, what, hint) => {
      if (kept.length < MAX_WARNINGS) kept.push(finding(where, what, hint));
      else more += 1;
    },
    all: () =>
      more === 0
        ? kept
        : [...kept, finding('', `there are ${more} more warnings`, 'Correct those listed first.')],
  };
};

/** Faults in the operations of a description, in order of discovery. */
export interface Faults {
  /** Refuses the description for a fault that makes it ambiguous. */
  readonly refuse: (finding: Finding) => void;
  /** Excludes operations for a fault; a finding that affects several is kept once. */
  readonly leaveOut: (finding: Finding) => void;
  readonly isRefused: () => boolean;
  readonly all: () => readonly Finding[];
}

export const collectFaults = (): Faults => {
  const found = new Set<Finding>();
  let refused = false;
  return {
    refuse: (one) => {
      refused = true;
      found.add(one);
    },
    leaveOut: (one) => void found.add(one),
    isRefused: () => refused,
    all: () => [...found],
  };
};

const shortened = (text: string, max: number): string =>
  (text.length <= max ? text : `${text.slice(0, max)}…`)
    .replaceAll(/\p{Cc}/gu, '\uFFFD')
    .toWellFormed();
