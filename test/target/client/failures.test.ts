import { afterAll, describe, expect, test } from '@jest/globals';
import * as tls from 'node:tls';
import { inspect } from 'node:util';
import { failure } from '../../../layers/target/client/failure.ts';
import { targetApi } from '../../../layers/target/client/target-api.ts';
import { web } from '../../../layers/target/client/web.ts';
import type { NoAnswerReason, TargetPolicy } from '../../../layers/target/rules/target.ts';
import {
  anHttpServer,
  anHttpsServer,
  aRawServer,
  certificate,
  type TargetServer,
} from '../../support/target/target-server.ts';

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

describe('a request to a target API', () => {
  test('has no answer because nobody listens', async () => {
    const server = await aSilentServer();
    await server[Symbol.asyncDispose]();

    await expectNoAnswer(get(patient, server.url), 'connection_refused');
  });

  test('has no answer because the host name does not exist', async () => {
    // Longer than names may be, so that no resolver is asked.
    await expectNoAnswer(get(patient, `https://${'a'.repeat(64)}.invalid`), 'dns_failure');
  });

  test.each([
    ['sends nothing', ''],
    ['sends half of the headers', 'HTTP/1.1 200 OK\r\nX-Secret: c4n4ry'],
    ['sends no body', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n'],
    ['sends interim responses only', 'HTTP/1.1 102 Processing\r\n\r\n'],
  ])('has no answer because the target %s until the timeout', async (_, said) => {
    await using server = await aRawServer((socket) => void socket.resume().write(said));

    await expectNoAnswer(get(hasty, server.url), 'timeout');
  });

  test('has the part of a body that came until the timeout', async () => {
    const half = 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf';
    await using server = await aRawServer((socket) => void socket.resume().write(half));

    const answer = await get(hasty, server.url);

    expect(Buffer.from(answer.body).toString()).toBe('half');
    expect(answer.cut).toEqual({ by: 'time', totalBytes: 9, missingBytes: 5 });
  });

  test('has the part of a body that arrives too slowly, and closes its connection', async () => {
    const closed = Promise.withResolvers<void>();
    await using server = await anHttpServer((_, response) => {
      const drip = setInterval(() => response.write('x'), 20);
      response.once('close', () => {
        clearInterval(drip);
        closed.resolve();
      });
    });

    const answer = await get(hasty, server.url);

    await closed.promise;
    expect(Buffer.from(answer.body).toString()).toMatch(/^x+$/);
    expect(answer.cut).toEqual({ by: 'time' });
  });

  test('has no answer because all connections are in use until the timeout', async () => {
    await using server = await aSilentServer();

    const sent = Array.from({ length: 65 }, () => get(hasty, server.url));

    await Promise.all(sent.map((one) => expectNoAnswer(one, 'timeout')));
  });

  test('has no answer because redirects took all the time', async () => {
    await using server = await anHttpServer((_, response) =>
      setTimeout(() => response.writeHead(302, { location: '/' }).end(), 150),
    );

    await expectNoAnswer(get(hasty, server.url), 'timeout');
  });

  test('has its connection closed at the timeout', async () => {
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
    ['sends headers over 16 KB', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`],
    ['sends endless headers', `HTTP/1.1 200 OK\r\n${'X: y\r\n'.repeat(10_000)}`],
    [
      'switches protocols',
      'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n',
    ],
  ])('has no answer because the target %s', async (_, said) => {
    await using server = await aRawServer((socket) =>
      socket.once('data', () => socket.write(said)),
    );

    await expectNoAnswer(get(patient, server.url), 'invalid_response');
  });

  test.each([
    ['closes the connection', ''],
    ['closes it within the headers', 'HTTP/1.1 200 OK\r\nX-'],
    ['closes it within the body', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf'],
    [
      'closes it within the chunks',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n',
    ],
  ])('has no answer because the target %s', async (_, said) => {
    await using server = await aRawServer((socket) => socket.once('data', () => socket.end(said)));

    await expectNoAnswer(get(patient, server.url), 'connection_failed');
  });
});

describe('a request over TLS', () => {
  test('has no answer because the certificate is self-signed', async () => {
    await using server = await anHttpsServer((_, response) => response.end('hi'));

    await expectNoAnswer(get(patient, server.url), 'certificate_self_signed');
    expect(server.requests).toHaveLength(0);
  });

  test('has no answer because the target does not support TLS', async () => {
    await using server = await anHttpServer((_, response) => response.end('hi'));

    await expectNoAnswer(get(patient, overTls(server)), 'tls_failure');
  });

  test('has no answer because the target closes the connection within the handshake', async () => {
    await using server = await aRawServer((socket) => socket.once('data', () => socket.destroy()));

    await expectNoAnswer(get(patient, overTls(server)), 'tls_failure');
  });

  test('has no answer because the handshake takes too long', async () => {
    await using server = await aSilentServer();

    await expectNoAnswer(get(hastyToConnect, overTls(server)), 'timeout');
  });

  describe('with a certificate that its deployment trusts', () => {
    const send = (client: typeof patient, url: string, deploymentId = 'd') =>
      client.send(deploymentId, {
        method: 'GET',
        url,
        headers: {},
        certificateAuthorities: [certificate],
      });

    test('has an answer, on a connection that other requests do not share', async () => {
      await using server = await anHttpsServer((_, response) => response.end('hi'));

      await expect(send(patient, server.url)).resolves.toMatchObject({ status: 200 });
      await expect(send(patient, server.url)).resolves.toMatchObject({ status: 200 });
      expect(server.connections).toHaveLength(1);
      await expectNoAnswer(get(patient, server.url), 'certificate_self_signed');
    });

    test('has none where that is for another host', async () => {
      await using server = await anHttpsServer((_, response) => response.end('hi'));

      await expectNoAnswer(
        send(patient, overTls(server, '127.0.0.1')),
        'certificate_of_another_host',
      );
    });

    test('has an answer where the local run trusts it', async () => {
      await using server = await anHttpsServer((_, response) => response.end('hi'));
      const client = targetApi({
        policy: { loopback: { exceptPorts: [], certificateAuthorities: [certificate] } },
        timeoutSeconds: 20,
        maxBytes: 1000,
      });

      const answer = await get(client, server.url);
      client.close();

      expect(answer).toMatchObject({ status: 200 });
    });
  });

  describe('with a trusted certificate', () => {
    const trusting = async (work: () => Promise<void>): Promise<void> => {
      const before = tls.getCACertificates('default');
      tls.setDefaultCACertificates([certificate]);
      await work().finally(() => tls.setDefaultCACertificates(before));
    };

    test('has an answer on a reused connection', () =>
      trusting(async () => {
        await using server = await anHttpsServer((_, response) => response.end('hi'));

        await get(patient, server.url);
        await get(patient, server.url);

        expect(server.requests).toHaveLength(2);
        expect(server.connections).toHaveLength(1);
      }));

    test('has an answer on a connection that resumes a TLS session', () =>
      trusting(async () => {
        await using server = await anHttpsServer((_, response) => response.end('hi'));
        const client = web({ policy: loopback });
        const limits = { maxBytes: 1000, timeoutSeconds: 20 };

        await client.fetch(server.url, limits);
        await client.fetch(server.url, limits);

        expect(server.requests).toHaveLength(2);
        expect(server.connections).toHaveLength(2);
      }));

    test('has no answer because the certificate is for another host', () =>
      trusting(async () => {
        await using server = await anHttpsServer((_, response) => response.end('hi'));
        await expectNoAnswer(
          get(patient, overTls(server, '127.0.0.1')),
          'certificate_of_another_host',
        );
        expect(server.requests).toHaveLength(0);
      }));
  });
});

describe('an invalid or forbidden request', () => {
  const production = targetApi({ policy: {}, timeoutSeconds: 20, maxBytes: 1000 });

  test.each([
    ['a loopback address', '127.0.0.1'],
    ['a name that resolves to loopback', 'localhost'],
    ['a decimal loopback address', '2130706433'],
    ['an IPv4-mapped loopback address', '[::ffff:127.0.0.1]'],
  ])('is not sent to %s in production', async (_, host) => {
    await using server = await anHttpsServer((_, response) => response.end('hi'));

    await expectNoAnswer(get(production, overTls(server, host)), 'blocked_address');
    expect(server.connections).toHaveLength(0);
  });

  test('is not sent without TLS in production', async () => {
    await using server = await anHttpServer((_, response) => response.end('hi'));

    await expectNoAnswer(get(production, server.url), 'blocked_address');
    expect(server.connections).toHaveLength(0);
  });

  test.each(['127.0.0.1', 'localhost'])('is not sent to an excepted port, by %s', async (host) => {
    await using server = await anHttpServer((_, response) => response.end('hi'));
    const policy = { loopback: { exceptPorts: [server.port] } };
    const client = targetApi({ policy, timeoutSeconds: 20, maxBytes: 1000 });

    await expectNoAnswer(get(client, `http://${host}:${server.port}`), 'blocked_address');
    expect(server.connections).toHaveLength(0);
  });

  test.each([
    ['a line break in a header', { headers: { 'x-a': `${SECRET}\r\nx-b: 1` } }],
    ['a header that is not Latin-1', { headers: { 'x-a': `${SECRET}日本` } }],
    ['a header name with a space', { headers: { 'x a': SECRET } }],
    ['an invalid method', { method: 'GE T' }],
    ['a relative URL', { url: `//${SECRET}` }],
    ['headers over 64 KB', { headers: { 'x-a': SECRET.repeat(11_000) } }],
  ])('is not sent with %s', async (_, wrong) => {
    await using server = await anHttpServer((_, response) => response.end('hi'));
    const request = { method: 'GET', url: `${server.url}/`, headers: {}, ...wrong };

    await expectNoAnswer(patient.send('d', request), 'invalid_request');
    expect(server.connections).toHaveLength(0);
  });

  test('is not sent with headers one byte over 64 KB', async () => {
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

describe('an error of Node.js', () => {
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
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'certificate_self_signed'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'certificate_of_unknown_authority'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'certificate_of_unknown_authority'],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'certificate_of_unknown_authority'],
    ['CERT_HAS_EXPIRED', 'certificate_expired'],
    ['CERT_NOT_YET_VALID', 'certificate_expired'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate_of_another_host'],
    ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'client_certificate_refused'],
    ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', 'client_certificate_refused'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls_failure'],
    ['ERR_INVALID_CHAR', 'invalid_request'],
    ['ESOMETHING', 'connection_failed'],
  ])('with the code %s is mapped to %s', (code, reason) => {
    const [error] = codes(code);
    const mapped = failure(error, 'https://example.com', null);

    expect(mapped.reason).toBe(reason);
    expect(mapped.message).toBe(`https://example.com: ${code}`);
  });

  test('of several addresses is mapped to the most specific reason', () => {
    const error = new AggregateError(codes('ENETUNREACH', 'ECONNREFUSED'));

    expect(failure(error, 'https://example.com', null)).toMatchObject({
      reason: 'connection_refused',
      message: 'https://example.com: ENETUNREACH, ECONNREFUSED',
    });
  });

  test.each([
    ['undefined', undefined],
    ['a string', 'oh'],
    ['an error without a code', new Error(SECRET)],
  ])('is mapped to connection_failed if it is %s', (_, error) => {
    expect(failure(error, 'https://example.com', null)).toMatchObject({
      reason: 'connection_failed',
      message: 'https://example.com: no error code',
    });
  });
});
