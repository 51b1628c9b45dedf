import { createHash } from 'node:crypto';
import { brotliCompressSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import {
  MAX_TEXT_BYTES,
  compress,
  decompress,
} from '../../../layers/platform/compression/compressed-text.ts';

describe('compressing text', () => {
  test.each([
    ['nothing', ''],
    ['ASCII', '{"a":1}'],
    ['all of Unicode', 'é 日本 😀 \u0000'],
    ['a long text', 'tool '.repeat(500_000)],
  ])('gives it back exactly: %s', async (_, text) => {
    expect(await decompress(await compress(text))).toBe(text);
  });

  test('makes repeated text much smaller and the same each time', async () => {
    const text = JSON.stringify(Array(1000).fill({ name: 'getUser', method: 'GET' }));
    const [one, two] = await Promise.all([compress(text), compress(text)]);

    expect(one.bytes.length).toBeLessThan(text.length / 50);
    expect(one.sha256).toBe(two.sha256);
  });

  test('refuses what could not be decompressed again', async () => {
    await expect(compress('a'.repeat(MAX_TEXT_BYTES + 1))).rejects.toThrow('are too many');
  });

  test('stops a bomb at the size limit, whatever length it claims', async () => {
    const bytes = brotliCompressSync(Buffer.alloc(MAX_TEXT_BYTES + 1));
    const sha256 = createHash('sha256').update(bytes).digest('hex');

    await expect(decompress({ bytes, sha256, textBytes: 1 })).rejects.toMatchObject({
      code: 'ERR_BUFFER_TOO_LARGE',
    });
  });
});
