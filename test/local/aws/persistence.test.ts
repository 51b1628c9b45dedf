import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import {
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  GetItemCommand,
} from '@aws-sdk/client-dynamodb';
import { DecryptCommand, KMSClient } from '@aws-sdk/client-kms';
import {
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { describe, expect, test } from '@jest/globals';
import { startEmbeddedAws } from '../../../local/aws/index.ts';
import { connectionOf, startTestAws } from '../../support/aws.ts';

interface Written {
  readonly name: string;
  readonly ciphertext: string;
}

/** Has another process write into the folder, and kills it in the middle of it. */
const writeAndKill = async (folder: string, prefix: string, bucket: string): Promise<Written[]> => {
  const writer = spawn(process.execPath, ['test/support/aws-writer.ts', folder, prefix, bucket], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const written: Written[] = [];
  for await (const line of createInterface({ input: writer.stdout })) {
    written.push(JSON.parse(line) as Written);
    if (written.length === 10) writer.kill('SIGKILL');
  }
  if (writer.signalCode === null) await once(writer, 'exit');
  return written;
};

describe('after a kill -9', () => {
  test('everything that was acknowledged is still there', async () => {
    const first = await startTestAws();
    await first.aws.close();
    const written = await writeAndKill(first.dataFolder, first.prefix, first.bucket);
    expect(written.length).toBeGreaterThanOrEqual(10);

    const aws = await first.restart();

    const dynamo = aws.client(DynamoDBClient);
    const s3 = aws.client(S3Client);
    const kms = aws.client(KMSClient);
    const secrets = aws.client(SecretsManagerClient);
    for (const { name, ciphertext } of written) {
      const Key = { pk: { S: name } };
      const TableName = aws.tableName('limits');
      const object = await s3.send(new GetObjectCommand({ Bucket: aws.bucket, Key: name }));
      const secret = await secrets.send(new GetSecretValueCommand({ SecretId: name }));
      const CiphertextBlob = Buffer.from(ciphertext, 'base64');
      const { Plaintext } = await kms.send(new DecryptCommand({ CiphertextBlob }));

      expect((await dynamo.send(new GetItemCommand({ TableName, Key }))).Item).toEqual(Key);
      expect(await object.Body!.transformToString()).toBe(name);
      expect(secret.SecretString).toBe(name);
      expect(Buffer.from(Plaintext!).toString()).toBe(name);
    }
    await aws.stop();
  });
});

describe('after a restart', () => {
  test('tables keep their time to live, and objects their heads', async () => {
    const first = await startTestAws();
    const object = {
      Bucket: first.bucket,
      Key: '../ä',
      Metadata: { a: 'b' },
      ContentType: 'text/plain',
    };
    await first.client(S3Client).send(new PutObjectCommand({ ...object, Body: 'x' }));
    await first.aws.close();

    const aws = await first.restart();

    const TableName = aws.tableName('limits');
    const { TimeToLiveDescription } = await aws
      .client(DynamoDBClient)
      .send(new DescribeTimeToLiveCommand({ TableName }));
    const s3 = aws.client(S3Client);
    const { Bucket, Key } = object;
    expect(TimeToLiveDescription?.AttributeName).toBe('expires_at');
    expect(await s3.send(new GetObjectCommand({ Bucket, Key }))).toMatchObject({
      Metadata: { a: 'b' },
      ContentType: 'text/plain',
    });
    expect((await s3.send(new ListObjectsV2Command({ Bucket }))).Contents).toHaveLength(1);
    await aws.stop();
  });

  test('access keys are new ones', async () => {
    const first = await startTestAws();
    const before = first.aws.environment('router');
    await first.aws.close();

    const aws = await first.restart();

    expect(aws.aws.environment('router')['AWS_ACCESS_KEY_ID']).not.toBe(
      before['AWS_ACCESS_KEY_ID'],
    );
    await aws.stop();
  });

  test('what a kill left half written is gone', async () => {
    const first = await startTestAws();
    await first.aws.close();
    const folder = join(first.dataFolder, 's3', first.bucket);
    await writeFile(join(folder, 'x.object.1.unfinished'), 'half');

    const aws = await first.restart();

    const { KeyCount } = await aws
      .client(S3Client)
      .send(new ListObjectsV2Command({ Bucket: aws.bucket }));
    expect(KeyCount).toBe(0);
    await aws.stop();
  });

  test('a table that was being created is there, one that was being deleted is gone', async () => {
    const first = await startTestAws();
    await first.aws.close();
    const path = join(first.dataFolder, 'dynamodb', 'level');
    await setStatus(path, first.tableName('limits'), 'CREATING');
    await setStatus(path, first.tableName('deployment-content'), 'DELETING');

    const aws = await startEmbeddedAws({ dataFolder: first.dataFolder });

    const dynamo = new DynamoDBClient(connectionOf(aws, 'test'));
    const describeTable = (TableName: string) =>
      dynamo.send(new DescribeTableCommand({ TableName }));
    expect((await describeTable(first.tableName('limits'))).Table?.TableStatus).toBe('ACTIVE');
    await expect(describeTable(first.tableName('deployment-content'))).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    });
    dynamo.destroy();
    await aws.close();
    await rm(first.dataFolder, { recursive: true });
  });
});

describe('a data folder', () => {
  test('is opened by one only', async () => {
    const aws = await startTestAws();

    await expect(startEmbeddedAws({ dataFolder: aws.dataFolder })).rejects.toThrow(
      /another process uses it/,
    );
    await aws.stop();
  });

  test('may have spaces and other characters in its path', async () => {
    const parent = await mkdtemp(join(tmpdir(), 'hosted-mcp-aws-'));
    const dataFolder = join(parent, 'my data ä', 'deep');

    const aws = await startEmbeddedAws({ dataFolder });

    await aws.close();
    await rm(parent, { recursive: true });
  });
});

interface Level {
  readonly db: { open(): Promise<void> };
  readonly tableDb: {
    get(key: string, done: (error: unknown, value: object) => void): void;
    put(key: string, value: object, done: (error: unknown) => void): void;
  };
  readonly lifecycleManager: { gracefulClose(): Promise<void> };
}

/** As a kill between the two writes of dynalite leaves it. */
const setStatus = async (path: string, table: string, TableStatus: string): Promise<void> => {
  const { create } = createRequire(import.meta.url)('dynalite/db') as {
    create(options: object): Level;
  };
  const level = create({ path });
  await level.db.open();
  await new Promise<void>((resolve, reject) => {
    level.tableDb.get(table, (error, value) => {
      if (error) reject(error as Error);
      level.tableDb.put(table, { ...value, TableStatus }, (failed) =>
        failed ? reject(failed as Error) : resolve(),
      );
    });
  });
  await level.lifecycleManager.gracefulClose();
};
