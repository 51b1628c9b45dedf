import * as z from 'zod/mini';
import { dynamoActivity } from '../adapters/dynamodb/activity/activity.ts';
import { dynamoCalls } from '../adapters/dynamodb/activity/calls.ts';
import { dynamoCounters } from '../adapters/dynamodb/limits/counters.ts';
import { dynamoDeploymentEditor } from '../adapters/dynamodb/deployments/deployment-editor.ts';
import { dynamoEvents } from '../adapters/dynamodb/activity/events.ts';
import { dynamoGrants } from '../adapters/dynamodb/oauth/grants.ts';
import { dynamoMintedTokens } from '../adapters/dynamodb/oauth/minted-tokens.ts';
import { dynamoNotBefore } from '../adapters/dynamodb/oauth/not-before.ts';
import { dynamoPrompts } from '../adapters/dynamodb/deployments/prompts.ts';
import { dynamoLeases } from '../adapters/dynamodb/limits/leases.ts';
import { dynamoIdempotencyRecords } from '../adapters/dynamodb/deployments/idempotency-records.ts';
import { dynamoResources } from '../adapters/dynamodb/deployments/resources.ts';
import { dynamoSessions } from '../adapters/dynamodb/oauth/sessions.ts';
import { dynamoRefreshes } from '../adapters/dynamodb/versions/refreshes.ts';
import { dynamoToolIndexes } from '../adapters/dynamodb/versions/tool-indexes.ts';
import { dynamoToolReports } from '../adapters/dynamodb/versions/tool-reports.ts';
import { dynamoPublicRequestBlocks } from '../adapters/dynamodb/limits/public-request-blocks.ts';
import { dynamoUsage } from '../adapters/dynamodb/limits/usage.ts';
import { dynamoUserList } from '../adapters/dynamodb/accounts/user-list.ts';
import { dynamoOperatorMarks } from '../adapters/dynamodb/accounts/operator-marks.ts';
import { dynamoUsers } from '../adapters/dynamodb/accounts/users.ts';
import { dynamoVersions } from '../adapters/dynamodb/versions/versions.ts';
import { joseSignatures } from '../adapters/jwt/jose-signatures.ts';
import { lambdaDescriptionFetches } from '../adapters/lambda/description-fetches.ts';
import { lambdaMailRequests } from '../adapters/lambda/mail-requests.ts';
import { lambdaToolTrials } from '../adapters/lambda/tool-trials.ts';
import { kmsSigner } from '../adapters/kms/signer.ts';
import { leakedPasswords } from '../adapters/system/common-passwords.ts';
import { scryptPasswords } from '../adapters/system/passwords.ts';
import { publicSuffixes } from '../adapters/system/public-suffixes.ts';
import { web } from '../adapters/target-api/web.ts';
import { readProtocolVersions } from '../domain/protocol-versions.ts';
import type { TargetPolicy } from '../domain/target/target.ts';
import type { Ports, Settings } from '../ports.ts';
import { credentialVault } from './credential-store.ts';
import {
  credentialStore,
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

export interface ManagementOptions {
  /** Where descriptions may be fetched from. Only the local run passes this. */
  readonly targets?: TargetPolicy;
}

const variables = {
  ...shared,
  ...signing,
  ...credentialStore,
  USERS_TABLE: text,
  OAUTH_TABLE: text,
  LIMITS_TABLE: text,
  SECURITY_EVENTS_TABLE: text,
  CALLS_TABLE: text,
  ROUTER_FUNCTION: text,
  MAILS_FUNCTION: text,
  PROTOCOL_VERSIONS: readBy(readProtocolVersions),
  AWS_ENDPOINT_URL_LAMBDA: z.optional(url),
};

/** All that management can touch. @throws Error that names what the environment lacks */
export const wireManagement = (given: Environment, { targets = {} }: ManagementOptions = {}) => {
  const environment = readEnvironment(variables, given);
  const policy = targetPolicy(targets, environment);
  const { clock, dynamo, log, random, timeLeft, settings: basics } = httpPorts(environment);
  const settings: Settings = { ...basics, protocolVersions: environment.PROTOCOL_VERSIONS };
  const { DEPLOYMENT_CONTENT_TABLE: content, OAUTH_TABLE: oauth } = environment;
  const contents = { content, deployments: environment.DEPLOYMENTS_TABLE };
  const { limits } = settings;
  const keys = signingKeysIn(environment, { clock, dynamo, timeLeft }, oauth);
  const files = filesIn(environment.DESCRIPTIONS_BUCKET, environment, timeLeft);
  return {
    clock,
    timeLeft,
    random,
    log,
    settings,
    deploymentEditor: dynamoDeploymentEditor(
      dynamo,
      { deployments: environment.DEPLOYMENTS_TABLE, content, users: environment.USERS_TABLE },
      files,
    ),
    versions: dynamoVersions(dynamo, content, files),
    refreshes: dynamoRefreshes(dynamo, content),
    toolIndexes: dynamoToolIndexes(dynamo, content, files, clock),
    toolReports: dynamoToolReports(dynamo, content, files, clock),
    resources: dynamoResources(dynamo, contents),
    prompts: dynamoPrompts(dynamo, contents),
    grants: dynamoGrants(dynamo, oauth, limits),
    mintedTokens: dynamoMintedTokens(dynamo, oauth),
    notBefore: dynamoNotBefore(dynamo, oauth),
    credentialVault: credentialVault(environment, { dynamo, random, timeLeft }),
    sessions: dynamoSessions(dynamo, oauth),
    operatorMarks: dynamoOperatorMarks(dynamo, environment.USERS_TABLE),
    users: dynamoUsers(dynamo, { users: environment.USERS_TABLE, oauth }, limits),
    userList: dynamoUserList(dynamo, environment.USERS_TABLE),
    passwords: scryptPasswords(),
    commonPasswords: leakedPasswords(),
    registrableDomains: publicSuffixes(),
    publicRequestBlocks: dynamoPublicRequestBlocks(dynamo, environment.LIMITS_TABLE),
    usage: dynamoUsage(dynamo, environment.LIMITS_TABLE, limits),
    counters: dynamoCounters(dynamo, environment.LIMITS_TABLE, limits),
    leases: dynamoLeases(dynamo, environment.LIMITS_TABLE, limits, random),
    activity: dynamoActivity(dynamo, environment.SECURITY_EVENTS_TABLE),
    calls: dynamoCalls(dynamo, environment.CALLS_TABLE),
    idempotencyRecords: dynamoIdempotencyRecords(dynamo, environment.LIMITS_TABLE),
    signingKeys: keys.signingKeys,
    signer: kmsSigner(keys.kms, keys.mintingKeys),
    jwtSignatures: joseSignatures(),
    events: dynamoEvents(
      { clock, log, random },
      dynamo,
      environment.SECURITY_EVENTS_TABLE,
      limits.log_retention_days,
    ),
    toolTrials: lambdaToolTrials(
      { ...awsClientOptions(environment, timeLeft), ...at(environment.AWS_ENDPOINT_URL_LAMBDA) },
      environment.ROUTER_FUNCTION,
    ),
    mailRequests: lambdaMailRequests(
      { ...awsClientOptions(environment, timeLeft), ...at(environment.AWS_ENDPOINT_URL_LAMBDA) },
      environment.MAILS_FUNCTION,
    ),
    descriptionFetches: lambdaDescriptionFetches(
      { ...awsClientOptions(environment, timeLeft), ...at(environment.AWS_ENDPOINT_URL_LAMBDA) },
      environment.ROUTER_FUNCTION,
      random,
    ),
    web: web({ policy, timeLeft }),
  } satisfies Partial<Ports>;
};
