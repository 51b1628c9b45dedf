import { randomUUID } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  CreateSecretCommand,
  DeleteSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  RestoreSecretCommand,
  SecretsManagerClient,
  UpdateSecretCommand,
} from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { startTestAws, type TestAws } from '../../support/aws/aws.ts';

let aws: TestAws;
let secrets: SecretsManagerClient;

beforeAll(async () => {
  aws = await startTestAws();
  secrets = aws.client(SecretsManagerClient);
});
afterAll(() => aws.stop());

const createCommand = (Name: string, SecretString: string, more: object = {}) =>
  new CreateSecretCommand({
    Name,
    KmsKeyId: aws.credentialsKey,
    ClientRequestToken: randomUUID(),
    SecretString,
    ...more,
  });
const create = async (SecretString = 'one') => {
  const Name = `deployments/${randomUUID()}`;
  const { ARN, VersionId } = await secrets.send(createCommand(Name, SecretString));
  return { SecretId: Name, ARN, VersionId: VersionId! };
};
const put = async (
  SecretId: string,
  SecretString: string,
  ClientRequestToken: string = randomUUID(),
) => {
  await secrets.send(new PutSecretValueCommand({ SecretId, SecretString, ClientRequestToken }));
  return ClientRequestToken;
};
const get = async (SecretId: string, VersionId: string) =>
  (await secrets.send(new GetSecretValueCommand({ SecretId, VersionId }))).SecretString;
const remove = (SecretId: string, more: object = {}) =>
  secrets.send(new DeleteSecretCommand({ SecretId, ...more }));
const BY_FORCE = { ForceDeleteWithoutRecovery: true };

describe('a secret of the embedded Secrets Manager', () => {
  test('comes back as it was created', async () => {
    const { SecretId, ARN, VersionId } = await create('Grüße');

    const got = await secrets.send(new GetSecretValueCommand({ SecretId, VersionId }));

    expect(got).toMatchObject({ Name: SecretId, ARN, VersionId, SecretString: 'Grüße' });
    expect(ARN).toMatch(/^arn:aws:secretsmanager:us-east-1:000000000000:secret:deployments\//);
  });

  test('may have a value of 64 KB', async () => {
    const largest = 'x'.repeat(65_536);
    const { SecretId, VersionId } = await create(largest);

    expect(await get(SecretId, VersionId)).toBe(largest);
  });

  test('keeps its versions', async () => {
    const { SecretId, VersionId } = await create('one');
    const second = await put(SecretId, 'two');
    const third = await put(SecretId, 'three');

    expect(await get(SecretId, VersionId)).toBe('one');
    expect(await get(SecretId, second)).toBe('two');
    expect(await get(SecretId, third)).toBe('three');
  });

  test('has a hundred versions of one day, and no more', async () => {
    const { SecretId, VersionId } = await create('first');
    for (let number = 2; number <= 100; number += 1) await put(SecretId, `value ${number}`);

    await expect(put(SecretId, 'one too many')).rejects.toMatchObject({
      name: 'LimitExceededException',
    });
    expect(await get(SecretId, VersionId)).toBe('first');
  });

  test('loses the oldest of a hundred versions of the day before to a new one', async () => {
    const { SecretId, VersionId } = await create('first');
    const second = await put(SecretId, 'second');
    for (let number = 3; number <= 100; number += 1) await put(SecretId, `value ${number}`);
    const tomorrow = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 86_400_000);
    await put(SecretId, 'of tomorrow');
    tomorrow.mockRestore();

    expect(await get(SecretId, second)).toBe('second');
    await expect(get(SecretId, VersionId)).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    });
  });

  test('is listed with its key, its tags and the ids of its versions', async () => {
    const Name = 'listed';
    const Tags = [{ Key: 'owner', Value: 'user-1' }];
    const { VersionId } = await secrets.send(createCommand(Name, 'never listed', { Tags }));
    const second = await put(Name, 'never listed');

    expect(aws.aws.secrets().find(({ name }) => name === Name)).toEqual({
      name: Name,
      kmsKeyId: aws.credentialsKey,
      tags: Tags,
      versionIds: [VersionId, second],
    });
  });
});

describe('a request to Secrets Manager with a token that was used before', () => {
  test('changes nothing if it is the same', async () => {
    const ClientRequestToken = randomUUID();
    const sent = createCommand('same-token', 'one', { ClientRequestToken });

    const first = await secrets.send(sent);
    const second = await secrets.send(sent);
    await put('same-token', 'one', ClientRequestToken);

    expect(second.ARN).toBe(first.ARN);
    expect(second.VersionId).toBe(ClientRequestToken);
    expect(aws.aws.secrets().find(({ name }) => name === 'same-token')?.versionIds).toEqual([
      ClientRequestToken,
    ]);
  });

  test('is refused if the value is another', async () => {
    const { SecretId, VersionId } = await create('one');

    await expect(put(SecretId, 'two', VersionId)).rejects.toMatchObject({
      name: 'ResourceExistsException',
    });
    expect(await get(SecretId, VersionId)).toBe('one');
  });
});

