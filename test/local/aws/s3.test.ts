import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsCommand,
  ListObjectsV2Command,
  PutObjectAclCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { buckets } from '../../../lambdas/storage-manifest.ts';
import { startTestAws, type TestAws } from '../../support/aws/aws.ts';

let aws: TestAws;
let s3: S3Client;
let Bucket: string;

beforeAll(async () => {
  aws = await startTestAws();
  s3 = aws.client(S3Client);
  Bucket = aws.bucket;
});
afterAll(() => aws.stop());

const DAY = 24 * 60 * 60;

const put = (Key: string, Body: string | Uint8Array = Key) =>
  s3.send(new PutObjectCommand({ Bucket, Key, Body }));

const get = async (Key: string) => {
  const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }));
  return Body!.transformToString();
};

describe('objects of the embedded S3', () => {
  test('come back with their metadata', async () => {
    const { ETag } = await s3.send(
      new PutObjectCommand({
        Bucket,
        Key: 'specs/1.json',
        Body: '{"a":"ä"}',
        ContentType: 'application/json',
        Metadata: { sha256: 'abc', deployment: '7' },
      }),
    );

    const got = await s3.send(new GetObjectCommand({ Bucket, Key: 'specs/1.json' }));

    expect(await got.Body!.transformToString()).toBe('{"a":"ä"}');
    expect(got).toMatchObject({
      ETag,
      ContentType: 'application/json',
      ContentLength: 10,
      Metadata: { sha256: 'abc', deployment: '7' },
    });
  });

  test('may be empty or large', async () => {
    await put('empty', new Uint8Array());
    await put('large', Buffer.alloc(6_000_000, 7));

    const large = await s3.send(new GetObjectCommand({ Bucket, Key: 'large' }));
    expect(await get('empty')).toBe('');
    const bytes = Buffer.from(await large.Body!.transformToByteArray());
    expect(bytes.equals(Buffer.alloc(6_000_000, 7))).toBe(true);
  });

  test('are replaced, deleted, and deleted again', async () => {
    await put('replaced', 'old');
    await put('replaced', 'new');
    expect(await get('replaced')).toBe('new');

    const remove = new DeleteObjectCommand({ Bucket, Key: 'replaced' });
    await s3.send(remove);
    await s3.send(remove);

    await expect(get('replaced')).rejects.toMatchObject({ name: 'NoSuchKey' });
  });

  test('have at most 2 KB of metadata', async () => {
    const withMetadata = (bytes: number) =>
      s3.send(
        new PutObjectCommand({
          Bucket,
          Key: 'described',
          Body: 'x',
          Metadata: { name: 'x'.repeat(bytes - 'name'.length) },
        }),
      );

    await expect(withMetadata(2048)).resolves.toBeDefined();
    await expect(withMetadata(2049)).rejects.toMatchObject({ name: 'MetadataTooLarge' });
  });

  test.each([
    '../../escape',
    '../../../../../../../../tmp/escape',
    '/absolute',
    'a//b/./c/..',
    'nul\u0000byte',
    'Grüße/🎉 & <xml> "quoted" + 100%',
    'k'.repeat(1024),
  ])('stay in their folder under the key %j', async (Key) => {
    await put(Key, 'content');

    expect(await get(Key)).toBe('content');
    const listed = await s3.send(new ListObjectsV2Command({ Bucket, Prefix: Key }));
    // XML cannot carry every character back through the SDK's parser; the number tells enough there.
    expect(listed.KeyCount).toBe(1);
    expect(await readdir(aws.dataFolder)).not.toContain('escape');
    expect((await readdir(join(aws.dataFolder, 's3'))).toSorted()).toEqual([
      aws.answersBucket,
      Bucket,
    ]);
  });
});

