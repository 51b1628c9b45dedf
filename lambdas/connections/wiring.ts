import { readLimits } from '../../layers/limits/rules/limits.ts';
import type { ReadersOf } from '../../lib/stage/variables.ts';
import * as z from 'zod/mini';
import { readAssumableRoles } from '../../layers/credentials/rules/aws-role.ts';
import { dynamoCounters } from '../../layers/limits/store/counters.ts';
import { kmsDataKeys } from '../../layers/credentials/store/data-keys.ts';
import { dynamoTokens } from '../../layers/connections/store/tokens.ts';
import { tokenSources } from '../../layers/connections/store/token-sources.ts';
import { dynamoSignOuts } from '../../layers/accounts/store/sign-outs.ts';
import { dynamoAccessTokens } from '../../layers/tokens/store/access-tokens.ts';
import { rememberedNotBefore } from '../../layers/tokens/store/not-before.ts';
import { systemPause } from '../../layers/platform/system/clock.ts';
import { guardedFetch } from '../../layers/target/client/guarded-fetch.ts';
import { web } from '../../layers/target/client/web.ts';
import type { TargetPolicy } from '../../layers/target/rules/target.ts';
import { credentialReader, storeReaders } from '../wiring/credential-store.ts';
import {
  bare,
  basic,
  counting,
  credentialStore,
  type Environment,
  readEnvironment,
  text,
  texts,
} from '../wiring/environment.ts';
import { awsClientOptions, commonPorts, keyService } from '../wiring/common-ports.ts';
import { eventsIn } from '../wiring/events.ts';
import { targetPolicy } from '../wiring/target-policy.ts';

export interface ConnectionsOptions {
  /** Targets of the local run alone. Without it: public addresses over https, nothing else. */
  readonly targets?: TargetPolicy;
}

const variables = {
  ...bare,
  ...credentialStore,
  ...counting,
  ...texts('DESCRIPTIONS_BUCKET', 'ANSWERS_BUCKET', 'CONNECTIONS_TABLE', 'OAUTH_TABLE'),
  BASE_URL: basic.BASE_URL,
  AWS_ENDPOINT_URL_STS: z.optional(text),
};

const readers = {
  limits: readLimits,
  assumableRoles: readAssumableRoles,
  ...storeReaders,
} satisfies ReadersOf<'connections'>;

export const wireConnections = (given: Environment, { targets = {} }: ConnectionsOptions = {}) => {
  const { environment, settings } = readEnvironment(variables, readers, given);
  const { clock, dynamo, log, random, timeLeft } = commonPorts(environment);
  const { CREDENTIALS_KEY_ID: keyId } = environment;
  const { limits, assumableRoles } = settings;
  const policy = targetPolicy(targets, environment);
  return {
    clock,
    timeLeft,
    log,
    random,
    pause: systemPause(),
    accessTokens: dynamoAccessTokens(dynamo, environment.OAUTH_TABLE),
    notBefore: rememberedNotBefore(dynamo, environment.OAUTH_TABLE, clock),
    signOuts: dynamoSignOuts(dynamo, environment.OAUTH_TABLE, clock),
    counters: dynamoCounters(dynamo, environment.LIMITS_TABLE, limits),
    credentialReader: credentialReader({ ...environment, ...settings }, { dynamo, timeLeft }),
    tokens: dynamoTokens(
      dynamo,
      environment.CONNECTIONS_TABLE,
      kmsDataKeys(keyService(environment, timeLeft), keyId),
      random,
    ),
    tokenSources: tokenSources({
      clock,
      fetch: guardedFetch({ policy, timeLeft }),
      web: web({ policy, timeLeft }),
      roles: assumableRoles,
      sts: awsClientOptions(environment, timeLeft, environment.AWS_ENDPOINT_URL_STS),
    }),
    events: eventsIn(environment, { clock, dynamo, log, random }, limits.log_retention_days),
  };
};
