import { dynamoAccessTokens } from '../adapters/dynamodb/oauth/access-tokens.ts';
import { dynamoCounters } from '../adapters/dynamodb/limits/counters.ts';
import { dynamoDeployments } from '../adapters/dynamodb/deployments/deployments.ts';
import { dynamoEvents } from '../adapters/dynamodb/activity/events.ts';
import { dynamoMintedTokens } from '../adapters/dynamodb/oauth/minted-tokens.ts';
import { rememberedNotBefore } from '../adapters/dynamodb/oauth/not-before.ts';
import { dynamoSessions } from '../adapters/dynamodb/oauth/sessions.ts';
import { dynamoSignOuts } from '../adapters/dynamodb/oauth/sign-outs.ts';
import { dynamoPrompts } from '../adapters/dynamodb/deployments/prompts.ts';
import { dynamoPublicRequests } from '../adapters/dynamodb/limits/public-requests.ts';
import { dynamoResources } from '../adapters/dynamodb/deployments/resources.ts';
import { dynamoSearchIndexes } from '../adapters/dynamodb/versions/search-indexes.ts';
import { dynamoToolIndexes } from '../adapters/dynamodb/versions/tool-indexes.ts';
import { dynamoToolReports } from '../adapters/dynamodb/versions/tool-reports.ts';
import { dynamoUsage } from '../adapters/dynamodb/limits/usage.ts';
import { issuerKeys } from '../adapters/jwt/issuer-keys.ts';
import { joseSignatures } from '../adapters/jwt/jose-signatures.ts';
import { lambdaCredentialBroker } from '../adapters/lambda/credential-broker.ts';
import { cachedCredentials } from '../adapters/lambda/cached-credentials.ts';
import { stdoutCallLog } from '../adapters/log/call-log.ts';
import { s3StoredReplies } from '../adapters/s3/stored-replies.ts';
import { targetApi } from '../adapters/target-api/target-api.ts';
import { web } from '../adapters/target-api/web.ts';
import { readProtocolVersions } from '../domain/protocol-versions.ts';
import { readIdentityProviders } from '../domain/oauth/tokens/identity-providers.ts';
import { readSwitch } from '../domain/switch.ts';
import type { TargetPolicy } from '../domain/target/target.ts';
import type { Ports, Settings } from '../ports.ts';
import * as z from 'zod/mini';
import {
  type Environment,
  readBy,
  readEnvironment,
  shared,
  signing,
  text,
  url,
} from './environment.ts';
import { at, filesIn, httpPorts, signingKeysIn, awsClientOptions } from './common-ports.ts';
import { targetPolicy } from './target-policy.ts';

export type { InvocationContext } from '../adapters/system/time-left.ts';

export interface RouterOptions {
  /** Only the local run passes this. Without it: public addresses over https, nothing else. */
  readonly targets?: TargetPolicy;
  /** Only the local run passes this. */
  readonly localOrigins?: readonly string[];
}

const variables = {
  ...shared,
  ...signing,
  OAUTH_TABLE: text,
  LIMITS_TABLE: text,
  SECURITY_EVENTS_TABLE: text,
  CREDENTIALS_FUNCTION: text,
  PROTOCOL_VERSIONS: readBy(readProtocolVersions),
  SERVER_CARDS: readBy(readSwitch),
  IDENTITY_PROVIDERS: readBy(readIdentityProviders),
  AWS_ENDPOINT_URL_LAMBDA: z.optional(url),
};

/** All that the router can touch. @throws Error that names what the environment lacks */
export const wireRouter = (
  given: Environment,
  { targets = {}, localOrigins }: RouterOptions = {},
) => {
  const environment = readEnvironment(variables, given);
  const policy = targetPolicy(targets, environment);
  const { clock, dynamo, log, random, timeLeft, settings: basics } = httpPorts(environment);
  const settings: Settings = {
    ...basics,
    ...(localOrigins && { localOrigins }),
    protocolVersions: environment.PROTOCOL_VERSIONS,
    serverCards: environment.SERVER_CARDS,
    identityProviders: environment.IDENTITY_PROVIDERS,
  };
  const { limits } = settings;
  const content = environment.DEPLOYMENT_CONTENT_TABLE;
  const contents = { content, deployments: environment.DEPLOYMENTS_TABLE };
  const files = filesIn(environment.DESCRIPTIONS_BUCKET, environment, timeLeft);
  const documents = web({ policy, timeLeft });
  const broker = lambdaCredentialBroker(
    { ...awsClientOptions(environment, timeLeft), ...at(environment.AWS_ENDPOINT_URL_LAMBDA) },
    environment.CREDENTIALS_FUNCTION,
    random.id(),
  );
  const { signingKeys, mintingKeys } = signingKeysIn(
    environment,
    { clock, dynamo, timeLeft },
    environment.OAUTH_TABLE,
  );
  return {
    clock,
    timeLeft,
    random,
    log,
    settings,
    deployments: dynamoDeployments(dynamo, environment.DEPLOYMENTS_TABLE, clock),
    toolIndexes: dynamoToolIndexes(dynamo, content, files, clock),
    toolReports: dynamoToolReports(dynamo, content, files, clock),
    searchIndexes: dynamoSearchIndexes(dynamo, content, files, clock),
    resources: dynamoResources(dynamo, contents),
    prompts: dynamoPrompts(dynamo, contents),
    accessTokens: dynamoAccessTokens(dynamo, environment.OAUTH_TABLE),
    mintedTokens: dynamoMintedTokens(dynamo, environment.OAUTH_TABLE),
    notBefore: rememberedNotBefore(dynamo, environment.OAUTH_TABLE, clock),
    sessions: dynamoSessions(dynamo, environment.OAUTH_TABLE),
    signOuts: dynamoSignOuts(dynamo, environment.OAUTH_TABLE),
    signingKeys,
    mintingKeys,
    jwtSignatures: joseSignatures(),
    issuerKeys: issuerKeys({ clock, web: documents }),
    credentials: cachedCredentials(broker, { clock, log }),
    usage: dynamoUsage(dynamo, environment.LIMITS_TABLE, limits),
    publicRequests: dynamoPublicRequests(
      dynamo,
      environment.LIMITS_TABLE,
      limits.public_requests_per_minute_per_ip,
    ),
    targetApi: targetApi({
      policy,
      timeLeft,
      timeoutSeconds: limits.target_timeout_seconds,
      maxBytes: limits.target_response_max_bytes,
      readOnBytes: limits.kept_answer_max_bytes,
    }),
    counters: dynamoCounters(dynamo, environment.LIMITS_TABLE, limits),
    storedReplies: s3StoredReplies(filesIn(environment.ANSWERS_BUCKET, environment, timeLeft)),
    events: dynamoEvents(
      { clock, log, random },
      dynamo,
      environment.SECURITY_EVENTS_TABLE,
      limits.log_retention_days,
    ),
    callLog: stdoutCallLog(),
  } satisfies Partial<Ports>;
};
