import * as z from 'zod/mini';
import { dynamoActivity } from '../adapters/dynamodb/activity.ts';
import { dynamoCounters } from '../adapters/dynamodb/counters.ts';
import { dynamoDeploymentEditor } from '../adapters/dynamodb/deployment-editor.ts';
import { dynamoEvents } from '../adapters/dynamodb/events.ts';
import { dynamoGrants } from '../adapters/dynamodb/grants.ts';
import { dynamoMintedTokens } from '../adapters/dynamodb/minted-tokens.ts';
import { dynamoPrompts } from '../adapters/dynamodb/prompts.ts';
import { dynamoOwnedSlugs } from '../adapters/dynamodb/owned-slugs.ts';
import { dynamoPublicRequests } from '../adapters/dynamodb/public-requests.ts';
import { dynamoRemovals } from '../adapters/dynamodb/removals.ts';
import { dynamoRepeatables } from '../adapters/dynamodb/repeatables.ts';
import { dynamoResources } from '../adapters/dynamodb/resources.ts';
import { dynamoSessions } from '../adapters/dynamodb/sessions.ts';
import { dynamoToolIndexes } from '../adapters/dynamodb/tool-indexes.ts';
import { dynamoToolReports } from '../adapters/dynamodb/tool-reports.ts';
import { dynamoUsage } from '../adapters/dynamodb/usage.ts';
import { dynamoUsers } from '../adapters/dynamodb/users.ts';
import { dynamoVersions } from '../adapters/dynamodb/versions.ts';
import { joseSignatures } from '../adapters/jwt/jose-signatures.ts';
import { lambdaToolTrials } from '../adapters/lambda/tool-trials.ts';
import { kmsSigner } from '../adapters/kms/signer.ts';
import { kmsSigningKeys } from '../adapters/kms/signing-keys.ts';
import { web } from '../adapters/target-api/web.ts';
import type { TargetPolicy } from '../domain/target.ts';
import type { Ports } from '../ports.ts';
import { credentialVault } from './credential-store.ts';
import {
  credentialStore,
  type Environment,
  readEnvironment,
  shared,
  signing,
  text,
  url,
} from './environment.ts';
import { at, descriptionFiles, foundation, keyService, us } from './foundation.ts';

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
  ROUTER_FUNCTION: text,
  AWS_ENDPOINT_URL_LAMBDA: z.optional(url),
};

/** All that management can touch. @throws Error that names what the environment lacks */
export const wireManagement = (given: Environment, { targets = {} }: ManagementOptions = {}) => {
  const environment = readEnvironment(variables, given);
  const { clock, dynamo, log, mint, settings } = foundation(environment);
  const { DEPLOYMENT_CONTENT_TABLE: content, SIGNING_KEY_ID: signingKey } = environment;
  const { limits } = settings;
  const kms = keyService(environment);
  const signingKeys = kmsSigningKeys(kms, signingKey);
  const files = descriptionFiles(environment);
  return {
    clock,
    mint,
    log,
    settings,
    deploymentEditor: dynamoDeploymentEditor(dynamo, environment.DEPLOYMENTS_TABLE),
    ownedSlugs: dynamoOwnedSlugs(dynamo, environment.DEPLOYMENTS_TABLE),
    removals: dynamoRemovals(dynamo, environment.DEPLOYMENTS_TABLE),
    versions: dynamoVersions(dynamo, content, files),
    toolIndexes: dynamoToolIndexes(dynamo, content, files, clock),
    toolReports: dynamoToolReports(dynamo, content, files, clock),
    resources: dynamoResources(dynamo, content),
    prompts: dynamoPrompts(dynamo, content),
    grants: dynamoGrants(dynamo, environment.OAUTH_TABLE, limits),
    mintedTokens: dynamoMintedTokens(dynamo, environment.OAUTH_TABLE),
    credentialVault: credentialVault(environment, dynamo, mint),
    sessions: dynamoSessions(dynamo, environment.OAUTH_TABLE),
    users: dynamoUsers(dynamo, environment.USERS_TABLE),
    usage: dynamoUsage(dynamo, environment.LIMITS_TABLE, limits),
    counters: dynamoCounters(dynamo, environment.LIMITS_TABLE, limits),
    publicRequests: dynamoPublicRequests(
      dynamo,
      environment.LIMITS_TABLE,
      limits.public_requests_per_minute_per_ip,
    ),
    activity: dynamoActivity(dynamo, environment.SECURITY_EVENTS_TABLE),
    repeatables: dynamoRepeatables(dynamo, environment.LIMITS_TABLE),
    signingKeys,
    signer: kmsSigner(kms, signingKey, signingKeys),
    jwtSignatures: joseSignatures(),
    events: dynamoEvents(
      { clock, log, mint },
      dynamo,
      environment.SECURITY_EVENTS_TABLE,
      limits.log_retention_days,
    ),
    toolTrials: lambdaToolTrials(
      { ...us(environment), ...at(environment.AWS_ENDPOINT_URL_LAMBDA) },
      environment.ROUTER_FUNCTION,
    ),
    web: web({ policy: targets }),
  } satisfies Partial<Ports>;
};
