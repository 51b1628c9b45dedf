import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { s3Files } from '../../../layers/platform/s3/files.ts';
import { connectionOf, startTestAws } from '../../support/aws/aws.ts';

const aws = await startTestAws();
afterAll(() => aws.stop());
afterEach(() => aws.aws.faults.clear());

const files = (bucket = aws.bucket) => {
  const { endpoint, region, credentials } = connectionOf(aws.aws, 'test');
  return s3Files({ endpoint, region, credentials }, bucket);
};

/** Each byte value, so that nothing on the way takes it for text. */
const bytes = Uint8Array.from({ length: 70_000 }, (_, i) => i % 256);

describe('files in S3', () => {
  test.each([
    ['no bytes', new Uint8Array()],
    ['one byte', Uint8Array.of(255)],
    ['many bytes', bytes],
  ])('are read back as they were written: %s', async (name, content) => {
    await files().put(name, content);

    expect(Buffer.from(await files().get(name, content.length)).equals(content)).toBe(true);
  });

  test.each([
    ['shorter', bytes.length - 1],
    ['longer', bytes.length + 1],
  ])('are a fault if their length should be %s', async (_, expected) => {
    await files().put('sized', bytes);

    await expect(files().get('sized', expected)).rejects.toMatchObject({
      neighbour: 's3',
      message: `s3: sized has 70000 bytes, not ${expected}`,
    });
  });

  test('are readable after a fault', async () => {
    const same = files();
    await same.put('again', bytes);
    await same.get('again', 1).catch(() => undefined);

    expect(await same.get('again', bytes.length)).toHaveLength(bytes.length);
  });

  test('are a fault if they do not exist', async () => {
    await expect(files().get('nothing-there', 1)).rejects.toMatchObject({
      message: 's3: NoSuchKey',
      cause: { name: 'NoSuchKey' },
    });
  });

  test('are a fault if the bucket does not exist', async () => {
    await expect(files('no-bucket').put('a', bytes)).rejects.toMatchObject({ neighbour: 's3' });
  });

  test.each(['fail', 'throttle', 'drop'] as const)(
    'are a fault where requests to S3 fail: %s',
    async (kind) => {
      aws.aws.faults.inject({ kind, on: { service: 's3' } });

      await expect(files().put('a', bytes)).rejects.toMatchObject({ neighbour: 's3' });
      await expect(files().get('a', 1)).rejects.toMatchObject({ neighbour: 's3' });
    },
  );
});
