import { dynamoCallStore } from '../../layers/activity/store/call-store.ts';
import { dynamoCredentialMarks } from '../../layers/credentials/store/credential-marks.ts';
import { dynamoRecordedCallStore } from '../../layers/activity/store/recorded-calls.ts';
import { bare, type Environment, readEnvironment, text } from '../wiring/environment.ts';
import { commonPorts } from '../wiring/common-ports.ts';

const variables = { ...bare, CALLS_TABLE: text, RECORDED_CALLS_TABLE: text };

/** All that stores what calls have logged. @throws Error that names what the environment lacks */
export const wireActivity = (given: Environment) => {
  const environment = readEnvironment(variables, given);
  const { dynamo, log, timeLeft } = commonPorts(environment);
  const { CALLS_TABLE, RECORDED_CALLS_TABLE, LIMITS: limits } = environment;
  return {
    log,
    timeLeft,
    credentialMarks: dynamoCredentialMarks(dynamo, CALLS_TABLE),
    callStore: dynamoCallStore(dynamo, CALLS_TABLE, limits.log_retention_days),
    recordedCallStore: dynamoRecordedCallStore(dynamo, RECORDED_CALLS_TABLE),
  };
};
