import * as z from 'zod/mini';
import { dynamoDeployments } from '../adapters/dynamodb/deployments.ts';
import { dynamoEvents } from '../adapters/dynamodb/events.ts';
import { dynamoPrompts } from '../adapters/dynamodb/prompts.ts';
import { dynamoPublicRequests } from '../adapters/dynamodb/public-requests.ts';
import { dynamoResources } from '../adapters/dynamodb/resources.ts';
import { dynamoToolIndexes } from '../adapters/dynamodb/tool-indexes.ts';
import { targetApi } from '../adapters/target-api/target-api.ts';
import type { TargetPolicy } from '../domain/target.ts';
import type { Ports } from '../ports.ts';
import { type Environment, readEnvironment, shared } from './environment.ts';
import { foundation } from './foundation.ts';

export interface RouterOptions {
  /** Only the local run passes this. Without it: public addresses over https, nothing else. */
  readonly targets?: TargetPolicy;
}

const variables = {
  ...shared,
  LIMITS_TABLE: z.string().check(z.minLength(1)),
  SECURITY_EVENTS_TABLE: z.string().check(z.minLength(1)),
};

/** All that the router can touch. @throws Error that names what the environment lacks */
export const wireRouter = (given: Environment, { targets = {} }: RouterOptions = {}) => {
  const environment = readEnvironment(variables, given);
  const { clock, dynamo, files, log, mint, settings } = foundation(environment);
  const { limits } = settings;
  const content = environment.DEPLOYMENT_CONTENT_TABLE;
  return {
    clock,
    mint,
    log,
    settings,
    deployments: dynamoDeployments(dynamo, environment.DEPLOYMENTS_TABLE, clock),
    toolIndexes: dynamoToolIndexes(dynamo, content, files, clock),
    resources: dynamoResources(dynamo, content),
    prompts: dynamoPrompts(dynamo, content),
    publicRequests: dynamoPublicRequests(
      dynamo,
      environment.LIMITS_TABLE,
      limits.public_requests_per_minute_per_ip,
    ),
    targetApi: targetApi({
      policy: targets,
      timeoutSeconds: limits.target_timeout_seconds,
      maxBytes: limits.target_response_max_bytes,
    }),
    events: dynamoEvents(
      { clock, log, mint },
      dynamo,
      environment.SECURITY_EVENTS_TABLE,
      limits.log_retention_days,
    ),
  } satisfies Partial<Ports>;
};
