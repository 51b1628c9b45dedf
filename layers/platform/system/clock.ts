import type { Clock } from '../../ports.ts';

/** The machine's clocks: the wall clock for moments, the monotonic one for durations. */
export const systemClock = (): Clock => ({
  now: () => Math.floor(Date.now() / 1000),
  elapsedMs: () => performance.now(),
});
