import * as z from 'zod/mini';
import { readLimits } from '../../layers/limits/rules/limits.ts';
import type { ReadersOf } from '../../lib/stage/variables.ts';
import { dynamoCallTally } from '../../layers/activity/store/call-tally.ts';
import { dynamoDeploymentIds } from '../../layers/deployments/store/deployments.ts';
import { lambdaTallyRequests } from '../../layers/activity/store/tally-requests.ts';
import { sqsUntallied } from '../../layers/activity/store/untallied.ts';
import { bare, type Environment, readEnvironment, texts, url } from '../wiring/environment.ts';
import { awsClientOptions, commonPorts } from '../wiring/common-ports.ts';
import { eventsIn } from '../wiring/events.ts';

const variables = {
  ...bare,
  ...texts('CALLS_TABLE', 'DEPLOYMENTS_TABLE', 'SECURITY_EVENTS_TABLE'),
  UNTALLIED_QUEUE: url,
  AWS_ENDPOINT_URL_LAMBDA: z.optional(url),
  AWS_ENDPOINT_URL_SQS: z.optional(url),
};

const readers = { limits: readLimits } satisfies ReadersOf<'tally'>;

export const wireTally = (given: Environment) => {
  const { environment, settings } = readEnvironment(variables, readers, given);
  const { clock, dynamo, log, random, timeLeft } = commonPorts(environment);
  const { CALLS_TABLE, UNTALLIED_QUEUE } = environment;
  const { log_retention_days: retentionDays } = settings.limits;
  return {
    clock,
    log,
    timeLeft,
    callTally: dynamoCallTally(dynamo, CALLS_TABLE, retentionDays),
    deploymentIds: dynamoDeploymentIds(dynamo, environment.DEPLOYMENTS_TABLE),
    events: eventsIn(environment, { clock, dynamo, log, random }, retentionDays),
    untallied: sqsUntallied(
      awsClientOptions(environment, timeLeft, environment.AWS_ENDPOINT_URL_SQS),
      UNTALLIED_QUEUE,
    ),
    tallyRequestsTo: (functionName: string) =>
      lambdaTallyRequests(
        awsClientOptions(environment, timeLeft, environment.AWS_ENDPOINT_URL_LAMBDA),
        functionName,
      ),
  };
};
