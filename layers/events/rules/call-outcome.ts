/**
 * How a call ended. `refused`: nothing was sent to the target; `no_answer`: the target gave none; `unfinished`: sent,
 * with its end unknown. Every call that is sent begins as unfinished.
 */
export const CALL_OUTCOMES = ['ok', 'target_error', 'no_answer', 'refused', 'unfinished'] as const;
export type CallOutcome = (typeof CALL_OUTCOMES)[number];

export const isUnfinished = ({ outcome }: { readonly outcome?: unknown }): boolean =>
  outcome === 'unfinished';

/** `error`: the caller did not get what it called for, whether API, network or service failed or refused. */
const MEANING = {
  ok: 'success',
  target_error: 'error',
  no_answer: 'error',
  refused: 'error',
  unfinished: 'unfinished',
} as const satisfies Record<CallOutcome, string>;

/**
 * How a call counts wherever calls are counted, listed or drawn. Owners' trials, requests without a tool and
 * unfinished calls are neither calls nor errors. Source: docs/decisions/management.md, "Activity".
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

export interface Tally {
  readonly calls: number;
  /** Among `calls`. */
  readonly errors: number;
  /** Not among `calls`. */
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
