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
  /** Loopback of the local run alone: model hosts may be on this machine, too. */
  readonly targets?: Pick<TargetPolicy, 'loopback'>;
}

/** The console's function only serves files: on AWS it may do nothing but log. */
export const wireConsole = (given: Environment, { targets }: ConsoleOptions = {}) => {
  const read = targets?.loopback ? readLocalModelHosts : readModelHosts;
  const readers = { modelHosts: read, logLevel: readLogLevel } satisfies ReadersOf<'console'>;
  const { modelHosts, logLevel } = readEnvironment({}, readers, given).settings;
  const clock = systemClock();
  const ports = {
    clock,
    log: stdoutLog(clock, process.stdout, undefined, logLevel),
    timeLeft: invocationTime(),
    // No requests have a user, so there is no event to record.
    events: { record: () => undefined, flush: async () => undefined },
  };
  return { ports, modelHosts };
};
