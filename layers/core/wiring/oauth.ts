import * as z from 'zod/mini';
import { dynamoAccessTokens } from '../adapters/dynamodb/oauth/access-tokens.ts';
import { dynamoAuthorizationRequests } from '../adapters/dynamodb/oauth/authorization-requests.ts';
import { dynamoClientAssertions } from '../adapters/dynamodb/oauth/client-assertions.ts';
import { dynamoIdentityAssertions } from '../adapters/dynamodb/oauth/identity-assertions.ts';
import { dynamoClients } from '../adapters/dynamodb/oauth/clients.ts';
import { dynamoConsoleLinks } from '../adapters/dynamodb/oauth/console-links.ts';
import { dynamoCodes } from '../adapters/dynamodb/oauth/codes.ts';
import { dynamoCounters } from '../adapters/dynamodb/limits/counters.ts';
import { dynamoDeployments } from '../adapters/dynamodb/deployments/deployments.ts';
import { dynamoEvents } from '../adapters/dynamodb/activity/events.ts';
import { dynamoGrants } from '../adapters/dynamodb/oauth/grants.ts';
import { dynamoKnownDevices } from '../adapters/dynamodb/accounts/known-devices.ts';
import { dynamoLockouts } from '../adapters/dynamodb/accounts/lockouts.ts';
import { dynamoMailTokens } from '../adapters/dynamodb/accounts/mail-tokens.ts';
import { dynamoNotBefore } from '../adapters/dynamodb/oauth/not-before.ts';
import { dynamoRefreshTokens } from '../adapters/dynamodb/oauth/refresh-tokens.ts';
import { dynamoSessions } from '../adapters/dynamodb/oauth/sessions.ts';
import { dynamoOperatorMarks } from '../adapters/dynamodb/accounts/operator-marks.ts';
import { dynamoUsers } from '../adapters/dynamodb/accounts/users.ts';
import { issuerKeys } from '../adapters/jwt/issuer-keys.ts';
import { joseSignatures } from '../adapters/jwt/jose-signatures.ts';
import { kmsSigner } from '../adapters/kms/signer.ts';
import { lambdaMailRequests } from '../adapters/lambda/mail-requests.ts';
import { leakedPasswords } from '../adapters/system/common-passwords.ts';
import { scryptPasswords } from '../adapters/system/passwords.ts';
import { web } from '../adapters/target-api/web.ts';
import { PLANS } from '../domain/plan.ts';
import { readSignUpPolicy } from '../domain/accounts/sign-up-policy.ts';
import { readClientDocumentHosts } from '../domain/oauth/clients/client-document-hosts.ts';
import { readIdentityProviders } from '../domain/oauth/tokens/identity-providers.ts';
import { readPrivateUseUris } from '../domain/oauth/clients/private-use-uris.ts';
import type { TargetPolicy } from '../domain/target/target.ts';
import type { Ports, Settings } from '../ports.ts';
import {
  basic,
  type Environment,
  readBy,
  readEnvironment,
  signing,
  text,
  url,
} from './environment.ts';
import { at, httpPorts, signingKeysIn, awsClientOptions } from './common-ports.ts';
import { targetPolicy } from './target-policy.ts';

export type { InvocationContext } from '../adapters/system/time-left.ts';

export interface OAuthOptions {
  /** Where client metadata documents may be fetched from. Only the local run passes this. */
  readonly targets?: TargetPolicy;
}

const variables = {
  ...basic,
  ...signing,
  USERS_TABLE: text,
  OAUTH_TABLE: text,
  LIMITS_TABLE: text,
  SECURITY_EVENTS_TABLE: text,
  DESCRIPTIONS_BUCKET: text,
  ANSWERS_BUCKET: text,
  MAILS_FUNCTION: text,
  SIGN_UP: readBy(readSignUpPolicy),
  NEW_ACCOUNT_PLAN: z.optional(z.enum(PLANS)),
  ALLOWED_REDIRECT_URIS: readBy(readPrivateUseUris),
  ROOT_AUTHORIZATION_SERVER: z.optional(z.enum(['', 'true', 'false'])),
  IDENTITY_PROVIDERS: readBy(readIdentityProviders),
  CLIENT_DOCUMENT_HOSTS: readBy(readClientDocumentHosts),
  AWS_ENDPOINT_URL_LAMBDA: z.optional(url),
};

/** All that the authorization server can touch. @throws Error that names what the environment lacks */
export const wireOAuth = (given: Environment, { targets = {} }: OAuthOptions = {}) => {
  const environment = readEnvironment(variables, given);
  const policy = targetPolicy(targets, environment);
  const { clock, dynamo, log, random, timeLeft, settings: basics } = httpPorts(environment);
  const settings: Settings = {
    ...basics,
    allowedRedirectUris: environment.ALLOWED_REDIRECT_URIS,
    signUp: environment.SIGN_UP,
    newAccountPlan: environment.NEW_ACCOUNT_PLAN,
    identityProviders: environment.IDENTITY_PROVIDERS,
    clientDocumentHosts: environment.CLIENT_DOCUMENT_HOSTS,
    rootAuthorizationServer: environment.ROOT_AUTHORIZATION_SERVER === 'true',
  };
  const { limits } = settings;
  const documents = web({ policy, timeLeft });
  const { USERS_TABLE: users, OAUTH_TABLE: oauth } = environment;
  const notBefore = dynamoNotBefore(dynamo, oauth);
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
    settings,
    deployments: dynamoDeployments(dynamo, environment.DEPLOYMENTS_TABLE, clock),
    clients: dynamoClients(dynamo, oauth, clock),
    authorizationRequests: dynamoAuthorizationRequests(dynamo, oauth, random),
    codes: dynamoCodes(dynamo, oauth),
    grants: dynamoGrants(dynamo, oauth, limits),
    notBefore,
    notBeforeRegister: notBefore,
    accessTokens: dynamoAccessTokens(dynamo, oauth),
    refreshTokens: dynamoRefreshTokens(dynamo, oauth),
    sessions: dynamoSessions(dynamo, oauth),
    consoleLinks: dynamoConsoleLinks(dynamo, oauth, random),
    operatorMarks: dynamoOperatorMarks(dynamo, users),
    users: dynamoUsers(dynamo, { users, oauth }, limits),
    mailTokens: dynamoMailTokens(dynamo, users, random),
    lockouts: dynamoLockouts(dynamo, users),
    knownDevices: dynamoKnownDevices(dynamo, users),
    passwords: scryptPasswords(),
    commonPasswords: leakedPasswords(),
    mailRequests: lambdaMailRequests(
      { ...awsClientOptions(environment, timeLeft), ...at(environment.AWS_ENDPOINT_URL_LAMBDA) },
      environment.MAILS_FUNCTION,
    ),
    signingKeys,
    mintingKeys,
    signingKeyRegister: register,
    signer: kmsSigner(kms, signingKeys),
    jwtSignatures: joseSignatures(),
    counters: dynamoCounters(dynamo, environment.LIMITS_TABLE, limits),
    web: documents,
    issuerKeys: issuerKeys({ clock, web: documents }),
    clientAssertions: dynamoClientAssertions(dynamo, oauth, random),
    identityAssertions: dynamoIdentityAssertions(dynamo, oauth, random),
    events: dynamoEvents(
      { clock, log, random },
      dynamo,
      environment.SECURITY_EVENTS_TABLE,
      limits.log_retention_days,
    ),
  } satisfies Partial<Ports>;
};
