import { setTimeout } from 'node:timers/promises';
import { type Call, matches } from './calls.ts';

/**
 * `throttle`: refused as AWS does when too much is asked. `deny`: refused as by a policy. `fail`: an internal
 * error, the operation not done. `drop`: the connection ends without an answer, the operation not done. `lose`: the
 * same, but the operation is done. `conflict`: a write of DynamoDB meets a running transaction of its item.
 * `delay`: done, but late. `meanwhile`: done after something else has happened.
 */
export type FaultKind =
  | { readonly kind: 'throttle' | 'deny' | 'fail' | 'drop' | 'lose' | 'conflict' }
  | { readonly kind: 'delay'; readonly ms: number }
  | { readonly kind: 'meanwhile'; readonly happens: () => Promise<unknown> };

type Fault = FaultKind & {
  readonly on: Partial<Call> | ((call: Call) => boolean);
  /** The fault ends after so many calls; without this, only `clear` ends it. */
  readonly times?: number;
};

export interface FaultInjector {
  /** @returns a function that ends this fault */
  inject(fault: Fault): () => void;
  clear(): void;
  /** Applies every fault that matches the call: waits out delays, and returns how the call ends. */
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
        // The caller may have given up: this timer must not keep the process alive.
        await setTimeout(fault.ms, undefined, { ref: false });
      }
      return undefined;
    },
  };
};
