import { afterAll, describe, expect, test } from '@jest/globals';
import {
  brotliCompressSync,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';
import { targetApi } from '../../../layers/core/adapters/target-api/index.ts';
import { anHttpServer, aRawServer, type TargetServer } from '../../support/target-server.ts';

const client = targetApi({
  policy: { loopback: { exceptPorts: [] } },
  timeoutSeconds: 20,
  maxBytes: 1000,
});

afterAll(() => client.close());

const get = ({ url }: TargetServer) => client.send('d', { method: 'GET', url, headers: {} });
const text = (body: Uint8Array): string => Buffer.from(body).toString();

const aServerOf = (body: Uint8Array | string, headers: Record<string, string> = {}) =>
  anHttpServer((_, response) => response.writeHead(200, headers).end(body));

describe('a body', () => {
  test.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['GZIP', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ])('in %s is decoded', async (encoding, encode) => {
    const body = encode('hello '.repeat(100));
    const length = String(body.length);
    await using server = await aServerOf(body, {
      'content-encoding': encoding,
      'content-length': length,
    });

    const answer = await get(server);

    expect(text(answer.body)).toBe('hello '.repeat(100));
    expect(Object.keys(answer.headers)).not.toContain('content-encoding');
    expect(Object.keys(answer.headers)).not.toContain('content-length');
    expect(answer).not.toHaveProperty('cut');
  });

  test('in several encodings is decoded from the last to the first', async () => {
    const body = brotliCompressSync(gzipSync('hello'));
    await using server = await aServerOf(body, { 'content-encoding': 'gzip, identity, br' });

    expect(text((await get(server)).body)).toBe('hello');
  });

  test.each(['utf-8', 'aws-chunked', 'gzip, rot13', 'constructor'])(
    'in an unknown encoding is left as it is: %s',
    async (encoding) => {
      await using server = await aServerOf('hello', { 'content-encoding': encoding });

      const answer = await get(server);

      expect(text(answer.body)).toBe('hello');
      expect(answer.headers['content-encoding']).toBe(encoding);
    },
  );

  test('that is empty needs no decoding', async () => {
    await using server = await aServerOf('', { 'content-encoding': 'gzip' });

    expect((await get(server)).body).toHaveLength(0);
  });

  test.each([
    ['is not what it says', 'hello', 'gzip'],
    ['ends too early', gzipSync('hello').subarray(0, -9), 'gzip'],
    ['ends too early', brotliCompressSync('hello').subarray(0, -2), 'br'],
    ['is not what it says within', gzipSync('hello'), 'br, gzip'],
    ['is encoded four times', 'x', 'gzip, gzip, gzip, gzip'],
  ])('that %s is no answer', async (_, body, encoding) => {
    await using server = await aServerOf(body, { 'content-encoding': encoding });

    await expect(get(server)).rejects.toMatchObject({ reason: 'invalid_response' });
  });

  test('may come byte by byte', async () => {
    await using server = await aRawServer((socket) => {
      const chunks = '1\r\nx\r\n'.repeat(1000);
      socket.write(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`);
    });

    expect(text((await get(server)).body)).toBe('x'.repeat(1000));
  });

  test('may last until the connection ends', async () => {
    await using server = await aRawServer((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nhello'));

    expect(text((await get(server)).body)).toBe('hello');
  });
});

describe('a body at the limit', () => {
  test('is whole', async () => {
    await using server = await aServerOf('x'.repeat(1000));

    const answer = await get(server);

    expect(answer.body).toHaveLength(1000);
    expect(answer).not.toHaveProperty('cut');
  });

  test('is cut one byte later, and says how long it would have been', async () => {
    await using server = await aServerOf('x'.repeat(1001), { 'content-length': '1001' });

    await expect(get(server)).resolves.toMatchObject({
      body: expect.objectContaining({ length: 1000 }),
      cut: { totalBytes: 1001 },
    });
  });

  test('is cut without a number where the target names none', async () => {
    await using server = await anHttpServer((_, response) => {
      response.write('x'.repeat(900));
      response.end('x'.repeat(900));
    });

    expect((await get(server)).cut).toEqual({});
  });

  test('is cut where it never ends', async () => {
    await using server = await anHttpServer((_, response) => {
      const pour = () => {
        while (response.write('x'.repeat(100)));
        response.once('drain', pour);
      };
      pour();
    });

    await expect(get(server)).resolves.toMatchObject({
      body: expect.objectContaining({ length: 1000 }),
    });
  });

  const megabytes = Buffer.alloc(64 * 1_048_576);

  test.each([
    ['gzip', gzipSync(megabytes)],
    ['deflate', deflateSync(megabytes)],
    ['br', brotliCompressSync(megabytes)],
    ['zstd', zstdCompressSync(megabytes)],
    ['gzip, gzip', gzipSync(gzipSync(megabytes))],
  ])('is cut where a bomb in %s goes on beyond it', async (encoding, bomb) => {
    const length = String(bomb.length);
    await using server = await aServerOf(bomb, {
      'content-encoding': encoding,
      'content-length': length,
    });

    const answer = await get(server);

    expect(answer.body).toHaveLength(1000);
    expect(answer.cut).toEqual({});
  });

  test('ends the connection when it is passed', async () => {
    const connection = Promise.withResolvers<void>();
    await using server = await anHttpServer((_, response) => {
      response.once('close', () => connection.resolve());
      response.write('x'.repeat(1001));
    });

    await get(server);

    await connection.promise;
    expect(server.connections).toHaveLength(1);
  });
});
