import { type FunctionName, functions } from '../../lambdas/manifest.ts';
import type { Service } from './service.ts';
import { inWords } from './start-refused.ts';

const HOUR_MS = 3_600_000;

/**
 * Tells functions what they are to do again and again: now, since the service may never run for so long, and
 * then each time that it is due. Keeps no process alive.
 *
 * @param failed - is told what could not be done; it is tried again when it is due
 */
export const startSchedules = (
  { invoke }: Pick<Service, 'invoke'>,
  failed: (what: string) => void,
): void => {
  for (const [name, { schedules = [] }] of Object.entries(functions)) {
    for (const { everyHours, command } of schedules) {
      const run = () => {
        invoke(name as FunctionName, command).catch((error: unknown) =>
          failed(`${command.operator}: ${inWords(error)}`),
        );
      };
      run();
      setInterval(run, everyHours * HOUR_MS).unref();
    }
  }
};
