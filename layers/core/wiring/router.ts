import { dynamoAccessTokens } from '../adapters/dynamodb/access-tokens.ts';
import { dynamoCounters } from '../adapters/dynamodb/counters.ts';
import { dynamoDeployments } from '../adapters/dynamodb/deployments.ts';
import { dynamoEvents } from '../adapters/dynamodb/events.ts';
import { dynamoMintedTokens } from '../adapters/dynamodb/minted-tokens.ts';
import { dynamoPrompts } from '../adapters/dynamodb/prompts.ts';
import { dynamoPublicRequests } from '../adapters/dynamodb/public-requests.ts';
import { dynamoResources } from '../adapters/dynamodb/resources.ts';
import { dynamoSearchIndexes } from '../adapters/dynamodb/search-indexes.ts';
import { dynamoToolCounts } from '../adapters/dynamodb/tool-counts.ts';
import { dynamoToolIndexes } from '../adapters/dynamodb/tool-indexes.ts';
import { dynamoToolReports } from '../adapters/dynamodb/tool-reports.ts';
import { dynamoUsage } from '../adapters/dynamodb/usage.ts';
import { issuerKeys } from '../adapters/jwt/issuer-keys.ts';
import { joseSignatures } from '../adapters/jwt/jose-signatures.ts';
import { lambdaCredentialBroker } from '../adapters/lambda/credential-broker.ts';
import { rememberedCredentials } from '../adapters/lambda/remembered-credentials.ts';
import { kmsSigningKeys } from '../adapters/kms/signing-keys.ts';
import { s3KeptAnswers } from '../adapters/s3/kept-answers.ts';
import { targetApi } from '../adapters/target-api/target-api.ts';
import { web } from '../adapters/target-api/web.ts';
import type { TargetPolicy } from '../domain/target.ts';
import type { Ports } from '../ports.ts';
import * as z from 'zod/mini';
import { type Environment, readEnvironment, shared, signing, text, url } from './environment.ts';
import { at, descriptionFiles, foundation, keyService, us } from './foundation.ts';

export interface RouterOptions {
  /** Only the local run passes this. Without it: public addresses over https, nothing else. */
  readonly targets?: TargetPolicy;
}

const variables = {
  ...shared,
  ...signing,
  OAUTH_TABLE: text,
  LIMITS_TABLE: text,
  SECURITY_EVENTS_TABLE: text,
  CREDENTIALS_FUNCTION: text,
  AWS_ENDPOINT_URL_LAMBDA: z.optional(url),
};

/** All that the router can touch. @throws Error that names what the environment lacks */
export const wireRouter = (given: Environment, { targets = {} }: RouterOptions = {}) => {
  const environment = readEnvironment(variables, given);
  const { clock, dynamo, log, mint, settings } = foundation(environment);
  const { limits } = settings;
  const content = environment.DEPLOYMENT_CONTENT_TABLE;
  const files = descriptionFiles(environment);
  const documents = web({ policy: targets });
  const broker = lambdaCredentialBroker(
    { ...us(environment), ...at(environment.AWS_ENDPOINT_URL_LAMBDA) },
    environment.CREDENTIALS_FUNCTION,
    mint.id(),
  );
  return {
    clock,
    mint,
    log,
    settings,
    deployments: dynamoDeployments(dynamo, environment.DEPLOYMENTS_TABLE, clock),
    toolIndexes: dynamoToolIndexes(dynamo, content, files, clock),
    toolReports: dynamoToolReports(dynamo, content, files, clock),
    searchIndexes: dynamoSearchIndexes(dynamo, content, files, clock),
    resources: dynamoResources(dynamo, content),
    prompts: dynamoPrompts(dynamo, content),
    accessTokens: dynamoAccessTokens(dynamo, environment.OAUTH_TABLE),
    mintedTokens: dynamoMintedTokens(dynamo, environment.OAUTH_TABLE),
    signingKeys: kmsSigningKeys(keyService(environment), environment.SIGNING_KEY_ID),
    jwtSignatures: joseSignatures(),
    issuerKeys: issuerKeys({ clock, web: documents }),
    credentials: rememberedCredentials(broker, { clock, log }),
    usage: dynamoUsage(dynamo, environment.LIMITS_TABLE, limits),
    publicRequests: dynamoPublicRequests(
      dynamo,
      environment.LIMITS_TABLE,
      limits.public_requests_per_minute_per_ip,
    ),
    targetApi: targetApi({
      policy: targets,
      timeoutSeconds: limits.target_timeout_seconds,
      maxBytes: limits.target_response_max_bytes,
      readOnBytes: limits.kept_answer_max_bytes,
    }),
    counters: dynamoCounters(dynamo, environment.LIMITS_TABLE, limits),
    keptAnswers: s3KeptAnswers(files),
    events: dynamoEvents(
      { clock, log, mint },
      dynamo,
      environment.SECURITY_EVENTS_TABLE,
      limits.log_retention_days,
    ),
    toolCounts: dynamoToolCounts(
      { clock, log, mint },
      dynamo,
      environment.SECURITY_EVENTS_TABLE,
      limits.log_retention_days,
    ),
  } satisfies Partial<Ports>;
};
