import { dynamoCallStore } from '../adapters/dynamodb/activity/call-store.ts';
import { dynamoCredentialMarks } from '../adapters/dynamodb/activity/credential-marks.ts';
import type { Ports } from '../ports.ts';
import { bare, type Environment, readEnvironment, text } from './environment.ts';
import { commonPorts } from './common-ports.ts';

export type { InvocationContext } from '../adapters/system/time-left.ts';

const variables = { ...bare, CALLS_TABLE: text };

/** All that stores what calls have logged. @throws Error that names what the environment lacks */
export const wireActivity = (given: Environment) => {
  const environment = readEnvironment(variables, given);
  const { dynamo, log, timeLeft } = commonPorts(environment);
  const { CALLS_TABLE, LIMITS: limits } = environment;
  return {
    log,
    timeLeft,
    credentialMarks: dynamoCredentialMarks(dynamo, CALLS_TABLE),
    callStore: dynamoCallStore(dynamo, CALLS_TABLE, limits.log_retention_days),
  } satisfies Partial<Ports>;
};
