import { readLimits } from '../../layers/limits/rules/limits.ts';
import type { ReadersOf } from '../../lib/stage/variables.ts';
import * as z from 'zod/mini';
import { dynamoAccessTokens } from '../../layers/tokens/store/access-tokens.ts';
import { dynamoAuthorizationRequests } from '../../layers/oauth/store/authorization-requests.ts';
import { dynamoClientAssertions } from '../../layers/oauth/store/client-assertions.ts';
import { dynamoUsedMachineTokens } from '../../layers/tokens/store/used-assertions.ts';
import { dynamoIdentityAssertions } from '../../layers/oauth/store/identity-assertions.ts';
import { dynamoClients } from '../../layers/oauth/store/clients.ts';
import {
  dynamoIdentityProviders,
  rememberedIdentityProviders,
} from '../../layers/identity/store/providers.ts';
import { companyStandings } from '../../layers/identity/steps/company-standing.ts';
import { lambdaChecker, lambdaRedeemer } from '../../layers/identity/store/redeemer.ts';
import { dynamoCompanySignIns } from '../../layers/identity/store/sign-ins.ts';
import { dynamoCommandLineCodes } from '../../layers/accounts/store/command-line-codes.ts';
import { dynamoConsoleLinks } from '../../layers/accounts/store/console-links.ts';
import { dynamoCodes } from '../../layers/oauth/store/codes.ts';
import { dynamoCounters } from '../../layers/limits/store/counters.ts';
import { dynamoDeployments } from '../../layers/deployments/store/deployments.ts';
import { dynamoGrants } from '../../layers/oauth/store/grants.ts';
import { dynamoKnownDevices } from '../../layers/accounts/store/known-devices.ts';
import { dynamoLockouts } from '../../layers/accounts/store/lockouts.ts';
import { dynamoMailTokens } from '../../layers/accounts/store/mail-tokens.ts';
import { dynamoNotBefore } from '../../layers/tokens/store/not-before.ts';
import { dynamoRefreshTokens } from '../../layers/oauth/store/grant-items.ts';
import { dynamoSessions } from '../../layers/accounts/store/sessions.ts';
import { dynamoOperatorMarks } from '../../layers/accounts/store/operator-marks.ts';
import { dynamoUserList } from '../../layers/accounts/store/user-list.ts';
import { dynamoUsers } from '../../layers/accounts/store/users.ts';
import { dynamoPersonalTokens } from '../../layers/accounts/store/personal-tokens.ts';
import { callerIdentities } from '../../layers/accounts/store/caller-identities.ts';
import { dynamoTransactions } from '../../layers/platform/dynamodb/transact.ts';
import { dynamoTrusts } from '../../layers/accounts/store/trusts.ts';
import { goodTokens } from '../../layers/tokens/store/good-tokens.ts';
import { issuerKeys } from '../../layers/tokens/store/issuer-keys.ts';
import { joseSignatures } from '../../layers/tokens/store/jose-signatures.ts';
import { kmsSigner } from '../../layers/tokens/store/signer.ts';
import { lambdaMailRequests } from '../../layers/accounts/store/mail-requests.ts';
import { leakedPasswords } from '../../layers/accounts/store/common-passwords.ts';
import { scryptPasswords } from '../../layers/accounts/store/passwords.ts';
import { web } from '../../layers/target/client/web.ts';
import { readPlan } from '../../layers/limits/rules/plan.ts';
import { publicSuffixes } from '../../layers/platform/system/public-suffixes.ts';
import { readSwitch } from '../../layers/platform/rules/switch.ts';
import { readSignUpPolicy } from '../../layers/accounts/rules/sign-up-policy.ts';
import { readClientDocumentHosts } from '../../layers/oauth/rules/clients/client-document-hosts.ts';
import { readPrivateUseUris } from '../../layers/oauth/rules/clients/private-use-uris.ts';
import type { TargetPolicy } from '../../layers/target/rules/target.ts';
import {
  basic,
  counting,
  type Environment,
  readEnvironment,
  signing,
  texts,
  url,
} from '../wiring/environment.ts';
import { awsClientOptions, httpPorts, signingKeysIn } from '../wiring/common-ports.ts';
import { eventsIn } from '../wiring/events.ts';
import { companies } from '../wiring/companies.ts';
import { targetPolicy } from '../wiring/target-policy.ts';

export interface OAuthOptions {
  /** Where client metadata documents may be fetched from; given by the local run alone. */
  readonly targets?: TargetPolicy;
}

