import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
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
import { startTestAws, type TestAws } from '../../support/aws/aws.ts';

/** Of every secret that the writer makes. */
const VERSION_ID = '00000000-0000-4000-8000-000000000000';

interface Written {
  readonly name: string;
  readonly ciphertext: string;
  readonly plaintext: string;
}

/** Has another process write into the folder, and kills it in the middle of it. */
const writeAndKill = async ({
  dataFolder,
  prefix,
  bucket,
  credentialsKey,
}: TestAws): Promise<Written[]> => {
  const writer = spawn(
    process.execPath,
    ['test/support/aws/aws-writer.ts', dataFolder, prefix, bucket, credentialsKey],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const written: Written[] = [];
  for await (const line of createInterface({ input: writer.stdout })) {
    written.push(JSON.parse(line) as Written);
    if (written.length === 10) writer.kill('SIGKILL');
  }
  if (writer.signalCode === null) await once(writer, 'exit');
  return written;
};

describe('the embedded AWS after a kill -9', () => {
  test('still has everything that was acknowledged', async () => {
    const first = await startTestAws();
    await first.aws.close();
    const written = await writeAndKill(first);
    expect(written.length).toBeGreaterThanOrEqual(10);

    const aws = await first.restart();

    const dynamo = aws.client(DynamoDBClient);
    const s3 = aws.client(S3Client);
    const kms = aws.client(KMSClient);
    const secrets = aws.client(SecretsManagerClient);
    for (const { name, ciphertext, plaintext } of written) {
      const Key = { pk: { S: name } };
      const TableName = aws.tableName('limits');
      const object = await s3.send(new GetObjectCommand({ Bucket: aws.bucket, Key: name }));
      const secret = await secrets.send(
        new GetSecretValueCommand({ SecretId: name, VersionId: VERSION_ID }),
      );
      const CiphertextBlob = Buffer.from(ciphertext, 'base64');
      const { Plaintext } = await kms.send(
        new DecryptCommand({ KeyId: aws.credentialsKey, CiphertextBlob }),
      );

      expect((await dynamo.send(new GetItemCommand({ TableName, Key }))).Item).toEqual(Key);
      expect(await object.Body!.transformToString()).toBe(name);
      expect(secret.SecretString).toBe(name);
      expect(Buffer.from(Plaintext!).toString('base64')).toBe(plaintext);
    }
    await aws.stop();
  });
});

describe('the embedded AWS after a restart', () => {
  test('has objects with the metadata that they were put with', async () => {
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

    const s3 = aws.client(S3Client);
    const { Bucket, Key } = object;
    expect(await s3.send(new GetObjectCommand({ Bucket, Key }))).toMatchObject({
      Metadata: { a: 'b' },
      ContentType: 'text/plain',
    });
    expect((await s3.send(new ListObjectsV2Command({ Bucket }))).Contents).toHaveLength(1);
    await aws.stop();
  });

  test('has new access keys', async () => {
    const first = await startTestAws();
    const before = first.aws.environment('router');
    await first.aws.close();

    const aws = await first.restart();

    expect(aws.aws.environment('router')['AWS_ACCESS_KEY_ID']).not.toBe(
      before['AWS_ACCESS_KEY_ID'],
    );
    await aws.stop();
  });

  test('has nothing of what a kill left half written', async () => {
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
});

describe('the data folder of the embedded AWS', () => {
  test('is opened by one process only', async () => {
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
