import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import {
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { s3Files } from '../../../layers/platform/s3/files.ts';
import { s3StoredReplies } from '../../../layers/mcp/store/stored-replies.ts';
import type {
  ReplyPart,
  StoredReplyPlace,
} from '../../../layers/tools/answer/result-continuation.ts';
import { connectionOf, startTestAws, type TestAws } from '../../support/aws/aws.ts';
import { NOON } from '../../support/aws/dynamodb-fixtures.ts';

let aws: TestAws;
let s3: S3Client;
let Bucket: string;
beforeAll(async () => {
  aws = await startTestAws();
  s3 = aws.client(S3Client);
  Bucket = aws.answersBucket;
});
afterAll(() => aws.stop());
afterEach(() => aws.aws.faults.clear());

const answers = () => {
  const { endpoint, region, credentials } = connectionOf(aws.aws, 'test');
  return s3StoredReplies(s3Files({ endpoint, region, credentials }, aws.answersBucket));
};

let places = 0;
const aPlace = (over: Partial<StoredReplyPlace> = {}): StoredReplyPlace => ({
  deploymentId: 'dep-1',
  caller: 'holder ann',
  answerId: String((places += 1)).padStart(64, '0'),
  ...over,
});

const aText = (text: string): ReplyPart => ({ form: 'text', text });
const keysBelow = async (Prefix: string): Promise<string[]> => {
  const page = await s3.send(new ListObjectsV2Command({ Bucket, Prefix }));
  return (page.Contents ?? []).map(({ Key = '' }) => Key);
};

describe('the stored parts of a long answer', () => {
  test('are found under their numbers as they were stored', async () => {
    const place = aPlace();
    const parts: ReplyPart[] = [aText('Grüße 😀\u0000'), aText('')];
    const bytes: ReplyPart = { form: 'bytes', bytes: Uint8Array.of(0, 255, 13, 10) };
    await answers().put(place, [...parts, bytes], NOON);

    expect(await answers().find(place, 1)).toEqual({ part: parts[0], keptAt: NOON });
    expect(await answers().find(place, 2)).toEqual({ part: parts[1], keptAt: NOON });
    const third = await answers().find(place, 3);
    expect(third?.part.form === 'bytes' && [...third.part.bytes]).toEqual([0, 255, 13, 10]);
  });

  test.each([
    ['another number', {}, 2],
    ['another caller', { caller: 'holder bob' }, 1],
    ['another deployment', { deploymentId: 'dep-2' }, 1],
    ['another answer', { answerId: 'f'.repeat(64) }, 1],
  ])('are not found under %s', async (_, over, number) => {
    const place = aPlace();
    await answers().put(place, [aText('mine')], NOON);

    expect(await answers().find({ ...place, ...over }, number)).toBeUndefined();
  });

  test('have keys that do not contain the caller', async () => {
    const place = aPlace({ deploymentId: 'dep-keys', caller: 'anonymous 2001:db8::/64' });
    await answers().put(place, [aText('a'), aText('b')], NOON);

    const keys = await keysBelow('dep-keys/');
    const at = (number: number) =>
      new RegExp(`^dep-keys/[0-9a-f]{64}/${place.answerId}/${number}$`);
    expect(keys).toEqual([expect.stringMatching(at(1)), expect.stringMatching(at(2))]);
  });

  test('are reported as missing where S3 denies access', async () => {
    aws.aws.faults.inject({ kind: 'deny', on: { service: 's3' } });

    expect(await answers().find(aPlace(), 1)).toBeUndefined();
  });
});

describe('the parts of an answer that were altered in S3', () => {
  const spoiled = async (
    spoil: (object: { body: Uint8Array; metadata: Record<string, string> }) => {
      body?: Uint8Array;
      metadata?: Record<string, string>;
    },
  ) => {
    const place = aPlace({ deploymentId: `dep-spoiled-${places}` });
    await answers().put(place, [aText('as it was')], NOON);
    const [Key] = await keysBelow(`${place.deploymentId}/`);
    const { Body, Metadata } = await s3.send(new GetObjectCommand({ Bucket, Key }));
    const object = { body: await Body!.transformToByteArray(), metadata: Metadata! };
    const { body: now, metadata } = { ...object, ...spoil(object) };
    await s3.send(new PutObjectCommand({ Bucket, Key, Body: now, Metadata: metadata }));
    return place;
  };

  test.each([
    ['other bytes', () => ({ body: Buffer.from('as it wos') })],
    ['fewer bytes', ({ body }: { body: Uint8Array }) => ({ body: body.subarray(1) })],
    [
      'no hash',
      ({ metadata }: { metadata: Record<string, string> }) => ({
        metadata: { ...metadata, sha256: '' },
      }),
    ],
    [
      'no time',
      ({ metadata }: { metadata: Record<string, string> }) => ({
        metadata: { ...metadata, 'kept-at': 'soon' },
      }),
    ],
    [
      'another form',
      ({ metadata }: { metadata: Record<string, string> }) => ({
        metadata: { ...metadata, form: 'html' },
      }),
    ],
    ['no metadata', () => ({ metadata: {} })],
  ])('are a fault that names no key: %s', async (_, spoil) => {
    const found = answers().find(await spoiled(spoil), 1);

    await expect(found).rejects.toMatchObject({
      neighbour: 's3',
      message: 's3: a part of an answer is not what was kept',
    });
  });

  test('are a fault before they are read if they are too large', async () => {
    const place = await spoiled(() => ({ body: new Uint8Array(4 * 1024 * 1024 + 1) }));

    await expect(answers().find(place, 1)).rejects.toMatchObject({
      message: 's3: a file has 4194305 bytes, more than 4194304',
    });
  });
});

describe('a failing S3', () => {
  test.each(['fail', 'throttle', 'drop', 'deny'] as const)('stores no part: %s', async (kind) => {
    aws.aws.faults.inject({ kind, on: { service: 's3', operation: 'PutObject' } });

    await expect(answers().put(aPlace(), [aText('a'), aText('b')], NOON)).rejects.toMatchObject({
      neighbour: 's3',
    });
  });

  test('is given up after a few seconds', async () => {
    aws.aws.faults.inject({ kind: 'delay', ms: 5500, on: { operation: 'PutObject' } });

    await expect(answers().put(aPlace(), [aText('a')], NOON)).rejects.toMatchObject({
      message: expect.stringMatching(/^s3: (Abort|Timeout)Error$/),
    });
  });

  test.each(['fail', 'throttle', 'drop'] as const)(
    'is reported where a part is read: %s',
    async (kind) => {
      aws.aws.faults.inject({ kind, on: { service: 's3', operation: 'GetObject' } });

      await expect(answers().find(aPlace(), 1)).rejects.toMatchObject({ neighbour: 's3' });
    },
  );
});
