import { afterAll, describe, expect, test } from '@jest/globals';
import * as tls from 'node:tls';
import { inspect } from 'node:util';
import { failure } from '../../../layers/core/adapters/target-api/failure.ts';
import { targetApi, web } from '../../../layers/core/adapters/target-api/index.ts';
import type { NoAnswerReason, TargetPolicy } from '../../../layers/core/domain/target.ts';
import {
  anHttpServer,
  anHttpsServer,
  aRawServer,
  certificate,
  type TargetServer,
} from '../../support/target-server.ts';

const loopback: TargetPolicy = { loopback: { exceptPorts: [] } };
const patient = targetApi({ policy: loopback, timeoutSeconds: 20, maxBytes: 1000 });
const hasty = targetApi({ policy: loopback, timeoutSeconds: 0.2, maxBytes: 1000 });
const hastyToConnect = targetApi({
  policy: loopback,
  timeoutSeconds: 20,
  maxBytes: 1000,
  connectTimeoutSeconds: 0.2,
});

afterAll(() => {
  for (const client of [patient, hasty, hastyToConnect]) client.close();
});

const SECRET = 'c4n4ry';

const get = (client: typeof patient, url: string) =>
  client.send('d', {
    method: 'GET',
    url: `${url}/?api_key=${SECRET}`,
    headers: { authorization: `Bearer ${SECRET}` },
  });

const aSilentServer = () => aRawServer((socket) => void socket.resume());

const overTls = ({ port }: TargetServer, host = '127.0.0.1') => `https://${host}:${port}`;