describe('a list of the embedded S3', () => {
  test('has the objects of a prefix in order, page by page', async () => {
    for (const name of ['b', 'a', 'ä', 'c']) await put(`list/${name}`);
    const list = (ContinuationToken?: string) =>
      s3.send(new ListObjectsV2Command({ Bucket, Prefix: 'list/', MaxKeys: 3, ContinuationToken }));

    const first = await list();
    const second = await list(first.NextContinuationToken);

    expect(first.Contents?.map(({ Key }) => Key)).toEqual(['list/a', 'list/b', 'list/c']);
    expect(first.Contents?.[0]).toMatchObject({
      Size: 6,
      ETag: expect.stringMatching(/^"\w{32}"$/),
      LastModified: expect.any(Date),
    });
    expect(second.Contents?.map(({ Key }) => Key)).toEqual(['list/ä']);
    expect(second.IsTruncated).toBe(false);
  });

  test('may be empty', async () => {
    const list = await s3.send(new ListObjectsV2Command({ Bucket, Prefix: 'nothing/' }));

    expect(list).toMatchObject({ KeyCount: 0, IsTruncated: false });
  });
});

describe('a bucket of the embedded S3', () => {
  test('keeps its objects when it is created again', async () => {
    await put('kept');

    await aws.aws.createBuckets(buckets, aws.prefix);

    expect(await get('kept')).toBe('kept');
  });

  test('loses by itself what its lifecycle says, a day after it was written', async () => {
    await aws.aws.createBuckets({ 'short-lived': { expiresAfterDays: 1 } }, '');
    for (const Bucket of ['short-lived', aws.bucket]) {
      await s3.send(new PutObjectCommand({ Bucket, Key: 'written', Body: 'x' }));
    }
    const count = async (Bucket: string) =>
      (await s3.send(new ListObjectsV2Command({ Bucket, Prefix: 'written' }))).KeyCount;
    const now = Math.floor(Date.now() / 1000);

    expect(await aws.aws.sweep(now + DAY - 60)).toBe(0);
    expect(await aws.aws.sweep(now + DAY + 60)).toBe(1);
    expect([await count('short-lived'), await count(aws.bucket)]).toEqual([0, 1]);
  });
});

describe('the embedded S3', () => {
  const object = { Bucket: '', Key: 'x', Body: 'x' };
  beforeAll(() => {
    object.Bucket = Bucket;
  });
  test.each([
    [
      'an unknown bucket',
      () => new GetObjectCommand({ Bucket: 'missing', Key: 'x' }),
      'NoSuchBucket',
    ],
    ['an unknown key', () => new GetObjectCommand({ Bucket, Key: 'missing' }), 'NoSuchKey'],
    [
      'a key of 1025 bytes',
      () => new PutObjectCommand({ ...object, Key: 'k'.repeat(1025) }),
      'KeyTooLongError',
    ],
    ['a condition', () => new PutObjectCommand({ ...object, IfNoneMatch: '*' }), 'NotImplemented'],
    [
      'a checksum, which it does not verify',
      () => new PutObjectCommand({ ...object, ChecksumAlgorithm: 'SHA256' }),
      'NotImplemented',
    ],
    [
      'another encoding of the content',
      () => new PutObjectCommand({ ...object, ContentEncoding: 'gzip' }),
      'NotImplemented',
    ],
    [
      'a storage class',
      () => new PutObjectCommand({ ...object, StorageClass: 'GLACIER' }),
      'NotImplemented',
    ],
    [
      'a range',
      () => new GetObjectCommand({ Bucket, Key: 'x', Range: 'bytes=0-1' }),
      'NotImplemented',
    ],
    ['a list of version 1', () => new ListObjectsCommand({ Bucket }), 'NotImplemented'],
    [
      'a list with a delimiter',
      () => new ListObjectsV2Command({ Bucket, Delimiter: '/' }),
      'NotImplemented',
    ],
    [
      'a copy',
      () => new CopyObjectCommand({ Bucket, Key: 'x', CopySource: `${Bucket}/empty` }),
      'NotImplemented',
    ],
    [
      'a multipart upload',
      () => new CreateMultipartUploadCommand({ Bucket, Key: 'x' }),
      'NotImplemented',
    ],
    [
      'an access list',
      () => new PutObjectAclCommand({ Bucket, Key: 'x', ACL: 'public-read' }),
      'NotImplemented',
    ],
  ])('refuses %s', async (_, command, name) => {
    // Commands of several kinds in one table: `send` has an overload for each, not for their union.
    await expect(s3.send(command() as GetObjectCommand)).rejects.toMatchObject({ name });
  });

  test('refuses to give the head of an object alone', async () => {
    await expect(s3.send(new HeadObjectCommand({ Bucket, Key: 'empty' }))).rejects.toMatchObject({
      $metadata: { httpStatusCode: 501 },
    });
  });
});
