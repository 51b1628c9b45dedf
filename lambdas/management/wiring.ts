import { readLimits } from '../../layers/limits/rules/limits.ts';
import type { ReadersOf } from '../../lib/stage/variables.ts';
import { readAssumableRoles } from '../../layers/credentials/rules/aws-role.ts';
import * as z from 'zod/mini';
import { dynamoActivity } from '../../layers/activity/store/activity.ts';
import { dynamoCalls } from '../../layers/activity/store/calls.ts';
import { dynamoCounters } from '../../layers/limits/store/counters.ts';
import { dynamoDeploymentEditor } from '../../layers/deployments/store/deployment-editor.ts';
import { dynamoGrants } from '../../layers/oauth/store/grants.ts';
import { dynamoMintedTokens } from '../../layers/tokens/store/minted-tokens.ts';
import { dynamoNotBefore } from '../../layers/tokens/store/not-before.ts';
import { dynamoPrompts } from '../../layers/contents/store/prompts.ts';
import { dynamoLeases } from '../../layers/limits/store/leases.ts';
import { dynamoIdempotencyRecords } from '../../layers/api/store/idempotency-records.ts';
import { dynamoResources } from '../../layers/contents/store/resources.ts';
import { dynamoPersonalTokens } from '../../layers/accounts/store/personal-tokens.ts';
import { dynamoTrusts } from '../../layers/accounts/store/trusts.ts';
import { dynamoSessions } from '../../layers/accounts/store/sessions.ts';
import { dynamoCases } from '../../layers/servers/store/cases.ts';
import { dynamoInvitations } from '../../layers/deployments/store/invitations.ts';
import { readSignUpPolicy } from '../../layers/accounts/rules/sign-up-policy.ts';
import { heldDescriptions } from '../../layers/servers/store/held-descriptions.ts';
import { dynamoRefreshes } from '../../layers/deployments/store/versions/refreshes.ts';
import { dynamoSearchIndexes } from '../../layers/deployments/store/versions/search-indexes.ts';
import { dynamoToolIndexes } from '../../layers/deployments/store/versions/tool-indexes.ts';
import { dynamoToolReports } from '../../layers/deployments/store/versions/tool-reports.ts';
import { dynamoPublicRequestBlocks } from '../../layers/limits/store/public-request-blocks.ts';
import { dynamoUsage } from '../../layers/limits/store/usage.ts';
import { dynamoUserList } from '../../layers/accounts/store/user-list.ts';
import { dynamoOperatorMarks } from '../../layers/accounts/store/operator-marks.ts';
import { dynamoUsers } from '../../layers/accounts/store/users.ts';
import { rememberedIdentityProviders } from '../../layers/identity/store/providers.ts';
import { lambdaChecker } from '../../layers/identity/store/redeemer.ts';
import { companyStandings } from '../../layers/identity/steps/company-standing.ts';
import { dynamoVersions } from '../../layers/deployments/store/versions/versions.ts';
import { joseSignatures } from '../../layers/tokens/store/jose-signatures.ts';
import {
  lambdaCredentialTrials,
  lambdaDescriptionFetches,
  lambdaToolTrials,
} from '../../layers/servers/store/function-requests.ts';
import { lambdaMailRequests } from '../../layers/accounts/store/mail-requests.ts';
import { dynamoRecordedCalls } from '../../layers/activity/store/recorded-calls.ts';
import { dynamoRecordingKeys } from '../../layers/activity/store/recording-keys.ts';
import { kmsSigner } from '../../layers/tokens/store/signer.ts';
import { leakedPasswords } from '../../layers/accounts/store/common-passwords.ts';
import { scryptPasswords } from '../../layers/accounts/store/passwords.ts';
import { publicSuffixes } from '../../layers/platform/system/public-suffixes.ts';
import { tokenEndpoints } from '../../layers/connections/store/token-endpoints.ts';
import { web } from '../../layers/target/client/web.ts';
import { readProtocolVersions } from '../../layers/platform/rules/protocol-versions.ts';
import { readOfferedNetworks } from '../../layers/target/rules/network.ts';
import type { TargetPolicy } from '../../layers/target/rules/target.ts';
import { credentialVault, storeReaders } from '../wiring/credential-store.ts';
import {
  counting,
  credentialStore,
  type Environment,
  readEnvironment,
  shared,
  signing,
  texts,
  url,
} from '../wiring/environment.ts';
import { filesIn, httpPorts, signingKeysIn, awsClientOptions } from '../wiring/common-ports.ts';
import { eventsIn } from '../wiring/events.ts';
import { targetPolicy } from '../wiring/target-policy.ts';

export interface ManagementOptions {
  /** Where descriptions may be fetched from; given by the local run alone. */
  readonly targets?: TargetPolicy;
}