describe('deleting a secret', () => {
  test('by force removes it at once, and its name is free', async () => {
    const { SecretId, ARN, VersionId } = await create();

    await remove(SecretId, BY_FORCE);
    await remove(SecretId, BY_FORCE);

    await expect(get(SecretId, VersionId)).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    });
    expect((await secrets.send(createCommand(SecretId, 'x'))).ARN).not.toBe(ARN);
  });

  test('without force keeps its name, unusable, until it is deleted by force', async () => {
    const { SecretId, VersionId } = await create('kept');
    await remove(SecretId);
    const refused = { name: 'InvalidRequestException' };

    await expect(get(SecretId, VersionId)).rejects.toMatchObject(refused);
    await expect(put(SecretId, 'x')).rejects.toMatchObject(refused);
    await expect(remove(SecretId)).rejects.toMatchObject(refused);
    await expect(secrets.send(createCommand(SecretId, 'x'))).rejects.toMatchObject(refused);

    await remove(SecretId, BY_FORCE);
    await expect(secrets.send(createCommand(SecretId, 'x'))).resolves.toBeDefined();
  });

  test('is undone by restoring it', async () => {
    const { SecretId, VersionId } = await create('kept');
    await remove(SecretId, { RecoveryWindowInDays: 7 });
    await secrets.send(new RestoreSecretCommand({ SecretId }));

    expect(await get(SecretId, VersionId)).toBe('kept');
  });

  test.each([{ RecoveryWindowInDays: 6 }, { RecoveryWindowInDays: 7, ...BY_FORCE }])(
    'is refused with %j',
    async (more) => {
      const { SecretId } = await create();

      await expect(remove(SecretId, more)).rejects.toMatchObject({
        name: expect.stringMatching(/^(InvalidParameter|Validation|Serialization)Exception$/),
      });
    },
  );

  test('is over after the window', async () => {
    const { SecretId } = await create();
    await remove(SecretId, { RecoveryWindowInDays: 7 });
    await aws.aws.sweep(Math.floor(Date.now() / 1000) + 7 * 86_400 + 60);

    await expect(secrets.send(new RestoreSecretCommand({ SecretId }))).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    });
  });
});

describe('values of secrets on disk', () => {
  const fileOf = async (SecretId: string) => {
    const folder = join(aws.dataFolder, 'secrets');
    for (const name of await readdir(folder)) {
      const path = join(folder, name);
      const content = await readFile(path, 'utf8');
      if (content.includes(`"${SecretId}"`)) return { path, content };
    }
    throw new Error('no file');
  };

  test('are encrypted', async () => {
    const { SecretId } = await create('never in the clear');

    const { content } = await fileOf(SecretId);

    expect(content).not.toContain('never in the clear');
    expect(content).not.toContain(Buffer.from('never in the clear').toString('base64'));
  });

  test('are of no use in the place of another', async () => {
    const one = await create('one');
    const other = await create('other');
    const { path, content } = await fileOf(other.SecretId);
    const ciphertext = (text: string) => /"ciphertext":"([^"]+)"/.exec(text)![1]!;
    const moved = content.replace(
      ciphertext(content),
      ciphertext((await fileOf(one.SecretId)).content),
    );
    await aws.aws.close();
    await writeFile(path, moved);

    aws = await aws.restart();
    secrets = aws.client(SecretsManagerClient);

    await expect(get(other.SecretId, other.VersionId)).rejects.toMatchObject({
      name: 'DecryptionFailure',
    });
    expect(await get(one.SecretId, one.VersionId)).toBe('one');
  });
});

describe('the embedded Secrets Manager', () => {
  const SecretId = 'taken';
  const VersionId = randomUUID();
  const value = { ClientRequestToken: randomUUID(), SecretString: 'x' };
  beforeAll(() => secrets.send(createCommand(SecretId, 'x')));

  test.each([
    [
      'a missing secret',
      () => new GetSecretValueCommand({ SecretId: 'missing', VersionId }),
      'ResourceNotFoundException',
    ],
    [
      'a missing version',
      () => new GetSecretValueCommand({ SecretId, VersionId }),
      'ResourceNotFoundException',
    ],
    [
      'to delete a missing secret without force',
      () => new DeleteSecretCommand({ SecretId: 'missing' }),
      'ResourceNotFoundException',
    ],
    [
      'to write to a missing secret',
      () => new PutSecretValueCommand({ SecretId: 'missing', ...value }),
      'ResourceNotFoundException',
    ],
    ['a name that is taken', () => createCommand(SecretId, 'x'), 'ResourceExistsException'],
    ['a name with other characters', () => createCommand('a name', 'x'), 'ValidationException'],
    [
      'a version without a value',
      () => new PutSecretValueCommand({ SecretId, ClientRequestToken: VersionId }),
      'ValidationException',
    ],
    [
      'a token of 31 characters',
      () => createCommand('x', 'x', { ClientRequestToken: 'x'.repeat(31) }),
      'ValidationException',
    ],
    [
      'a value over 64 KB',
      () => new PutSecretValueCommand({ SecretId, ...value, SecretString: 'x'.repeat(65_537) }),
      'ValidationException',
    ],
    [
      'an unknown key',
      () => createCommand('x', 'x', { KmsKeyId: 'alias/none' }),
      'EncryptionFailure',
    ],
    [
      'a stage instead of a version',
      () => new GetSecretValueCommand({ SecretId, VersionStage: 'AWSCURRENT' }),
      'ValidationException',
    ],
    [
      'what production does not call',
      () => new UpdateSecretCommand({ SecretId }),
      'UnknownOperationException',
    ],
  ])('refuses %s', async (_, command, name) => {
    // Commands of several kinds in one table: `send` has an overload for each, not for their union.
    await expect(secrets.send(command() as GetSecretValueCommand)).rejects.toMatchObject({ name });
  });
});
