import { type FunctionName, functions } from '../../lambdas/manifest.ts';
import type { Service } from './service.ts';
import { inWords } from './start-refused.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * Invokes functions with their scheduled events: now, since the service may never run for so long, and then
 * whenever they are due. It does not keep the process alive.
 * @param failed - gets what could not be done; it is tried again when it is due
 */
export const startSchedules = (
  { invoke }: Pick<Service, 'invoke'>,
  failed: (what: string) => void,
): void => {
  for (const [name, { schedules = [] }] of Object.entries(functions)) {
    for (const schedule of schedules) {
      const [event, what, everyMs] =
        'everyMinutes' in schedule
          ? [schedule.event, name, schedule.everyMinutes * MINUTE_MS]
          : [schedule.command, schedule.command.operator, schedule.everyHours * HOUR_MS];
      const run = () => {
        invoke(name as FunctionName, event).catch((error: unknown) =>
          failed(`${what}: ${inWords(error)}`),
        );
      };
      run();
      setInterval(run, everyMs).unref();
    }
  }
};
