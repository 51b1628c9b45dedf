import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { envelopeVersions } from '../../layers/credentials/store/envelope-versions.ts';
import { envelopeReader, envelopeVault } from '../../layers/credentials/store/envelopes.ts';
import { kmsDataKeys } from '../../layers/credentials/store/data-keys.ts';
import { secretsClient } from '../../layers/credentials/store/secrets-client.ts';
import { secretsManagerReader } from '../../layers/credentials/store/secrets-reader.ts';
import { secretsManagerVault } from '../../layers/credentials/store/secrets-vault.ts';
import { secretsManagerVersions } from '../../layers/credentials/store/secrets-versions.ts';
import {
  type CredentialStore,
  readCredentialStore,
  readFormerCredentialStore,
} from '../../layers/credentials/rules/credential-stores.ts';
import type {
  CredentialReader,
  CredentialVault,
  CredentialVersions,
  FormerCredentials,
} from '../../layers/credentials/store/stores.ts';
import type { Random } from '../../layers/platform/system/random.ts';
import type { TimeLeft } from '../../layers/platform/rules/time-left.ts';
import type { bare, credentialStore, SettingsOf } from './environment.ts';
import { type Given, keyService, awsClientOptions } from './common-ports.ts';

/** Readers for the store that is written to, and for the former one, which is still read. */
export const storeReaders = {
  credentialStore: readCredentialStore,
  credentialStoreFormer: readFormerCredentialStore,
};

type StoreEnvironment = Given<typeof bare & typeof credentialStore> &
  SettingsOf<typeof storeReaders>;

interface Ground {
  readonly dynamo: DynamoDBDocumentClient;
  readonly timeLeft: TimeLeft;
}

type WritingGround = Ground & { readonly random: Random };

/** Credentials are written to the current store, and removed from the former one as well. */
export const credentialVault = (
  environment: StoreEnvironment,
  ground: WritingGround,
): CredentialVault => {
  const vault = VAULTS[environment.credentialStore](environment, ground);
  const former = formerStore(environment);
  if (!former) return vault;
  const formerVault = VAULTS[former](environment, ground);
  return {
    ...vault,
    // No transaction spans both stores: callers then use `remove`, which deletes from both.
    removing: () => undefined,
    remove: async (place) => {
      await Promise.all([vault.remove(place), formerVault.remove(place)]);
    },
  };
};

/** Credentials are read from the current store, and then from the former one. */
export const credentialReader = (
  environment: StoreEnvironment,
  ground: Ground,
): CredentialReader => {
  const reader = READERS[environment.credentialStore](environment, ground);
  const former = formerStore(environment);
  if (!former) return reader;
  const formerReader = READERS[former](environment, ground);
  return { read: async (ref) => (await reader.read(ref)) ?? formerReader.read(ref) };
};

export const credentialVersions = (
  environment: StoreEnvironment,
  ground: Ground,
): CredentialVersions => VERSIONS[environment.credentialStore](environment, ground);

/** Moves credentials out of the former store; undefined without one. */
export const formerCredentials = (
  environment: StoreEnvironment,
  ground: WritingGround,
): FormerCredentials | undefined => {
  const former = formerStore(environment);
  return (
    former && {
      ...VERSIONS[former](environment, ground),
      ...READERS[former](environment, ground),
      remove: VAULTS[former](environment, ground).remove,
    }
  );
};

const formerStore = ({
  credentialStore,
  credentialStoreFormer: former,
}: StoreEnvironment): CredentialStore | undefined =>
  former === credentialStore ? undefined : former;

type Make<Port, On = Ground> = Readonly<
  Record<CredentialStore, (environment: StoreEnvironment, ground: On) => Port>
>;

const VAULTS: Make<CredentialVault, WritingGround> = {
  envelope: (environment, { dynamo, random, timeLeft }) =>
    envelopeVault(dynamo, environment.CREDENTIALS_TABLE, dataKeys(environment, timeLeft), random),
  'secrets-manager': (environment, { timeLeft }) => {
    const { CREDENTIAL_PREFIX: prefix, CREDENTIALS_KEY_ID: keyId } = environment;
    return secretsManagerVault(secrets(environment, timeLeft), { prefix, keyId });
  },
};

const READERS: Make<CredentialReader> = {
  envelope: (environment, { dynamo, timeLeft }) =>
    envelopeReader(dynamo, environment.CREDENTIALS_TABLE, dataKeys(environment, timeLeft)),
  'secrets-manager': (environment, { timeLeft }) =>
    secretsManagerReader(secrets(environment, timeLeft), { prefix: environment.CREDENTIAL_PREFIX }),
};

const VERSIONS: Make<CredentialVersions> = {
  envelope: (environment, { dynamo }) => envelopeVersions(dynamo, environment.CREDENTIALS_TABLE),
  'secrets-manager': (environment, { timeLeft }) =>
    secretsManagerVersions(secrets(environment, timeLeft), {
      prefix: environment.CREDENTIAL_PREFIX,
    }),
};

const secrets = (environment: StoreEnvironment, timeLeft: TimeLeft) =>
  secretsClient(
    awsClientOptions(environment, timeLeft, environment.AWS_ENDPOINT_URL_SECRETS_MANAGER),
  );

const dataKeys = (environment: StoreEnvironment, timeLeft: TimeLeft) =>
  kmsDataKeys(keyService(environment, timeLeft), environment.CREDENTIALS_KEY_ID);
