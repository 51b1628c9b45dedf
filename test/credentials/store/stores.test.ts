import { createCipheriv } from 'node:crypto';
import {
  PutSecretValueCommand,
  RestoreSecretCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { GetCommand, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { envelopeReader, envelopeVault } from '../../../layers/credentials/store/envelopes.ts';
import { kmsClient } from '../../../layers/platform/kms/client.ts';
import { kmsDataKeys } from '../../../layers/credentials/store/data-keys.ts';
import { secretsClient } from '../../../layers/credentials/store/secrets-client.ts';
import { secretsManagerReader } from '../../../layers/credentials/store/secrets-reader.ts';
import { secretsManagerVault } from '../../../layers/credentials/store/secrets-vault.ts';
import { systemRandom } from '../../../layers/platform/system/random.ts';
import type { CredentialRef } from '../../../layers/credentials/rules/credential-access.ts';
import type { StoredCredential } from '../../../layers/target/rules/credential.ts';
import type {
  CredentialReader,
  CredentialVault,
} from '../../../layers/credentials/store/stores.ts';
import { storedCredential } from '../../support/aws/stored-credential.ts';
import { connectionOf } from '../../support/aws/aws.ts';
import { startStore } from '../../support/aws/dynamodb-fixtures.ts';

const random = systemRandom();

const store = await startStore();
afterAll(() => store.stop());
afterEach(() => {
  store.aws.faults.clear();
  store.aws.calls.reset();
});

const access = () => {
  const { endpoint, region, credentials } = connectionOf(store.aws, 'test');
  return { endpoint, region, credentials };
};
const putIn =
  (vault: CredentialVault) =>
  (...sent: Parameters<CredentialVault['put']>) =>
    storedCredential(store.instance(), vault, ...sent);
const inSecretsManager = () => {
  const open = secretsClient(access());
  const place = { prefix: 'test', keyId: store.credentialsKey };
  const vault = secretsManagerVault(open, place);
  return { vault, put: putIn(vault), reader: secretsManagerReader(open, place) };
};
const inEnvelopes = () => {
  const keys = kmsDataKeys(kmsClient(access()), store.credentialsKey);
  const table = store.tableName('credentials');
  const vault = envelopeVault(store.instance(), table, keys, random);
  return {
    vault,
    put: putIn(vault),
    reader: envelopeReader(store.instance(), table, keys),
  };
};

const aRef = (over: Partial<CredentialRef> = {}): CredentialRef => ({
  deploymentId: random.id(),
  ownerId: 'user-1',
  sealedFor: 'user-1',
  name: 'main',
  from: 'store',
  version: random.id(),
  ...over,
});
const ORIGINS = ['https://api.example.com', 'https://other.example.com:8443'];
const bearer = (token: string): StoredCredential => ({ type: 'bearer', token, origins: ORIGINS });

type CredentialStore = () => {
  /** What is put there is not used before it is committed with a deployment. */
  vault: CredentialVault;
  put: ReturnType<typeof putIn>;
  reader: CredentialReader;
};
const stores: readonly (readonly [string, CredentialStore, reading: string, down: string])[] = [
  ['Secrets Manager', inSecretsManager, 'GetSecretValue', 'secrets-manager'],
  ['envelopes', inEnvelopes, 'Decrypt', 'kms'],
];

describe.each(stores)('credentials in %s', (_, open, reading, neighbour) => {
  test.each<StoredCredential>([
    { type: 'bearer', token: 'x'.repeat(8192), origins: [] },
    { type: 'basic', username: 'Jürgen', password: '', origins: ORIGINS },
    { type: 'api_key', name: 'key', in: 'query', value: 'ключ', origins: ORIGINS },
  ])('are read as they were stored: %j', async (credential) => {
    const { put, reader } = open();
    const ref = aRef();
    await put(ref, credential);

    expect(await reader.read(ref)).toEqual(credential);
  });

  test('are unknown before they are stored', async () => {
    const { put, reader } = open();
    const ref = aRef();
    expect(await reader.read(ref)).toBeUndefined();

    await put(ref, bearer('one'));
    expect(await reader.read({ ...ref, version: random.id() })).toBeUndefined();
  });

  test('remain readable under the old version while they are replaced', async () => {
    const { put, reader } = open();
    const first = aRef();
    const second = { ...first, version: random.id() };
    await put(first, bearer('one'));
    await put(second, bearer('two'));

    expect(await reader.read(first)).toEqual(bearer('one'));
    expect(await reader.read(second)).toEqual(bearer('two'));
  });

  test('remain readable however often a replacement fails', async () => {
    const { vault, put, reader } = open();
    const used = aRef();
    await put(used, bearer('used'));
    for (const name of ['lost 1', 'lost 2', 'lost 3']) {
      await vault.put({ ...used, version: random.id() }, bearer(name));
    }
    const next = { ...used, version: random.id() };
    await put(next, bearer('next'));

    expect(await reader.read(used)).toEqual(bearer('used'));
    expect(await reader.read(next)).toEqual(bearer('next'));
  });

  test('may be stored concurrently, and each version is readable', async () => {
    const { put, reader } = open();
    const first = aRef();
    const refs = [first, { ...first, version: random.id() }];
    await Promise.all(refs.map((ref) => put(ref, bearer(ref.version))));

    for (const ref of refs) expect(await reader.read(ref)).toEqual(bearer(ref.version));
  });

  test('are removed with all versions, repeatedly, and may be stored again', async () => {
    const { vault, put, reader } = open();
    const ref = aRef();
    const second = { ...ref, version: random.id() };
    await put(ref, bearer('one'));
    await put(second, bearer('two'));
    await vault.remove(ref);
    await vault.remove(ref);
    expect(await reader.read(ref)).toBeUndefined();
    expect(await reader.read(second)).toBeUndefined();

    await put(second, bearer('two'));
    expect(await reader.read(second)).toEqual(bearer('two'));
  });

  test('are readable only for their own deployment', async () => {
    const { put, reader } = open();
    const ref = aRef();
    await put(ref, bearer('one'));

    expect(await reader.read({ ...ref, deploymentId: random.id() })).toBeUndefined();
  });

  test('report denied access differently from a failing store', async () => {
    const { put, reader } = open();
    const ref = aRef();
    await put(ref, bearer('one'));
    store.aws.faults.inject({ kind: 'deny', on: { operation: reading } });

    await expect(reader.read(ref)).rejects.toMatchObject({
      name: 'CredentialUnavailable',
      reason: 'denied',
    });
  });

  test.each(['throttle', 'fail', 'drop'] as const)(
    'report that the store is down: %s',
    async (kind) => {
      const { put, reader } = open();
      const ref = aRef();
      await put(ref, bearer('one'));
      store.aws.faults.inject({ kind, on: { operation: reading } });

      await expect(reader.read(ref)).rejects.toMatchObject({ name: 'Fault', neighbour });
    },
  );

  test('never appear in an error', async () => {
    const { vault } = open();
    store.aws.faults.inject({ kind: 'fail', on: {} });
    const failure = await vault.put(aRef(), bearer('CANARY-1234')).catch((error: unknown) => error);

    expect(failure).toMatchObject({ name: 'Fault' });
    expect(everythingIn(failure)).not.toContain('CANARY');
  });
});

/** Own properties, hidden ones and causes among them, to any depth. */
const everythingIn = (value: unknown, seen = new Set<unknown>()): string => {
  if (typeof value !== 'object' || value === null) return String(value);
  if (seen.has(value)) return '';
  seen.add(value);
  if (ArrayBuffer.isView(value)) return Buffer.from(value.buffer).toString('latin1');
  return Object.getOwnPropertyNames(value)
    .map((name) => everythingIn((value as Record<string, unknown>)[name], seen))
    .join('\n');
};

describe('target API credentials in Secrets Manager', () => {
  test('may be stored again without an effect', async () => {
    const { put, reader } = inSecretsManager();
    const first = aRef();
    const second = { ...first, version: random.id() };
    await put(first, bearer('one'));
    await put(first, bearer('one'));
    await put(second, bearer('two'));
    await put(second, bearer('two'));

    expect(await reader.read(first)).toEqual(bearer('one'));
    expect(await reader.read(second)).toEqual(bearer('two'));
  });

  test('are encrypted with the credentials key and tagged with deployment and owner', async () => {
    const { put } = inSecretsManager();
    const ref = aRef();
    await put(ref, bearer('one'));

    const name = `test/${ref.deploymentId}`;
    expect(store.aws.secrets().find((secret) => secret.name === name)).toEqual({
      name,
      kmsKeyId: store.credentialsKey,
      tags: [
        { Key: 'deployment', Value: ref.deploymentId },
        { Key: 'owner', Value: 'user-1' },
      ],
      versionIds: [ref.version],
    });
  });

  test('can be restored by an administrator for a week after their removal', async () => {
    const { vault, put, reader } = inSecretsManager();
    const ref = aRef();
    await put(ref, bearer('one'));
    await vault.remove(ref);
    expect(await reader.read(ref)).toBeUndefined();

    const SecretId = `test/${ref.deploymentId}`;
    await store.client(SecretsManagerClient).send(new RestoreSecretCommand({ SecretId }));
    expect(await reader.read(ref)).toEqual(bearer('one'));

    await vault.remove(ref);
    await store.aws.sweep(Math.floor(Date.now() / 1000) + 7 * 86_400 + 60);
    const restoring = store
      .client(SecretsManagerClient)
      .send(new RestoreSecretCommand({ SecretId }));
    await expect(restoring).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  });

  test.each(['not JSON: CANARY', '{"type":"bearer"}', '[]'])(
    'are refused in another form: %s',
    async (SecretString) => {
      const { put, reader } = inSecretsManager();
      const ref = aRef();
      await put(ref, bearer('one'));
      const version = random.id();
      await store.client(SecretsManagerClient).send(
        new PutSecretValueCommand({
          SecretId: `test/${ref.deploymentId}`,
          ClientRequestToken: version,
          SecretString,
        }),
      );

      const failure = await reader.read({ ...ref, version }).catch((error: unknown) => error);
      expect(failure).toMatchObject({ name: 'CredentialUnavailable', reason: 'denied' });
      expect(everythingIn(failure)).not.toContain('CANARY');
    },
  );
});

describe('target API credentials in envelopes', () => {
  const itemOf = async ({ deploymentId }: CredentialRef) => {
    const { Item } = await store.instance().send(
      new GetCommand({
        TableName: store.tableName('credentials'),
        Key: { pk: `CREDENTIAL#${deploymentId}` },
      }),
    );
    return Item as { pk: string; current: Record<string, Uint8Array> };
  };
  const putItem = (Item: object) =>
    store
      .instance()
      .send(
        new PutCommand({ TableName: store.tableName('credentials'), Item: Item as { pk: string } }),
      );
  const denied = { name: 'CredentialUnavailable', reason: 'denied' };

  test('cannot be decrypted for another deployment', async () => {
    const { put, reader } = inEnvelopes();
    const ref = aRef();
    const other = { ...aRef(), version: ref.version };
    await put(ref, bearer('one'));
    await putItem({ ...(await itemOf(ref)), pk: `CREDENTIAL#${other.deploymentId}` });

    await expect(reader.read(other)).rejects.toMatchObject(denied);
  });

  test('cannot be decrypted for another owner', async () => {
    const { put, reader } = inEnvelopes();
    const ref = aRef();
    await put(ref, bearer('one'));

    await expect(reader.read({ ...ref, sealedFor: 'user-2' })).rejects.toMatchObject(denied);
  });

  test('cannot be decrypted as another version', async () => {
    const { put, reader } = inEnvelopes();
    const ref = aRef();
    const version = random.id();
    await put(ref, bearer('one'));
    const item = await itemOf(ref);
    await putItem({ ...item, current: { ...item.current, version } });

    await expect(reader.read({ ...ref, version })).rejects.toMatchObject(denied);
  });

  test.each<[string, object]>([
    ['other origins', { origins: ['https://evil.example'] }],
    ['one origin more', { origins: [...ORIGINS, 'https://evil.example'] }],
  ])('cannot be decrypted with %s than they were sealed for', async (_, changed) => {
    const { put, reader } = inEnvelopes();
    const ref = aRef();
    await put(ref, bearer('one'));
    const item = await itemOf(ref);
    await putItem({ ...item, current: { ...item.current, ...changed } });

    await expect(reader.read(ref)).rejects.toMatchObject(denied);
  });

  test('cannot be decrypted as ones from before there were origins', async () => {
    const { put, reader } = inEnvelopes();
    const ref = aRef();
    await put(ref, bearer('one'));
    const item = await itemOf(ref);
    const { origins: _, ...older } = item.current;
    await putItem({ ...item, current: older });

    await expect(reader.read(ref)).rejects.toMatchObject(denied);
  });

  test('are meant for no origin where they are from before there were origins', async () => {
    const { reader } = inEnvelopes();
    const ref = aRef();
    const { deploymentId, ownerId, version } = ref;
    const keys = kmsDataKeys(kmsClient(access()), store.credentialsKey);
    const { key, wrapped } = await keys.generate({
      deployment_id: deploymentId,
      owner_id: ownerId,
    });
    const nonce = Buffer.alloc(12);
    const cipher = createCipheriv('aes-256-gcm', key, nonce);
    cipher.setAAD(Buffer.from(JSON.stringify([deploymentId, ownerId, version])));
    const sealed = Buffer.concat([
      cipher.update('{"type":"bearer","token":"old"}'),
      cipher.final(),
      cipher.getAuthTag(),
    ]);
    await putItem({
      pk: `CREDENTIAL#${deploymentId}`,
      current: { version, key: wrapped, nonce, sealed },
    });

    expect(await reader.read(ref)).toEqual({ type: 'bearer', token: 'old', origins: [] });
  });

  test.each(['key', 'nonce', 'sealed'])(
    'cannot be decrypted once one bit of the member %s is flipped',
    async (part) => {
      const { put, reader } = inEnvelopes();
      const ref = aRef();
      await put(ref, bearer('one'));
      const item = await itemOf(ref);
      const bytes = Buffer.from(item.current[part]!);
      bytes[bytes.length - 1]! ^= 1;
      await putItem({ ...item, current: { ...item.current, [part]: bytes } });

      await expect(reader.read(ref)).rejects.toMatchObject(denied);
    },
  );

  test('have one data key each and no secret in their table', async () => {
    const { put } = inEnvelopes();
    const ref = aRef();
    const next = { ...ref, version: random.id() };
    await put(ref, bearer('CANARY-1234'));
    const first = await itemOf(ref);
    await put(next, bearer('CANARY-1234'));
    const second = await itemOf(ref);

    expect(second.current['key']).not.toEqual(first.current['key']);
    expect(second.current['nonce']).not.toEqual(first.current['nonce']);
    const { Items = [] } = await store
      .instance()
      .send(new ScanCommand({ TableName: store.tableName('credentials') }));
    const all = JSON.stringify(Items, (_name, value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
    );
    expect(Items.length).toBeGreaterThan(0);
    expect(all).not.toContain('CANARY');
  });
});
