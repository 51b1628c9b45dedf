import { kmsDataKeys } from '../../layers/credentials/store/data-keys.ts';
import { dynamoKeptPersons } from '../../layers/identity/store/kept-persons.ts';
import { dynamoProviderSecrets } from '../../layers/identity/store/provider-secrets.ts';
import {
  dynamoIdentityProviders,
  rememberedIdentityProviders,
} from '../../layers/identity/store/providers.ts';
import { readLimits } from '../../layers/limits/rules/limits.ts';
import { systemPause } from '../../layers/platform/system/clock.ts';
import { guardedFetch } from '../../layers/target/client/guarded-fetch.ts';
import { web } from '../../layers/target/client/web.ts';
import type { TargetPolicy } from '../../layers/target/rules/target.ts';
import { issuerKeys } from '../../layers/tokens/store/issuer-keys.ts';
import { joseSignatures } from '../../layers/tokens/store/jose-signatures.ts';
import type { ReadersOf } from '../../lib/stage/variables.ts';
import { commonPorts, keyService } from '../wiring/common-ports.ts';
import { eventsIn } from '../wiring/events.ts';
import {
  bare,
  basic,
  credentialStore,
  type Environment,
  readEnvironment,
  texts,
} from '../wiring/environment.ts';
import { targetPolicy } from '../wiring/target-policy.ts';

export interface IdentityOptions {
  /** Targets of the local run alone. Without it: public addresses over https, nothing else. */
  readonly targets?: TargetPolicy;
}

const variables = {
  ...bare,
  ...texts(
    'OAUTH_TABLE',
    'CONNECTIONS_TABLE',
    'SECURITY_EVENTS_TABLE',
    'CREDENTIALS_KEY_ID',
    'DESCRIPTIONS_BUCKET',
    'ANSWERS_BUCKET',
  ),
  AWS_ENDPOINT_URL_KMS: credentialStore.AWS_ENDPOINT_URL_KMS,
  BASE_URL: basic.BASE_URL,
};

const readers = { limits: readLimits } satisfies ReadersOf<'identity'>;

/** This function knows our secrets at identity providers, and what those gave for people. */
export const wireIdentity = (given: Environment, { targets = {} }: IdentityOptions = {}) => {
  const { environment, settings } = readEnvironment(variables, readers, given);
  const { clock, dynamo, log, random, timeLeft } = commonPorts(environment);
  const { OAUTH_TABLE: oauth, CREDENTIALS_KEY_ID: keyId } = environment;
  const policy = targetPolicy(targets, environment);
  const documents = web({ policy, timeLeft });
  const keys = kmsDataKeys(keyService(environment, timeLeft), keyId);
  return {
    clock,
    timeLeft,
    log,
    random,
    pause: systemPause(),
    settings: { baseUrl: environment.BASE_URL },
    identityProviders: rememberedIdentityProviders(dynamo, oauth, clock),
    identityProviderRegister: dynamoIdentityProviders(dynamo, oauth),
    providerSecrets: dynamoProviderSecrets(dynamo, oauth, keys, random),
    keptPersons: dynamoKeptPersons(dynamo, environment.CONNECTIONS_TABLE, keys, random),
    providerFetch: guardedFetch({ policy, timeLeft }),
    web: documents,
    issuerKeys: issuerKeys({ clock, web: documents }),
    jwtSignatures: joseSignatures(),
    events: eventsIn(
      environment,
      { clock, dynamo, log, random },
      settings.limits.log_retention_days,
    ),
  };
};
