import { randomUUID } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { KMSClient, ListAliasesCommand } from '@aws-sdk/client-kms';
import {
  CreateSecretCommand,
  DeleteSecretCommand,
  DescribeSecretCommand,
  GetSecretValueCommand,
  type GetSecretValueCommandInput,
  ListSecretsCommand,
  PutSecretValueCommand,
  RestoreSecretCommand,
  RotateSecretCommand,
  SecretsManagerClient,
  UpdateSecretCommand,
} from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestAws, type TestAws } from '../../support/aws.ts';

let aws: TestAws;
let secrets: SecretsManagerClient;

beforeAll(async () => {
  aws = await startTestAws();
  secrets = aws.client(SecretsManagerClient);
});
afterAll(() => aws.stop());

const create = async (SecretString = 'one') => {
  const Name = `deployments/${randomUUID()}`;
  const created = await secrets.send(new CreateSecretCommand({ Name, SecretString }));
  return { SecretId: Name, ARN: created.ARN!, VersionId: created.VersionId! };
};

const put = (SecretId: string, SecretString: string, more = {}) =>
  secrets.send(new PutSecretValueCommand({ SecretId, SecretString, ...more }));

const get = async (input: GetSecretValueCommandInput) =>
  (await secrets.send(new GetSecretValueCommand(input))).SecretString;

describe('a secret', () => {
  test('is read by name and by ARN', async () => {
    const { SecretId, ARN, VersionId } = await create('Grüße');

    const got = await secrets.send(new GetSecretValueCommand({ SecretId: ARN }));

    expect(await get({ SecretId })).toBe('Grüße');
    expect(got).toMatchObject({
      Name: SecretId,
      ARN,
      VersionId,
      VersionStages: ['AWSCURRENT'],
      SecretString: 'Grüße',
      CreatedDate: expect.any(Date),
    });
  });

  test('may be bytes', async () => {
    const SecretId = 'binary';
    const SecretBinary = Buffer.from([0, 255, 128]);
    await secrets.send(new CreateSecretCommand({ Name: SecretId, SecretBinary }));

    const got = await secrets.send(new GetSecretValueCommand({ SecretId }));

    expect(Buffer.from(got.SecretBinary!)).toEqual(SecretBinary);
    expect(got.SecretString).toBeUndefined();
  });

  test('keeps its versions, the latest current and the one before previous', async () => {
    const { SecretId, VersionId } = await create('one');
    await put(SecretId, 'two');
    const { VersionId: third, VersionStages } = await put(SecretId, 'three');

    const { VersionIdsToStages } = await secrets.send(new DescribeSecretCommand({ SecretId }));

    expect(VersionStages).toEqual(['AWSCURRENT']);
    expect(await get({ SecretId })).toBe('three');
    expect(await get({ SecretId, VersionStage: 'AWSPREVIOUS' })).toBe('two');
    expect(await get({ SecretId, VersionId })).toBe('one');
    expect(Object.values(VersionIdsToStages!).flat().sort()).toEqual(['AWSCURRENT', 'AWSPREVIOUS']);
    expect(VersionIdsToStages![third!]).toEqual(['AWSCURRENT']);
  });

  test('may have a pending version beside the current one', async () => {
    const { SecretId, VersionId } = await create('one');

    const pending = await put(SecretId, 'two', { VersionStages: ['AWSPENDING'] });

    expect(await get({ SecretId })).toBe('one');
    expect(await get({ SecretId, VersionStage: 'AWSPENDING' })).toBe('two');
    expect(await get({ SecretId, VersionId: pending.VersionId, VersionStage: 'AWSPENDING' })).toBe(
      'two',
    );
    await expect(get({ SecretId, VersionId, VersionStage: 'AWSPENDING' })).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    });
  });

  test('keeps every version that a stage points to, however many follow', async () => {
    const { SecretId } = await create('first');
    await put(SecretId, 'kept', { VersionStages: ['MINE'] });
    for (let number = 0; number < 110; number += 1) await put(SecretId, `value ${number}`);

    expect(await get({ SecretId, VersionStage: 'MINE' })).toBe('kept');
    expect(await get({ SecretId, VersionStage: 'AWSPREVIOUS' })).toBe('value 108');
  });

  test('is updated in description and value', async () => {
    const { SecretId } = await create('one');
    await secrets.send(new UpdateSecretCommand({ SecretId, Description: 'the target API' }));

    const updated = await secrets.send(new UpdateSecretCommand({ SecretId, SecretString: 'two' }));

    const described = await secrets.send(new DescribeSecretCommand({ SecretId }));
    expect(described.Description).toBe('the target API');
    expect(described.VersionIdsToStages![updated.VersionId!]).toEqual(['AWSCURRENT']);
    expect(await get({ SecretId })).toBe('two');
  });

  test('may be made first and filled later', async () => {
    const SecretId = 'empty-at-first';
    await secrets.send(new CreateSecretCommand({ Name: SecretId }));
    await expect(get({ SecretId })).rejects.toMatchObject({ name: 'ResourceNotFoundException' });

    await put(SecretId, 'filled', { VersionStages: ['AWSPENDING'] });

    expect(await get({ SecretId })).toBe('filled');
  });
});

