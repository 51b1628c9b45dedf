import { readLimits } from '../../layers/limits/rules/limits.ts';
import type { ReadersOf } from '../../lib/stage/variables.ts';
import { dynamoAccessTokens } from '../../layers/tokens/store/access-tokens.ts';
import { dynamoCounters } from '../../layers/limits/store/counters.ts';
import { dynamoDeployments } from '../../layers/deployments/store/deployments.ts';
import { dynamoMintedTokens } from '../../layers/tokens/store/minted-tokens.ts';
import { rememberedNotBefore } from '../../layers/tokens/store/not-before.ts';
import { dynamoSessions } from '../../layers/accounts/store/sessions.ts';
import { dynamoSignOuts } from '../../layers/accounts/store/sign-outs.ts';
import { dynamoPrompts } from '../../layers/contents/store/prompts.ts';
import { dynamoPublicRequests } from '../../layers/limits/store/public-requests.ts';
import { dynamoResources } from '../../layers/contents/store/resources.ts';
import { dynamoSearchIndexes } from '../../layers/deployments/store/versions/search-indexes.ts';
import { dynamoToolIndexes } from '../../layers/deployments/store/versions/tool-indexes.ts';
import { dynamoToolReports } from '../../layers/deployments/store/versions/tool-reports.ts';
import { dynamoUsage } from '../../layers/limits/store/usage.ts';
import { goodTokens } from '../../layers/tokens/store/good-tokens.ts';
import { issuerKeys } from '../../layers/tokens/store/issuer-keys.ts';
import { joseSignatures } from '../../layers/tokens/store/jose-signatures.ts';
import { lambdaCredentialBroker } from '../../layers/credentials/store/credential-broker.ts';
import { cachedCredentials } from '../../layers/credentials/store/cached-credentials.ts';
import { lambdaTokenBroker } from '../../layers/connections/store/token-broker.ts';
import { cachedTokens } from '../../layers/connections/store/cached-tokens.ts';
import { stdoutCallLog } from '../../layers/events/store/events.ts';
import { stdoutRecordingLog } from '../../layers/activity/store/recording-log.ts';
import { s3StoredReplies } from '../../layers/mcp/store/stored-replies.ts';
import { targetApi } from '../../layers/target/client/target-api.ts';
import { web } from '../../layers/target/client/web.ts';
import { readProtocolVersions } from '../../layers/platform/rules/protocol-versions.ts';
import { rememberedIdentityProviders } from '../../layers/identity/store/providers.ts';
import { readLogLevel } from '../../layers/platform/rules/log-level.ts';
import { readSwitch } from '../../layers/platform/rules/switch.ts';
import { inNetworks } from '../../layers/target/client/networks.ts';
import { readNetworkFunctions } from '../../layers/target/rules/network-name.ts';
import type { TargetPolicy } from '../../layers/target/rules/target.ts';
import * as z from 'zod/mini';
import {
  counting,
  type Environment,
  readBy,
  readEnvironment,
  shared,
  signing,
  texts,
  url,
} from '../wiring/environment.ts';
import { filesIn, httpPorts, signingKeysIn, awsClientOptions } from '../wiring/common-ports.ts';
import { eventsIn } from '../wiring/events.ts';
import { targetPolicy } from '../wiring/target-policy.ts';

export interface RouterOptions {
  /** Targets of the local run alone. Without it: public addresses over https, nothing else. */
  readonly targets?: TargetPolicy;
  readonly localOrigins?: readonly string[];
}

const variables = {
  ...shared,
  ...signing,
  ...counting,
  ...texts('OAUTH_TABLE', 'CREDENTIALS_FUNCTION', 'CONNECTIONS_FUNCTION'),
  NETWORK_FUNCTIONS: readBy(readNetworkFunctions),
  AWS_ENDPOINT_URL_LAMBDA: z.optional(url),
};

const readers = {
  limits: readLimits,
  protocolVersions: readProtocolVersions,
  serverCards: readSwitch,
  logLevel: readLogLevel,
} satisfies ReadersOf<'router'>;

export const wireRouter = (
  given: Environment,
  { targets = {}, localOrigins }: RouterOptions = {},
) => {
  const { environment, settings: said } = readEnvironment(variables, readers, given);
  const { logLevel, ...asked } = said;
  const policy = targetPolicy(targets, environment);
  const { clock, dynamo, log, random, timeLeft, place } = httpPorts(environment, logLevel);
  const settings = { ...asked, ...place, ...(localOrigins && { localOrigins }) };
  const { limits } = settings;
  const content = environment.DEPLOYMENT_CONTENT_TABLE;
  const contents = { content, deployments: environment.DEPLOYMENTS_TABLE };
  const files = filesIn(environment.DESCRIPTIONS_BUCKET, environment, timeLeft);
  const versionStore = { dynamo, TableName: content, files, clock };
  const documents = web({ policy, timeLeft });
  const functions = awsClientOptions(environment, timeLeft, environment.AWS_ENDPOINT_URL_LAMBDA);
  const instance = random.id();
  const broker = lambdaCredentialBroker(functions, environment.CREDENTIALS_FUNCTION, instance);
  const exchanges = {
    clock,
    timeLeft,
    timeoutSeconds: limits.target_timeout_seconds,
    maxBytes: limits.target_response_max_bytes,
  };
  const tokenBroker = lambdaTokenBroker(functions, environment.CONNECTIONS_FUNCTION, instance);
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
    toolIndexes: dynamoToolIndexes(versionStore),
    toolReports: dynamoToolReports(versionStore),
    searchIndexes: dynamoSearchIndexes(versionStore),
    resources: dynamoResources(dynamo, contents),
    prompts: dynamoPrompts(dynamo, contents),
    accessTokens: dynamoAccessTokens(dynamo, environment.OAUTH_TABLE),
    mintedTokens: dynamoMintedTokens(dynamo, environment.OAUTH_TABLE),
    notBefore: rememberedNotBefore(dynamo, environment.OAUTH_TABLE, clock),
    identityProviders: rememberedIdentityProviders(dynamo, environment.OAUTH_TABLE, clock),
    sessions: dynamoSessions(dynamo, environment.OAUTH_TABLE),
    signOuts: dynamoSignOuts(dynamo, environment.OAUTH_TABLE, clock),
    signingKeys,
    mintingKeys,
    jwtSignatures: joseSignatures(),
    issuerKeys: issuerKeys({ clock, web: documents }),
    credentials: cachedCredentials(broker, { clock, log }),
    connectedTokens: cachedTokens(tokenBroker, { clock, log }),
    usage: dynamoUsage(dynamo, environment.LIMITS_TABLE, limits),
    publicRequests: dynamoPublicRequests(
      dynamo,
      environment.LIMITS_TABLE,
      limits.public_requests_per_minute_per_ip,
    ),
    targetApi: inNetworks(
      targetApi({ policy, ...exchanges, readOnBytes: limits.kept_answer_max_bytes }),
      { functions: environment.NETWORK_FUNCTIONS, access: functions, ...exchanges },
    ),
    counters: dynamoCounters(dynamo, environment.LIMITS_TABLE, limits),
    goodTokens: goodTokens(),
    storedReplies: s3StoredReplies(filesIn(environment.ANSWERS_BUCKET, environment, timeLeft)),
    events: eventsIn(environment, { clock, dynamo, log, random }, limits.log_retention_days),
    callLog: stdoutCallLog(),
    recordingLog: stdoutRecordingLog(),
  };
};
