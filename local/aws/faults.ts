import { setTimeout } from 'node:timers/promises';
import { type Call, matches } from './calls.ts';

/**
 * `throttle`: refused as AWS does when too much is asked. `deny`: refused as by a policy. `fail`: an
 * internal error, the operation not done. `drop`: the connection ends without an answer, the operation
 * not done. `lose`: the same, and the operation is done. `conflict`: a write of DynamoDB meets a transaction that is under way for its item, which AWS
 * does not let it wait for. `delay`: done, but late. `meanwhile`: done once something else is.
 */
export type FaultKind =
  | { readonly kind: 'throttle' | 'deny' | 'fail' | 'drop' | 'lose' | 'conflict' }
  | { readonly kind: 'delay'; readonly ms: number }
  | { readonly kind: 'meanwhile'; readonly happens: () => Promise<unknown> };

type Fault = FaultKind & {
  /** Which calls it is for. */
  readonly on: Partial<Call> | ((call: Call) => boolean);
  /** After so many calls it is over; without it, only `clear` ends it. */
  readonly times?: number;
};

export interface FaultInjector {
  /** @returns ends this fault */
  inject(fault: Fault): () => void;
  clear(): void;
  /** Applies every fault that matches the call: waits out delays, and says what ends it. */
  apply(call: Call): Promise<(typeof ENDS)[keyof typeof ENDS] | undefined>;
}

const ENDS = {
  throttle: 'throttled',
  deny: 'denied',
  fail: 'failed',
  drop: 'dropped',
  lose: 'lost',
  conflict: 'conflicted',
} as const;

/** No fault is on until a test injects one. */
export const openFaults = (): FaultInjector => {
  const faults = new Set<{ readonly fault: Fault; left: number }>();
  return {
    inject: (fault) => {
      const entry = { fault, left: fault.times ?? Infinity };
      faults.add(entry);
      return () => faults.delete(entry);
    },
    clear: () => faults.clear(),
    apply: async (call) => {
      const matching = [...faults].filter(({ fault: { on } }) =>
        typeof on === 'function' ? on(call) : matches(call, on),
      );
      for (const entry of matching) {
        entry.left -= 1;
        if (entry.left <= 0) faults.delete(entry);
      }
      for (const { fault } of matching) {
        if (fault.kind === 'meanwhile') {
          await fault.happens();
          continue;
        }
        if (fault.kind !== 'delay') return ENDS[fault.kind];
        // Whoever called may have given up, and the process may end.
        await setTimeout(fault.ms, undefined, { ref: false });
      }
      return undefined;
    },
  };
};
