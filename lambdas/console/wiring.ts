import type { ReadersOf } from '../../lib/stage/variables.ts';
import {
  readLocalModelHosts,
  readModelHosts,
} from '../../layers/openapi/model-apis/model-hosts.ts';
import { stdoutLog } from '../../layers/platform/log/stdout-log.ts';
import { readLogLevel } from '../../layers/platform/rules/log-level.ts';
import { invocationTime, systemClock } from '../../layers/platform/system/clock.ts';
import type { TargetPolicy } from '../../layers/target/rules/target.ts';
import { type Environment, readEnvironment } from '../wiring/environment.ts';

export interface ConsoleOptions {
  /** Only the local run passes this: models may be on this machine, too. */
  readonly targets?: Pick<TargetPolicy, 'loopback'>;
}

/**
 * All that the console's function has: it serves files, and may do nothing on AWS but log.
 *
 * @throws Error that names what is wrong with the environment
 */
export const wireConsole = (given: Environment, { targets }: ConsoleOptions = {}) => {
  const read = targets?.loopback ? readLocalModelHosts : readModelHosts;
  const readers = { modelHosts: read, logLevel: readLogLevel } satisfies ReadersOf<'console'>;
  const { modelHosts, logLevel } = readEnvironment({}, readers, given).settings;
  const clock = systemClock();
  const ports = {
    clock,
    log: stdoutLog(clock, process.stdout, undefined, logLevel),
    timeLeft: invocationTime(),
    // It knows nobody of whom there would be something to record.
    events: { record: () => undefined, flush: async () => undefined },
  };
  return { ports, modelHosts };
};
