import { readLimits } from '../../layers/limits/rules/limits.ts';
import type { ReadersOf } from '../../lib/stage/variables.ts';
import { dynamoCallStore } from '../../layers/activity/store/call-store.ts';
import { dynamoCredentialMarks } from '../../layers/credentials/store/credential-marks.ts';
import { dynamoRecordedCallStore } from '../../layers/activity/store/recorded-calls.ts';
import { systemPause } from '../../layers/platform/system/clock.ts';
import { bare, type Environment, readEnvironment, texts } from '../wiring/environment.ts';
import { commonPorts } from '../wiring/common-ports.ts';

const variables = { ...bare, ...texts('CALLS_TABLE', 'RECORDED_CALLS_TABLE') };

const readers = { limits: readLimits } satisfies ReadersOf<'activity'>;

export const wireActivity = (given: Environment) => {
  const { environment, settings } = readEnvironment(variables, readers, given);
  const { clock, dynamo, log, timeLeft } = commonPorts(environment);
  const { CALLS_TABLE, RECORDED_CALLS_TABLE } = environment;
  return {
    log,
    timeLeft,
    credentialMarks: dynamoCredentialMarks(dynamo, CALLS_TABLE),
    callStore: dynamoCallStore(
      { clock, pause: systemPause() },
      dynamo,
      CALLS_TABLE,
      settings.limits.log_retention_days,
    ),
    recordedCallStore: dynamoRecordedCallStore(dynamo, RECORDED_CALLS_TABLE),
  };
};