/** Expects a reason, and that neither message nor anything attached to the error tells a secret. */
const expectNoAnswer = async (sent: Promise<unknown>, reason: NoAnswerReason): Promise<void> => {
  const error: unknown = await sent.then(
    () => 'an answer',
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({ name: 'NoAnswer', reason });
  expect(inspect(error, { depth: 9 })).not.toContain(SECRET);
};

describe('there is no answer', () => {
  test('because nobody listens', async () => {
    const server = await aSilentServer();
    await server[Symbol.asyncDispose]();

    await expectNoAnswer(get(patient, server.url), 'connection_refused');
  });

  test('because the name does not exist', async () => {
    // Longer than names may be, so that no resolver is asked.
    await expectNoAnswer(get(patient, `https://${'a'.repeat(64)}.invalid`), 'dns_failure');
  });

  test.each([
    ['says nothing', ''],
    ['sends half a head', 'HTTP/1.1 200 OK\r\nX-Secret: c4n4ry'],
    ['sends half a body', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf'],
    ['sends interim answers only', 'HTTP/1.1 102 Processing\r\n\r\n'],
  ])('because the target %s and time is up', async (_, said) => {
    await using server = await aRawServer((socket) => void socket.resume().write(said));

    await expectNoAnswer(get(hasty, server.url), 'timeout');
  });

  test('because the body drips and time is up', async () => {
    await using server = await anHttpServer((_, response) => {
      const drip = setInterval(() => response.write('x'), 20);
      response.once('close', () => clearInterval(drip));
    });

    await expectNoAnswer(get(hasty, server.url), 'timeout');
  });

  test('because all connections are taken and time is up', async () => {
    await using server = await aSilentServer();

    const sent = Array.from({ length: 65 }, () => get(hasty, server.url));

    await Promise.all(sent.map((one) => expectNoAnswer(one, 'timeout')));
  });

  test('because redirects took all the time', async () => {
    await using server = await anHttpServer((_, response) =>
      setTimeout(() => response.writeHead(302, { location: '/' }).end(), 150),
    );

    await expectNoAnswer(get(hasty, server.url), 'timeout');
  });

  test('and the connection is closed when time is up', async () => {
    const closed = Promise.withResolvers<void>();
    await using server = await aRawServer(
      (socket) => void socket.resume().once('close', closed.resolve),
    );

    await expectNoAnswer(get(hasty, server.url), 'timeout');

    await closed.promise;
    expect(server.connections).toHaveLength(1);
  });

  test.each([
    ['speaks another protocol', `SSH-2.0-OpenSSH ${SECRET}\r\n`],
    ['sends a bad header', `HTTP/1.1 200 OK\r\nbad header: ${SECRET}\r\n\r\n`],
    ['sends two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx'],
    [
      'sends a length and chunks',
      'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['sends bad chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
    ['sends a head over 16 KB', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`],
    ['sends a head without end', `HTTP/1.1 200 OK\r\n${'X: y\r\n'.repeat(10_000)}`],
    [
      'switches protocols',
      'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n',
    ],
  ])('because the target %s', async (_, said) => {
    await using server = await aRawServer((socket) =>
      socket.once('data', () => socket.write(said)),
    );

    await expectNoAnswer(get(patient, server.url), 'invalid_response');
  });

  test.each([
    ['hangs up', ''],
    ['hangs up within the head', 'HTTP/1.1 200 OK\r\nX-'],
    ['hangs up within the body', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf'],
    [
      'hangs up within the chunks',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n',
    ],
  ])('because the target %s', async (_, said) => {
    await using server = await aRawServer((socket) => socket.once('data', () => socket.end(said)));

    await expectNoAnswer(get(patient, server.url), 'connection_failed');
  });
});

describe('there is no answer over TLS', () => {
  test('because the certificate is self-signed', async () => {
    await using server = await anHttpsServer((_, response) => response.end('hi'));

    await expectNoAnswer(get(patient, server.url), 'tls_failure');
    expect(server.requests).toHaveLength(0);
  });

  test('because the target does not speak it', async () => {
    await using server = await anHttpServer((_, response) => response.end('hi'));

    await expectNoAnswer(get(patient, overTls(server)), 'tls_failure');
  });

  test('because the target hangs up within the handshake', async () => {
    await using server = await aRawServer((socket) => socket.once('data', () => socket.destroy()));

    await expectNoAnswer(get(patient, overTls(server)), 'tls_failure');
  });

  test('because the handshake takes too long', async () => {
    await using server = await aSilentServer();

    await expectNoAnswer(get(hastyToConnect, overTls(server)), 'timeout');
  });

  describe('with a certificate that is trusted', () => {
    const trusting = async (work: () => Promise<void>): Promise<void> => {
      const before = tls.getCACertificates('default');
      tls.setDefaultCACertificates([certificate]);
      await work().finally(() => tls.setDefaultCACertificates(before));
    };

    test('there is one, on one connection', () =>
      trusting(async () => {
        await using server = await anHttpsServer((_, response) => response.end('hi'));

        await get(patient, server.url);
        await get(patient, server.url);

        expect(server.requests).toHaveLength(2);
        expect(server.connections).toHaveLength(1);
      }));

    test('there is one on a connection that resumes a session', () =>
      trusting(async () => {
        await using server = await anHttpsServer((_, response) => response.end('hi'));
        const client = web({ policy: loopback });
        const limits = { maxBytes: 1000, timeoutSeconds: 20 };

        await client.fetch(server.url, limits);
        await client.fetch(server.url, limits);

        expect(server.requests).toHaveLength(2);
        expect(server.connections).toHaveLength(2);
      }));

    test('there is none because it is for another host', () =>
      trusting(async () => {
        await using server = await anHttpsServer((_, response) => response.end('hi'));
        await expectNoAnswer(get(patient, overTls(server, '127.0.0.1')), 'tls_failure');
        expect(server.requests).toHaveLength(0);
      }));
  });
});

describe('nothing is sent', () => {
  const production = targetApi({ policy: {}, timeoutSeconds: 20, maxBytes: 1000 });

  test.each([
    ['a loopback address', '127.0.0.1'],
    ['a name that resolves to one', 'localhost'],
    ['its decimal form', '2130706433'],
    ['its mapped form', '[::ffff:127.0.0.1]'],
  ])('to %s in production', async (_, host) => {
    await using server = await anHttpsServer((_, response) => response.end('hi'));

    await expectNoAnswer(get(production, overTls(server, host)), 'blocked_address');
    expect(server.connections).toHaveLength(0);
  });

  test('without TLS in production', async () => {
    await using server = await anHttpServer((_, response) => response.end('hi'));

    await expectNoAnswer(get(production, server.url), 'blocked_address');
    expect(server.connections).toHaveLength(0);
  });

  test.each(['127.0.0.1', 'localhost'])('to a port that is excepted, by %s', async (host) => {
    await using server = await anHttpServer((_, response) => response.end('hi'));
    const policy = { loopback: { exceptPorts: [server.port] } };
    const client = targetApi({ policy, timeoutSeconds: 20, maxBytes: 1000 });

    await expectNoAnswer(get(client, `http://${host}:${server.port}`), 'blocked_address');
    expect(server.connections).toHaveLength(0);
  });

  test.each([
    ['a line break in a header', { headers: { 'x-a': `${SECRET}\r\nx-b: 1` } }],
    ['a header that is no Latin-1', { headers: { 'x-a': `${SECRET}日本` } }],
    ['a header name with a space', { headers: { 'x a': SECRET } }],
    ['an invalid method', { method: 'GE T' }],
    ['a URL that is none', { url: `//${SECRET}` }],
    ['a head over 64 KB', { headers: { 'x-a': SECRET.repeat(11_000) } }],
  ])('that has %s', async (_, wrong) => {
    await using server = await anHttpServer((_, response) => response.end('hi'));
    const request = { method: 'GET', url: `${server.url}/`, headers: {}, ...wrong };

    await expectNoAnswer(patient.send('d', request), 'invalid_request');
    expect(server.connections).toHaveLength(0);
  });

  test('of a head over 64 KB, but all of one that is just so large', async () => {
    await using server = await aRawServer((socket) => {
      let head = '';
      socket.setEncoding('latin1').on('data', (data: string) => {
        head += data;
        if (head.endsWith('\r\n\r\n')) socket.write('HTTP/1.1 204 No Content\r\n\r\n');
      });
    });
    const url = `${server.url}/`;
    const fitting = { method: 'GET', url, headers: { a: 'x'.repeat(65_536 - url.length - 1) } };
    const tooLarge = { ...fitting, headers: { a: `${fitting.headers.a}x` } };

    await expect(patient.send('d', fitting)).resolves.toMatchObject({ status: 204 });
    await expectNoAnswer(patient.send('d', tooLarge), 'invalid_request');
  });
});

describe('an error of Node means', () => {
  const codes = (...all: string[]) => all.map((code) => Object.assign(new Error(SECRET), { code }));

  test.each<[string, NoAnswerReason]>([
    ['ENOTFOUND', 'dns_failure'],
    ['EAI_AGAIN', 'dns_failure'],
    ['ECONNREFUSED', 'connection_refused'],
    ['ETIMEDOUT', 'timeout'],
    ['ENETUNREACH', 'connection_failed'],
    ['EHOSTUNREACH', 'connection_failed'],
    ['ECONNRESET', 'connection_failed'],
    ['EPIPE', 'connection_failed'],
    ['HPE_INVALID_CONSTANT', 'invalid_response'],
    ['EPROTO', 'tls_failure'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls_failure'],
    ['ERR_INVALID_CHAR', 'invalid_request'],
    ['ESOMETHING', 'connection_failed'],
  ])('with code %s: %s', (code, reason) => {
    const [error] = codes(code);
    const mapped = failure(error, 'https://example.com', null);

    expect(mapped.reason).toBe(reason);
    expect(mapped.message).toBe(`https://example.com: ${code}`);
  });

  test('of several addresses: what the most telling of them said', () => {
    const error = new AggregateError(codes('ENETUNREACH', 'ECONNREFUSED'));

    expect(failure(error, 'https://example.com', null)).toMatchObject({
      reason: 'connection_refused',
      message: 'https://example.com: ENETUNREACH, ECONNREFUSED',
    });
  });

  test.each([
    ['nothing', undefined],
    ['a text', 'oh'],
    ['no code', new Error(SECRET)],
  ])('a failed connection where it is %s', (_, error) => {
    expect(failure(error, 'https://example.com', null)).toMatchObject({
      reason: 'connection_failed',
      message: 'https://example.com: no error code',
    });
  });
});