const variables = {
  ...basic,
  ...signing,
  ...counting,
  ...texts(
    'USERS_TABLE',
    'OAUTH_TABLE',
    'DESCRIPTIONS_BUCKET',
    'ANSWERS_BUCKET',
    'MAILS_FUNCTION',
    'IDENTITY_FUNCTION',
  ),
  AWS_ENDPOINT_URL_LAMBDA: z.optional(url),
  AWS_ENDPOINT_URL_STS: z.optional(url),
};

const readers = {
  limits: readLimits,
  signUp: readSignUpPolicy,
  newAccountPlan: readPlan,
  allowedRedirectUris: readPrivateUseUris,
  rootAuthorizationServer: readSwitch,
  clientDocumentHosts: readClientDocumentHosts,
} satisfies ReadersOf<'oauth'>;

export const wireOAuth = (given: Environment, { targets = {} }: OAuthOptions = {}) => {
  const { environment, settings } = readEnvironment(variables, readers, given);
  const policy = targetPolicy(targets, environment);
  const { clock, dynamo, log, random, timeLeft, place } = httpPorts(environment);
  const { limits } = settings;
  const documents = web({ policy, timeLeft });
  const { USERS_TABLE: users, OAUTH_TABLE: oauth } = environment;
  const identityProviders = rememberedIdentityProviders(dynamo, oauth, clock);
  const functionsAt = awsClientOptions(environment, timeLeft, environment.AWS_ENDPOINT_URL_LAMBDA);
  const notBefore = dynamoNotBefore(dynamo, oauth);
  const knownUsers = dynamoUsers(dynamo, { users, oauth }, limits);
  const events = eventsIn(environment, { clock, dynamo, log, random }, limits.log_retention_days);
  const checker = lambdaChecker(functionsAt, environment.IDENTITY_FUNCTION);
  const { kms, register, signingKeys, mintingKeys } = signingKeysIn(
    environment,
    { clock, dynamo, timeLeft },
    oauth,
  );
  return {
    clock,
    timeLeft,
    random,
    log,
    settings: { ...settings, ...place },
    deployments: dynamoDeployments(dynamo, environment.DEPLOYMENTS_TABLE, clock),
    clients: dynamoClients(dynamo, oauth, clock),
    transactions: dynamoTransactions(dynamo),
    authorizationRequests: dynamoAuthorizationRequests(dynamo, oauth),
    codes: dynamoCodes(dynamo, oauth),
    grants: dynamoGrants(dynamo, oauth, limits),
    notBefore,
    notBeforeRegister: notBefore,
    accessTokens: dynamoAccessTokens(dynamo, oauth),
    refreshTokens: dynamoRefreshTokens(dynamo, oauth),
    sessions: dynamoSessions(dynamo, oauth),
    consoleLinks: dynamoConsoleLinks(dynamo, oauth, random),
    commandLineCodes: dynamoCommandLineCodes(dynamo, oauth, random),
    operatorMarks: dynamoOperatorMarks(dynamo, users),
    users: knownUsers,
    userList: dynamoUserList(dynamo, users),
    mailTokens: dynamoMailTokens(dynamo, users, random),
    lockouts: dynamoLockouts(dynamo, users),
    knownDevices: dynamoKnownDevices(dynamo, users),
    passwords: scryptPasswords(),
    commonPasswords: leakedPasswords(),
    mailRequests: lambdaMailRequests(functionsAt, environment.MAILS_FUNCTION),
    redeemer: lambdaRedeemer(functionsAt, environment.IDENTITY_FUNCTION),
    checker,
    standings: companyStandings({ checker, clock, events, identityProviders, users: knownUsers }),
    companySignIns: dynamoCompanySignIns(dynamo, oauth, random),
    registrableDomains: publicSuffixes(),
    signingKeys,
    mintingKeys,
    signingKeyRegister: register,
    signer: kmsSigner(kms, signingKeys),
    jwtSignatures: joseSignatures(),
    counters: dynamoCounters(dynamo, environment.LIMITS_TABLE, limits),
    goodTokens: goodTokens(),
    web: documents,
    issuerKeys: issuerKeys({ clock, web: documents }),
    clientAssertions: dynamoClientAssertions(dynamo, oauth, random),
    identityAssertions: dynamoIdentityAssertions(dynamo, oauth, random),
    ...companies(identityProviders, place.baseUrl),
    identityProviderRegister: dynamoIdentityProviders(dynamo, oauth),
    usedMachineTokens: dynamoUsedMachineTokens(oauth, random),
    personalTokens: dynamoPersonalTokens(dynamo, oauth),
    callerIdentities: callerIdentities(environment.AWS_REGION, environment.AWS_ENDPOINT_URL_STS),
    trusts: dynamoTrusts(dynamo, oauth),
    events,
  };
};
