import { readLimits } from '../../layers/limits/rules/limits.ts';
import type { ReadersOf } from '../../lib/stage/variables.ts';
import * as z from 'zod/mini';
import { dynamoUndeliverables } from '../../layers/accounts/store/undeliverables.ts';
import { dynamoCredentialMarks } from '../../layers/credentials/store/credential-marks.ts';
import { dynamoWatchedDeployments } from '../../layers/maintenance/store/watched-deployments.ts';
import { dynamoUnfinishedRemovals } from '../../layers/deployments/store/removals.ts';
import { dynamoStoredRows } from '../../layers/maintenance/store/stored-rows.ts';
import { dynamoSweepProgress } from '../../layers/maintenance/store/sweep-progress.ts';
import { dynamoPublicRequestBlocks } from '../../layers/limits/store/public-request-blocks.ts';
import { dynamoIdentityProviders } from '../../layers/identity/store/providers.ts';
import { dynamoGrants } from '../../layers/oauth/store/grants.ts';
import { dynamoMintedTokens } from '../../layers/tokens/store/minted-tokens.ts';
import { dynamoPersons } from '../../layers/maintenance/store/persons.ts';
import { dynamoStoredTables } from '../../layers/platform/dynamodb/missing-tables.ts';
import { dynamoInventories } from '../../layers/maintenance/store/inventories.ts';
import { dynamoRecordingKeys } from '../../layers/activity/store/recording-keys.ts';
import { dynamoVersions } from '../../layers/deployments/store/versions/versions.ts';
import { lambdaCareRequests } from '../../layers/servers/store/care-requests.ts';
import { lambdaMailEvents } from '../../layers/accounts/store/mail-requests.ts';
import { sqsFailedWork } from '../../layers/platform/sqs/failed-work.ts';
import {
  credentialVault,
  credentialVersions,
  formerCredentials,
  storeReaders,
} from '../wiring/credential-store.ts';
import {
  bare,
  counting,
  credentialStore,
  type Environment,
  readEnvironment,
  texts,
  url,
} from '../wiring/environment.ts';
import { awsClientOptions, commonPorts, filesIn } from '../wiring/common-ports.ts';
import { eventsIn } from '../wiring/events.ts';

const variables = {
  ...bare,
  ...credentialStore,
  ...counting,
  ...texts('DEPLOYMENTS_TABLE', 'DEPLOYMENT_CONTENT_TABLE', 'USERS_TABLE', 'OAUTH_TABLE'),
  ...texts('CALLS_TABLE', 'DESCRIPTIONS_BUCKET', 'MAILS_FUNCTION', 'MANAGEMENT_FUNCTION'),
  UNSENT_MAILS_QUEUE: url,
  UNSTORED_CALLS_QUEUE: url,
  UNSTORABLE_CALLS_QUEUE: url,
  UNDELIVERED_COMMANDS_QUEUE: url,
  AWS_ENDPOINT_URL_LAMBDA: z.optional(url),
  AWS_ENDPOINT_URL_SQS: z.optional(url),
  AWS_ENDPOINT_URL_S3: z.optional(url),
};

const readers = { limits: readLimits, ...storeReaders } satisfies ReadersOf<'maintenance'>;

export const wireMaintenance = (given: Environment) => {
  const { environment, settings } = readEnvironment(variables, readers, given);
  const { clock, dynamo, log, random, timeLeft } = commonPorts(environment);
  const { DEPLOYMENTS_TABLE: deployments, OAUTH_TABLE: oauth } = environment;
  const { limits, credentialStore: store, credentialStoreFormer: former } = settings;
  const stores = { ...environment, ...settings };
  const files = filesIn(environment.DESCRIPTIONS_BUCKET, environment, timeLeft);
  return {
    clock,
    random,
    log,
    timeLeft,
    unfinishedRemovals: dynamoUnfinishedRemovals(dynamo, deployments),
    sweepProgress: dynamoSweepProgress(dynamo, deployments),
    recordingKeys: dynamoRecordingKeys(dynamo, environment.LIMITS_TABLE),
    versions: dynamoVersions(dynamo, environment.DEPLOYMENT_CONTENT_TABLE, files),
    grants: dynamoGrants(dynamo, oauth, limits),
    mintedTokens: dynamoMintedTokens(dynamo, oauth),
    identityProviderRegister: dynamoIdentityProviders(dynamo, oauth),
    storedTables: dynamoStoredTables(dynamo, {
      deployments,
      content: environment.DEPLOYMENT_CONTENT_TABLE,
      users: environment.USERS_TABLE,
      oauth,
      limits: environment.LIMITS_TABLE,
      ...((store === 'envelope' || former === 'envelope') && {
        credentials: environment.CREDENTIALS_TABLE,
      }),
    }),
    storedRows: dynamoStoredRows(dynamo, deployments),
    inventories: dynamoInventories(dynamo, environment.DEPLOYMENT_CONTENT_TABLE, files),
    credentialVersions: credentialVersions(stores, { dynamo, timeLeft }),
    formerCredentials: formerCredentials(stores, { dynamo, random, timeLeft }),
    credentialVault: credentialVault(stores, { dynamo, random, timeLeft }),
    persons: dynamoPersons(dynamo, {
      limits: environment.LIMITS_TABLE,
      events: environment.SECURITY_EVENTS_TABLE,
      calls: environment.CALLS_TABLE,
      deployments,
      users: environment.USERS_TABLE,
      oauth,
    }),
    undeliverables: dynamoUndeliverables(dynamo, environment.USERS_TABLE),
    failedWork: sqsFailedWork(
      awsClientOptions(environment, timeLeft, environment.AWS_ENDPOINT_URL_SQS),
      {
        failed: {
          'unsent-mails': environment.UNSENT_MAILS_QUEUE,
          'unstorable-calls': environment.UNSTORABLE_CALLS_QUEUE,
          'undelivered-commands': environment.UNDELIVERED_COMMANDS_QUEUE,
        },
        unstoredCalls: environment.UNSTORED_CALLS_QUEUE,
      },
    ),
    mailEvents: lambdaMailEvents(
      awsClientOptions(environment, timeLeft, environment.AWS_ENDPOINT_URL_LAMBDA),
      environment.MAILS_FUNCTION,
    ),
    credentialMarks: dynamoCredentialMarks(dynamo, environment.CALLS_TABLE),
    watchedDeployments: dynamoWatchedDeployments(dynamo, deployments),
    careRequests: lambdaCareRequests(
      awsClientOptions(environment, timeLeft, environment.AWS_ENDPOINT_URL_LAMBDA),
      environment.MANAGEMENT_FUNCTION,
    ),
    publicRequestBlocks: dynamoPublicRequestBlocks(dynamo, environment.LIMITS_TABLE),
    events: eventsIn(environment, { clock, dynamo, log, random }, limits.log_retention_days),
  };
};
