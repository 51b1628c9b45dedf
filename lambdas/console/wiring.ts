import { stdoutLog } from '../../layers/platform/log/stdout-log.ts';
import { invocationTime, systemClock } from '../../layers/platform/system/clock.ts';
import type { Ports } from '../../layers/ports.ts';

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
