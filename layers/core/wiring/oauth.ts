import * as z from 'zod/mini';
import { dynamoAccessTokens } from '../adapters/dynamodb/access-tokens.ts';
import { dynamoAuthorizationRequests } from '../adapters/dynamodb/authorization-requests.ts';
import { dynamoClients } from '../adapters/dynamodb/clients.ts';
import { dynamoCodes } from '../adapters/dynamodb/codes.ts';
import { dynamoCounters } from '../adapters/dynamodb/counters.ts';
import { dynamoDeployments } from '../adapters/dynamodb/deployments.ts';
import { dynamoEvents } from '../adapters/dynamodb/events.ts';
import { dynamoGrants } from '../adapters/dynamodb/grants.ts';
import { dynamoLockouts } from '../adapters/dynamodb/lockouts.ts';
import { dynamoMailTokens } from '../adapters/dynamodb/mail-tokens.ts';
import { dynamoRefreshTokens } from '../adapters/dynamodb/refresh-tokens.ts';
import { dynamoSessions } from '../adapters/dynamodb/sessions.ts';
import { dynamoUsers } from '../adapters/dynamodb/users.ts';
import { joseSignatures } from '../adapters/jwt/jose-signatures.ts';
import { kmsSigner } from '../adapters/kms/signer.ts';
import { kmsSigningKeys } from '../adapters/kms/signing-keys.ts';
import { sesMailer } from '../adapters/mail/ses-mailer.ts';
import { scryptPasswords } from '../adapters/system/passwords.ts';
import { web } from '../adapters/target-api/web.ts';
import { readPrivateUseUris } from '../domain/oauth/private-use-uris.ts';
import type { TargetPolicy } from '../domain/target.ts';
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
import { at, foundation, keyService, us } from './foundation.ts';

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
  MAIL_FROM: text,
  ALLOWED_REDIRECT_URIS: readBy(readPrivateUseUris),
  ROOT_AUTHORIZATION_SERVER: z.optional(z.enum(['', 'true', 'false'])),
  AWS_ENDPOINT_URL_SESV2: z.optional(url),
};

/** All that the authorization server can touch. @throws Error that names what the environment lacks */
export const wireOAuth = (given: Environment, { targets = {} }: OAuthOptions = {}) => {
  const environment = readEnvironment(variables, given);
  const { clock, dynamo, log, mint, settings: basics } = foundation(environment);
  const settings: Settings = {
    ...basics,
    allowedRedirectUris: environment.ALLOWED_REDIRECT_URIS,
    rootAuthorizationServer: environment.ROOT_AUTHORIZATION_SERVER === 'true',
  };
  const { limits } = settings;
  const { USERS_TABLE: users, OAUTH_TABLE: oauth, SIGNING_KEY_ID: signingKey } = environment;
  const kms = keyService(environment);
  const signingKeys = kmsSigningKeys(kms, signingKey);
  return {
    clock,
    mint,
    log,
    settings,
    deployments: dynamoDeployments(dynamo, environment.DEPLOYMENTS_TABLE, clock),
    clients: dynamoClients(dynamo, oauth, clock),
    authorizationRequests: dynamoAuthorizationRequests(dynamo, oauth, mint),
    codes: dynamoCodes(dynamo, oauth),
    grants: dynamoGrants(dynamo, oauth, limits),
    accessTokens: dynamoAccessTokens(dynamo, oauth),
    refreshTokens: dynamoRefreshTokens(dynamo, oauth),
    sessions: dynamoSessions(dynamo, oauth),
    users: dynamoUsers(dynamo, users),
    mailTokens: dynamoMailTokens(dynamo, users, mint),
    lockouts: dynamoLockouts(dynamo, users),
    passwords: scryptPasswords(),
    mailer: sesMailer(
      { ...us(environment), ...at(environment.AWS_ENDPOINT_URL_SESV2) },
      environment.MAIL_FROM,
    ),
    signingKeys,
    signer: kmsSigner(kms, signingKey, signingKeys),
    jwtSignatures: joseSignatures(),
    counters: dynamoCounters(dynamo, environment.LIMITS_TABLE, limits),
    web: web({ policy: targets }),
    events: dynamoEvents(
      { clock, log, mint },
      dynamo,
      environment.SECURITY_EVENTS_TABLE,
      limits.log_retention_days,
    ),
  } satisfies Partial<Ports>;
};