describe('a request with a token that was used before', () => {
  test('changes nothing if it is the same', async () => {
    const ClientRequestToken = randomUUID();
    const Name = 'same-token';
    const sent = new CreateSecretCommand({ Name, SecretString: 'one', ClientRequestToken });

    const first = await secrets.send(sent);
    const second = await secrets.send(sent);
    await put(Name, 'one', { ClientRequestToken });

    expect(second.ARN).toBe(first.ARN);
    expect(second.VersionId).toBe(ClientRequestToken);
    const { VersionIdsToStages } = await secrets.send(
      new DescribeSecretCommand({ SecretId: Name }),
    );
    expect(VersionIdsToStages).toEqual({ [ClientRequestToken]: ['AWSCURRENT'] });
  });

  test('is refused if the value is another', async () => {
    const { SecretId, VersionId } = await create('one');

    await expect(put(SecretId, 'two', { ClientRequestToken: VersionId })).rejects.toMatchObject({
      name: 'ResourceExistsException',
    });
    expect(await get({ SecretId })).toBe('one');
  });
});

describe('deleting a secret', () => {
  test('by force removes it at once, and its name is free', async () => {
    const { SecretId, ARN } = await create();

    await secrets.send(new DeleteSecretCommand({ SecretId, ForceDeleteWithoutRecovery: true }));
    await secrets.send(new DeleteSecretCommand({ SecretId, ForceDeleteWithoutRecovery: true }));

    await expect(get({ SecretId })).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
    const again = await secrets.send(
      new CreateSecretCommand({ Name: SecretId, SecretString: 'x' }),
    );
    expect(again.ARN).not.toBe(ARN);
  });

  test('with a window keeps it, unusable, until it is restored', async () => {
    const { SecretId } = await create('kept');
    const window = { SecretId, RecoveryWindowInDays: 7 };
    const { DeletionDate } = await secrets.send(new DeleteSecretCommand(window));
    const days = (DeletionDate!.getTime() - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(7);
    await expect(get({ SecretId })).rejects.toMatchObject({ name: 'InvalidRequestException' });
    await expect(put(SecretId, 'x')).rejects.toMatchObject({ name: 'InvalidRequestException' });
    await expect(secrets.send(new DeleteSecretCommand(window))).rejects.toMatchObject({
      name: 'InvalidRequestException',
    });
    await expect(
      secrets.send(new CreateSecretCommand({ Name: SecretId, SecretString: 'x' })),
    ).rejects.toMatchObject({ name: 'InvalidRequestException' });

    await secrets.send(new RestoreSecretCommand({ SecretId }));

    expect(await get({ SecretId })).toBe('kept');
  });
});

describe('the list of secrets', () => {
  test('goes page by page, without those that are being deleted', async () => {
    const { SecretId } = await create();
    await secrets.send(new DeleteSecretCommand({ SecretId }));
    const names: (string | undefined)[] = [];
    let NextToken: string | undefined;
    do {
      const input = { MaxResults: 3, ...(NextToken !== undefined && { NextToken }) };
      const page = await secrets.send(new ListSecretsCommand(input));
      names.push(...page.SecretList!.map(({ Name }) => Name));
      ({ NextToken } = page);
    } while (NextToken !== undefined);
    const all = await secrets.send(new ListSecretsCommand({ IncludePlannedDeletion: true }));

    expect(names).toContain('binary');
    expect(names).not.toContain(SecretId);
    expect(new Set(names).size).toBe(names.length);
    expect(all.SecretList!.map(({ Name }) => Name)).toContain(SecretId);
  });
});

describe('values on disk', () => {
  const fileOf = async (SecretId: string) => {
    const folder = join(aws.dataFolder, 'secrets');
    for (const name of await readdir(folder)) {
      const path = join(folder, name);
      const content = await readFile(path, 'utf8');
      if (content.includes(`"${SecretId}"`)) return { path, content };
    }
    throw new Error('no file');
  };

  test('are encrypted with a key that the embedded KMS holds', async () => {
    const { SecretId } = await create('never in the clear');

    const { content } = await fileOf(SecretId);
    const { Aliases } = await aws.client(KMSClient).send(new ListAliasesCommand({}));

    expect(content).not.toContain('never in the clear');
    expect(content).not.toContain(Buffer.from('never in the clear').toString('base64'));
    expect(Aliases).toContainEqual(
      expect.objectContaining({ AliasName: 'alias/aws/secretsmanager' }),
    );
  });

  test('are of no use in the place of another', async () => {
    const one = await create('one');
    const other = await create('other');
    const { path, content } = await fileOf(other.SecretId);
    const sealed = (text: string) => /"sealed":"([^"]+)"/.exec(text)![1]!;
    const moved = content.replace(sealed(content), sealed((await fileOf(one.SecretId)).content));
    await aws.aws.close();
    await writeFile(path, moved);

    aws = await aws.restart();
    secrets = aws.client(SecretsManagerClient);

    await expect(get({ SecretId: other.SecretId })).rejects.toMatchObject({
      name: 'DecryptionFailure',
    });
    expect(await get({ SecretId: one.SecretId })).toBe('one');
  });

  test('are gone when the window is over', async () => {
    const { SecretId } = await create();
    await secrets.send(new DeleteSecretCommand({ SecretId }));
    const { path, content } = await fileOf(SecretId);
    await aws.aws.close();
    await writeFile(path, content.replace(/"deletionAt":\d+/, '"deletionAt":1'));

    aws = await aws.restart();
    secrets = aws.client(SecretsManagerClient);

    await expect(secrets.send(new RestoreSecretCommand({ SecretId }))).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    });
    await expect(readFile(path)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('the embedded Secrets Manager refuses', () => {
  const SecretId = 'binary';
  const missing = { SecretId: 'missing' };
  test.each([
    ['a missing secret', () => new GetSecretValueCommand(missing), 'ResourceNotFoundException'],
    [
      'to describe a missing secret',
      () => new DescribeSecretCommand(missing),
      'ResourceNotFoundException',
    ],
    [
      'to delete a missing secret',
      () => new DeleteSecretCommand(missing),
      'ResourceNotFoundException',
    ],
    [
      'to write to a missing secret',
      () => new PutSecretValueCommand({ ...missing, SecretString: 'x' }),
      'ResourceNotFoundException',
    ],
    [
      'an ARN that is not its own',
      () =>
        new GetSecretValueCommand({
          SecretId: 'arn:aws:secretsmanager:us-east-1:000000000000:secret:binary-AAAAAA',
        }),
      'ResourceNotFoundException',
    ],
    [
      'a missing stage',
      () => new GetSecretValueCommand({ SecretId, VersionStage: 'AWSPENDING' }),
      'ResourceNotFoundException',
    ],
    [
      'a name that is taken',
      () => new CreateSecretCommand({ Name: SecretId, SecretString: 'x' }),
      'ResourceExistsException',
    ],
    [
      'a name with other characters',
      () => new CreateSecretCommand({ Name: 'a name', SecretString: 'x' }),
      'InvalidParameterException',
    ],
    [
      'a version without a value',
      () => new PutSecretValueCommand({ SecretId }),
      'InvalidRequestException',
    ],
    [
      'both kinds of value',
      () => new PutSecretValueCommand({ SecretId, SecretString: 'x', SecretBinary: Buffer.of(1) }),
      'InvalidParameterException',
    ],
    [
      'a value over 64 KB',
      () => new PutSecretValueCommand({ SecretId, SecretString: 'x'.repeat(65_537) }),
      'InvalidParameterException',
    ],
    [
      'an unknown key',
      () => new CreateSecretCommand({ Name: 'x', SecretString: 'x', KmsKeyId: 'alias/none' }),
      'EncryptionFailure',
    ],
    [
      'a short window',
      () => new DeleteSecretCommand({ SecretId, RecoveryWindowInDays: 6 }),
      'InvalidParameterException',
    ],
    [
      'to restore what is not deleted',
      () => new RestoreSecretCommand({ SecretId }),
      'InvalidRequestException',
    ],
    [
      'what it does not implement',
      () => new RotateSecretCommand({ SecretId }),
      'UnknownOperationException',
    ],
  ])('%s', async (_, command, name) => {
    // Commands of several kinds in one table: `send` has an overload for each, not for their union.
    await expect(secrets.send(command() as GetSecretValueCommand)).rejects.toMatchObject({ name });
  });
});
