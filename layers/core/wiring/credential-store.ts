import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { envelopeVersions } from '../adapters/credentials/envelope-versions.ts';
import { envelopeReader, envelopeVault } from '../adapters/credentials/envelopes.ts';
import { kmsDataKeys } from '../adapters/kms/data-keys.ts';
import { secretsClient } from '../adapters/secrets/client.ts';
import { secretsManagerReader } from '../adapters/secrets/reader.ts';
import { secretsManagerVault } from '../adapters/secrets/vault.ts';
import { secretsManagerVersions } from '../adapters/secrets/versions.ts';
import type {
  CredentialReader,
  CredentialVault,
  CredentialVersions,
  Random,
  TimeLeft,
} from '../ports.ts';
import type { bare, credentialStore } from './environment.ts';
import { at, type Given, keyService, awsClientOptions } from './common-ports.ts';

type StoreEnvironment = Given<typeof bare & typeof credentialStore>;

interface Ground {
  readonly dynamo: DynamoDBDocumentClient;
  readonly timeLeft: TimeLeft;
}

/** For the functions that write and remove credentials. */
export const credentialVault = (
  environment: StoreEnvironment,
  { dynamo, random, timeLeft }: Ground & { readonly random: Random },
): CredentialVault => {
  const { CREDENTIAL_STORE, CREDENTIAL_PREFIX, CREDENTIALS_TABLE } = environment;
  const { CREDENTIALS_KEY_ID: keyId } = environment;
  return CREDENTIAL_STORE === 'envelope'
    ? envelopeVault(dynamo, CREDENTIALS_TABLE, dataKeys(environment, timeLeft), random)
    : secretsManagerVault(secrets(environment, timeLeft), { prefix: CREDENTIAL_PREFIX, keyId });
};

/** For the function that reads them. */
export const credentialReader = (
  environment: StoreEnvironment,
  { dynamo, timeLeft }: Ground,
): CredentialReader => {
  const { CREDENTIAL_STORE, CREDENTIAL_PREFIX: prefix, CREDENTIALS_TABLE } = environment;
  return CREDENTIAL_STORE === 'envelope'
    ? envelopeReader(dynamo, CREDENTIALS_TABLE, dataKeys(environment, timeLeft))
    : secretsManagerReader(secrets(environment, timeLeft), { prefix });
};

/** For the function that compares what is stored. */
export const credentialVersions = (
  environment: StoreEnvironment,
  { dynamo, timeLeft }: Ground,
): CredentialVersions => {
  const { CREDENTIAL_STORE, CREDENTIAL_PREFIX: prefix, CREDENTIALS_TABLE } = environment;
  return CREDENTIAL_STORE === 'envelope'
    ? envelopeVersions(dynamo, CREDENTIALS_TABLE)
    : secretsManagerVersions(secrets(environment, timeLeft), { prefix });
};

const secrets = (environment: StoreEnvironment, timeLeft: TimeLeft) =>
  secretsClient({
    ...awsClientOptions(environment, timeLeft),
    ...at(environment.AWS_ENDPOINT_URL_SECRETS_MANAGER),
  });

const dataKeys = (environment: StoreEnvironment, timeLeft: TimeLeft) =>
  kmsDataKeys(keyService(environment, timeLeft), environment.CREDENTIALS_KEY_ID);
