import { dynamoCounters } from '../../layers/limits/store/counters.ts';
import { dynamoEvents } from '../../layers/events/store/events.ts';
import { credentialReader } from '../wiring/credential-store.ts';
import {
  bare,
  credentialStore,
  type Environment,
  readEnvironment,
  text,
} from '../wiring/environment.ts';
import { commonPorts } from '../wiring/common-ports.ts';

const variables = {
  ...bare,
  ...credentialStore,
  LIMITS_TABLE: text,
  SECURITY_EVENTS_TABLE: text,
};

/** All that the credential broker can touch. @throws Error that names what the environment lacks */
export const wireCredentials = (given: Environment) => {
  const environment = readEnvironment(variables, given);
  const { clock, dynamo, log, random, timeLeft } = commonPorts(environment);
  const { LIMITS: limits } = environment;
  return {
    clock,
    timeLeft,
    log,
    counters: dynamoCounters(dynamo, environment.LIMITS_TABLE, limits),
    credentialReader: credentialReader(environment, { dynamo, timeLeft }),
    events: dynamoEvents(
      { clock, log, random },
      dynamo,
      environment.SECURITY_EVENTS_TABLE,
      limits.log_retention_days,
    ),
  };
};
