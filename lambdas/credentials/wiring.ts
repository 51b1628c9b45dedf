import { readLimits } from '../../layers/limits/rules/limits.ts';
import type { ReadersOf } from '../../lib/stage/variables.ts';
import { dynamoCounters } from '../../layers/limits/store/counters.ts';
import { credentialReader, storeReaders } from '../wiring/credential-store.ts';
import {
  bare,
  counting,
  credentialStore,
  type Environment,
  readEnvironment,
} from '../wiring/environment.ts';
import { commonPorts } from '../wiring/common-ports.ts';
import { eventsIn } from '../wiring/events.ts';

const variables = {
  ...bare,
  ...credentialStore,
  ...counting,
};

const readers = { limits: readLimits, ...storeReaders } satisfies ReadersOf<'credentials'>;

export const wireCredentials = (given: Environment) => {
  const { environment, settings } = readEnvironment(variables, readers, given);
  const { clock, dynamo, log, random, timeLeft } = commonPorts(environment);
  const { limits } = settings;
  return {
    clock,
    timeLeft,
    log,
    counters: dynamoCounters(dynamo, environment.LIMITS_TABLE, limits),
    credentialReader: credentialReader({ ...environment, ...settings }, { dynamo, timeLeft }),
    events: eventsIn(environment, { clock, dynamo, log, random }, limits.log_retention_days),
  };
};
