import {
  readLocalModelHosts,
  readModelHosts,
} from '../../layers/openapi/model-apis/model-hosts.ts';
import { stdoutLog } from '../../layers/platform/log/stdout-log.ts';
import { readLogLevel } from '../../layers/platform/rules/log-level.ts';
import { invocationTime, systemClock } from '../../layers/platform/system/clock.ts';
import type { TargetPolicy } from '../../layers/target/rules/target.ts';
import { type Environment, readBy, readEnvironment } from '../wiring/environment.ts';

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
  const { MODEL_HOSTS: modelHosts, LOG_LEVEL: level } = readEnvironment(
    { MODEL_HOSTS: readBy(read), LOG_LEVEL: readBy(readLogLevel) },
    given,
  );
  const clock = systemClock();
  const ports = {
    clock,
    log: stdoutLog(clock, process.stdout, undefined, level),
    timeLeft: invocationTime(),
    // It knows nobody of whom there would be something to record.
    events: { record: () => undefined, flush: async () => undefined },
  };
  return { ports, modelHosts };
};
