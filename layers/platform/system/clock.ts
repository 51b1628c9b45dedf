import type { EpochSeconds } from '../rules/time.ts';

/** The machine's clocks: the wall clock for moments, the monotonic one for durations. */
export const systemClock = () => ({
  /** Epoch seconds, whole. */
  now: (): EpochSeconds => Math.floor(Date.now() / 1000),
  /** Milliseconds on a clock that never goes back, for durations only. */
  elapsedMs: (): number => performance.now(),
});

export type Clock = ReturnType<typeof systemClock>;
