import { setTimeout } from 'node:timers/promises';
import { type Call, matches } from './calls.ts';

/**
 * `throttle`: refused as AWS does when too much is asked. `deny`: refused as by a policy. `fail`: an
 * internal error, the operation not done. `drop`: the connection ends without an answer, the operation
 * not done. `delay`: done, but late.
 */
export type FaultKind =
  | { readonly kind: 'throttle' | 'deny' | 'fail' | 'drop' }
  | { readonly kind: 'delay'; readonly ms: number };

export type Fault = FaultKind & {
  /** Which calls meet it. */
  readonly on: Partial<Call>;
  /** After so many calls it is over; without it, only `clear` ends it. */
  readonly times?: number;
};

export interface FaultSwitchboard {
  /** @returns ends this fault */
  inject(fault: Fault): () => void;
  clear(): void;
  /** Lets one call meet every fault that matches it: waits out delays, and says what ends the call. */
  meet(call: Call): Promise<'throttled' | 'denied' | 'failed' | 'dropped' | undefined>;
}

const ENDS = { throttle: 'throttled', deny: 'denied', fail: 'failed', drop: 'dropped' } as const;

/** No fault is on until a test injects one. */
export const openFaults = (): FaultSwitchboard => {
  const faults = new Set<{ readonly fault: Fault; left: number }>();
  return {
    inject: (fault) => {
      const entry = { fault, left: fault.times ?? Infinity };
      faults.add(entry);
      return () => faults.delete(entry);
    },
    clear: () => faults.clear(),
    meet: async (call) => {
      const met = [...faults].filter(({ fault }) => matches(call, fault.on));
      for (const entry of met) {
        entry.left -= 1;
        if (entry.left <= 0) faults.delete(entry);
      }
      for (const { fault } of met) {
        if (fault.kind !== 'delay') return ENDS[fault.kind];
        await setTimeout(fault.ms);
      }
      return undefined;
    },
  };
};
