import { stdoutLog } from '../adapters/log/stdout-log.ts';
import { systemClock } from '../adapters/system/clock.ts';
import { invocationTime } from '../adapters/system/time-left.ts';
import type { Ports } from '../ports.ts';

export type { InvocationContext } from '../adapters/system/time-left.ts';

/** All that the console's function has: it serves files, and may do nothing on AWS but log. */
export const wireConsole = () => {
  const clock = systemClock();
  return {
    clock,
    log: stdoutLog(clock),
    timeLeft: invocationTime(),
    // It knows nobody of whom there would be something to record.
    events: { record: () => undefined, flush: async () => undefined },
  } satisfies Partial<Ports>;
};
