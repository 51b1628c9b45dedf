import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import {
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { s3Files } from '../../../layers/core/adapters/s3/files.ts';
import { s3KeptAnswers } from '../../../layers/core/adapters/s3/kept-answers.ts';
import type { KeptPart, KeptPlace } from '../../../layers/core/domain/kept-parts.ts';
import { connectionOf, startTestAws, type TestAws } from '../../support/aws.ts';
import { NOON } from '../dynamodb/fixtures.ts';

let aws: TestAws;
let s3: S3Client;
beforeAll(async () => {
  aws = await startTestAws();
  s3 = aws.client(S3Client);
});
afterAll(() => aws.stop());
afterEach(() => aws.aws.faults.clear());

const answers = () => {
  const { endpoint, region, credentials } = connectionOf(aws.aws, 'test');
  return s3KeptAnswers(s3Files({ endpoint, region, credentials }, aws.bucket));
};

let places = 0;
const aPlace = (over: Partial<KeptPlace> = {}): KeptPlace => ({
  deploymentId: 'dep-1',
  caller: 'holder ann',
  answerId: String((places += 1)).padStart(64, '0'),
  ...over,
});

const aText = (text: string): KeptPart => ({ form: 'text', text });
const keysBelow = async (Prefix: string): Promise<string[]> => {
  const page = await s3.send(new ListObjectsV2Command({ Bucket: aws.bucket, Prefix }));
  return (page.Contents ?? []).map(({ Key = '' }) => Key);
};

describe('parts of an answer', () => {
  test('are found under their numbers as they were kept', async () => {
    const place = aPlace();
    const parts: KeptPart[] = [aText('Grüße 😀\u0000'), aText('')];
    const bytes: KeptPart = { form: 'bytes', bytes: Uint8Array.of(0, 255, 13, 10) };
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

  test('stand where the lifecycle of the bucket removes them, without the name of the caller', async () => {
    const place = aPlace({ deploymentId: 'dep-keys', caller: 'anonymous 2001:db8::/64' });
    await answers().put(place, [aText('a'), aText('b')], NOON);

    const keys = await keysBelow('answers/dep-keys/');
    const at = (number: number) =>
      new RegExp(`^answers/dep-keys/[0-9a-f]{64}/${place.answerId}/${number}$`);
    expect(keys).toEqual([expect.stringMatching(at(1)), expect.stringMatching(at(2))]);
  });

  test('are not found where S3 denies them, as it does what is not there', async () => {
    aws.aws.faults.inject({ kind: 'deny', on: { service: 's3' } });

    expect(await answers().find(aPlace(), 1)).toBeUndefined();
  });
});

describe('parts that are not what was kept', () => {
  const spoiled = async (
    spoil: (object: { body: Uint8Array; metadata: Record<string, string> }) => {
      body?: Uint8Array;
      metadata?: Record<string, string>;
    },
  ) => {
    const place = aPlace({ deploymentId: `dep-spoiled-${places}` });
    await answers().put(place, [aText('as it was')], NOON);
    const [Key] = await keysBelow(`answers/${place.deploymentId}/`);
    const { Body, Metadata } = await s3.send(new GetObjectCommand({ Bucket: aws.bucket, Key }));
    const object = { body: await Body!.transformToByteArray(), metadata: Metadata! };
    const { body: now, metadata } = { ...object, ...spoil(object) };
    await s3.send(new PutObjectCommand({ Bucket: aws.bucket, Key, Body: now, Metadata: metadata }));
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
    ['nothing beside it', () => ({ metadata: {} })],
  ])('are a fault that names no place: %s', async (_, spoil) => {
    const found = answers().find(await spoiled(spoil), 1);

    await expect(found).rejects.toMatchObject({
      neighbour: 's3',
      message: 's3: a part of an answer is not what was kept',
    });
  });

  test('are a fault before they are read, if they are too large', async () => {
    const place = await spoiled(() => ({ body: new Uint8Array(4 * 1024 * 1024 + 1) }));

    await expect(answers().find(place, 1)).rejects.toMatchObject({
      message: 's3: a file has 4194305 bytes, more than 4194304',
    });
  });
});

describe('a store that is down', () => {
  test.each(['fail', 'throttle', 'drop', 'deny'] as const)('keeps nothing: %s', async (kind) => {
    aws.aws.faults.inject({ kind, on: { service: 's3', operation: 'PutObject' } });

    await expect(answers().put(aPlace(), [aText('a'), aText('b')], NOON)).rejects.toMatchObject({
      neighbour: 's3',
    });
  });

  test('is given up where it takes longer than the few seconds there are', async () => {
    aws.aws.faults.inject({ kind: 'delay', ms: 5500, on: { operation: 'PutObject' } });

    await expect(answers().put(aPlace(), [aText('a')], NOON)).rejects.toMatchObject({
      message: expect.stringMatching(/^s3: (Abort|Timeout)Error$/),
    });
  });

  test.each(['fail', 'throttle', 'drop'] as const)(
    'finds nothing and says so: %s',
    async (kind) => {
      aws.aws.faults.inject({ kind, on: { service: 's3', operation: 'GetObject' } });

      await expect(answers().find(aPlace(), 1)).rejects.toMatchObject({ neighbour: 's3' });
    },
  );
});