const variables = {
  ...shared,
  ...signing,
  ...credentialStore,
  ...counting,
  ...texts('USERS_TABLE', 'OAUTH_TABLE', 'CALLS_TABLE', 'RECORDED_CALLS_TABLE'),
  ...texts('ROUTER_FUNCTION', 'MAILS_FUNCTION', 'IDENTITY_FUNCTION', 'CONNECTIONS_ROLE'),
  AWS_ENDPOINT_URL_LAMBDA: z.optional(url),
};

const readers = {
  limits: readLimits,
  signUp: readSignUpPolicy,
  protocolVersions: readProtocolVersions,
  assumableRoles: readAssumableRoles,
  networks: readOfferedNetworks,
  ...storeReaders,
} satisfies ReadersOf<'management'>;

export const wireManagement = (given: Environment, { targets = {} }: ManagementOptions = {}) => {
  const { environment, settings } = readEnvironment(variables, readers, given);
  const policy = targetPolicy(targets, environment);
  const { clock, dynamo, log, random, timeLeft, place } = httpPorts(environment);
  const documents = web({ policy, timeLeft });
  const { CONNECTIONS_ROLE: connectionsRole } = environment;
  const { credentialStore, credentialStoreFormer, ...asked } = settings;
  const stores = { credentialStore, credentialStoreFormer };
  const { DEPLOYMENT_CONTENT_TABLE: content, OAUTH_TABLE: oauth } = environment;
  const contents = { content, deployments: environment.DEPLOYMENTS_TABLE };
  const { limits } = settings;
  const keys = signingKeysIn(environment, { clock, dynamo, timeLeft }, oauth);
  const files = filesIn(environment.DESCRIPTIONS_BUCKET, environment, timeLeft);
  const versionStore = { dynamo, TableName: content, files, clock };
  const functionsAt = awsClientOptions(environment, timeLeft, environment.AWS_ENDPOINT_URL_LAMBDA);
  const users = dynamoUsers(dynamo, { users: environment.USERS_TABLE, oauth }, limits);
  const events = eventsIn(environment, { clock, dynamo, log, random }, limits.log_retention_days);
  const identityProviders = rememberedIdentityProviders(dynamo, oauth, clock);
  const checker = lambdaChecker(functionsAt, environment.IDENTITY_FUNCTION);
  return {
    clock,
    timeLeft,
    random,
    log,
    settings: {
      ...asked,
      ...place,
      connectionsRole,
      reachesLoopback: targets.loopback !== undefined,
    },
    identityProviders,
    invitations: dynamoInvitations(dynamo, environment.DEPLOYMENTS_TABLE),
    deploymentEditor: dynamoDeploymentEditor(
      dynamo,
      { deployments: environment.DEPLOYMENTS_TABLE, content, users: environment.USERS_TABLE },
      files,
    ),
    versions: dynamoVersions(dynamo, content, files),
    cases: dynamoCases(dynamo, content),
    refreshes: dynamoRefreshes(dynamo, content),
    toolIndexes: dynamoToolIndexes(versionStore),
    searchIndexes: dynamoSearchIndexes(versionStore),
    toolReports: dynamoToolReports(versionStore),
    resources: dynamoResources(dynamo, contents),
    prompts: dynamoPrompts(dynamo, contents),
    grants: dynamoGrants(dynamo, oauth, limits),
    mintedTokens: dynamoMintedTokens(dynamo, oauth),
    notBefore: dynamoNotBefore(dynamo, oauth),
    credentialVault: credentialVault({ ...environment, ...stores }, { dynamo, random, timeLeft }),
    personalTokens: dynamoPersonalTokens(dynamo, oauth),
    trusts: dynamoTrusts(dynamo, oauth),
    sessions: dynamoSessions(dynamo, oauth),
    operatorMarks: dynamoOperatorMarks(dynamo, environment.USERS_TABLE),
    users,
    checker,
    standings: companyStandings({
      checker,
      clock,
      events,
      identityProviders,
      users,
    }),
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
    recordedCalls: dynamoRecordedCalls(dynamo, environment.RECORDED_CALLS_TABLE),
    recordingKeys: dynamoRecordingKeys(dynamo, environment.LIMITS_TABLE),
    idempotencyRecords: dynamoIdempotencyRecords(dynamo, environment.LIMITS_TABLE),
    signingKeys: keys.signingKeys,
    signer: kmsSigner(keys.kms, keys.mintingKeys),
    jwtSignatures: joseSignatures(),
    events,
    toolTrials: lambdaToolTrials(functionsAt, environment.ROUTER_FUNCTION),
    credentialTrials: lambdaCredentialTrials(functionsAt, environment.ROUTER_FUNCTION),
    mailRequests: lambdaMailRequests(functionsAt, environment.MAILS_FUNCTION),
    descriptionFetches: lambdaDescriptionFetches(functionsAt, environment.ROUTER_FUNCTION, random),
    heldDescriptions: heldDescriptions(clock),
    web: documents,
    tokenEndpoints: tokenEndpoints({ clock, web: documents }),
  };
};
