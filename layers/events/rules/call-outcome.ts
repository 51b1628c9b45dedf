/**
 * How a call ended. `refused`: nothing was sent to the target; `no_answer`: none came from it; `unfinished`: it
 * was sent, and no end of it is known. Each call that is sent is unfinished first.
 */
export const CALL_OUTCOMES = ['ok', 'target_error', 'no_answer', 'refused', 'unfinished'] as const;
export type CallOutcome = (typeof CALL_OUTCOMES)[number];

export const isUnfinished = ({ outcome }: { readonly outcome?: unknown }): boolean =>
  outcome === 'unfinished';

/** An error: whoever called did not get what they called for, whether the API, the way to it or the service refused it. */
const MEANING = {
  ok: 'success',
  target_error: 'error',
  no_answer: 'error',
  refused: 'error',
  unfinished: 'unfinished',
} as const satisfies Record<CallOutcome, string>;

/**
 * What a call counts as, wherever calls are counted, listed or drawn: an owner's trials and requests that call no
 * tool are told apart, and are neither calls nor errors; nor is a call whose end is not known.
 *
 * Source: docs/decisions/management.md, "Activity".
 */
export type CountedAs = (typeof MEANING)[CallOutcome] | 'trial' | 'no_call';

export const countedAs = ({
  outcome,
  trial,
  withoutTool,
}: {
  readonly outcome: CallOutcome;
  readonly trial?: boolean | undefined;
  readonly withoutTool?: boolean | undefined;
}): CountedAs => {
  if (withoutTool) return 'no_call';
  const meaning = MEANING[outcome];
  return trial && meaning !== 'unfinished' ? 'trial' : meaning;
};

export const isSent = (outcome: CallOutcome): boolean => outcome !== 'refused';

/** What calls add up to. */
export interface Tally {
  readonly calls: number;
  /** Of the calls. */
  readonly errors: number;
  /** Beside the calls. */
  readonly trials: number;
}

export const tallied = (calls: readonly Parameters<typeof countedAs>[0][]): Tally => {
  const numberOf = (...wanted: readonly CountedAs[]): number =>
    calls.filter((call) => wanted.includes(countedAs(call))).length;
  return {
    calls: numberOf('success', 'error'),
    errors: numberOf('error'),
    trials: numberOf('trial'),
  };
};
