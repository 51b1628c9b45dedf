import { type FunctionName, functions } from '../../lambdas/manifest.ts';
import type { Service } from './service.ts';
import { inWords } from './start-refused.ts';

const DAY_MS = 86_400_000;

/**
 * Tells functions what they are to do once a day: now, since the service may never run for a day, and
 * then each day. Keeps no process alive.
 *
 * @param failed - is told what could not be done; it is tried again the next day
 */
export const startSchedules = (
  { invoke }: Pick<Service, 'invoke'>,
  failed: (what: string) => void,
): void => {
  const run = () => {
    for (const [name, { daily = [] }] of Object.entries(functions)) {
      for (const command of daily) {
        invoke(name as FunctionName, command).catch((error: unknown) =>
          failed(`${command.operator}: ${inWords(error)}`),
        );
      }
    }
  };
  run();
  setInterval(run, DAY_MS).unref();
};
