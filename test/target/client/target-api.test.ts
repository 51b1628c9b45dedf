import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, describe, expect, test } from '@jest/globals';
import { type ClosableTargetApi, targetApi } from '../../../layers/target/client/target-api.ts';
import type { TargetRequest } from '../../../layers/target/rules/target.ts';
import { anHttpServer, aRawServer, type TargetServer } from '../../support/target/target-server.ts';

const opened: ClosableTargetApi[] = [];

const aClient = (given: { timeoutSeconds?: number; maxBytes?: number } = {}): ClosableTargetApi => {
  const policy = { loopback: { exceptPorts: [] } };
  const client = targetApi({ policy, timeoutSeconds: 20, maxBytes: 1_000_000, ...given });
  opened.push(client);
  return client;
};

afterEach(() => {
  for (const client of opened.splice(0)) client.close();
});

const aGet = ({ url }: TargetServer, path = '/'): TargetRequest => ({
  method: 'GET',
  url: url + path,
  headers: {},
});

const text = (body: Uint8Array): string => Buffer.from(body).toString();

describe('sending a request to the target API', () => {
  test('sends it unchanged and returns the response', async () => {
    await using server = await anHttpServer((_, response) =>
      response.writeHead(201, { 'X-One': 'a', 'Set-Cookie': ['b=1', 'c=2'] }).end('made'),
    );

    const answer = await aClient().send('d', {
      method: 'POST',
      url: `${server.url}/things/%2F?q=a%20b#part`,
      headers: { 'content-type': 'application/json', 'x-api-key': 'k' },
      body: '{"name":"é"}',
    });

    expect(server.requests).toMatchObject([
      {
        method: 'POST',
        url: '/things/%2F?q=a%20b',
        headers: {
          host: `127.0.0.1:${server.port}`,
          'content-type': 'application/json',
          'content-length': '13',
          'x-api-key': 'k',
        },
        body: '{"name":"é"}',
      },
    ]);
    expect(answer).toMatchObject({
      status: 201,
      headers: { 'x-one': 'a', 'set-cookie': 'b=1, c=2' },
    });
    expect(text(answer.body)).toBe('made');
    expect(answer).not.toHaveProperty('cut');
  });

  test('adds Accept, Accept-Encoding and User-Agent where they are missing', async () => {
    await using server = await anHttpServer((_, response) => response.end());

    await aClient().send('d', aGet(server));
    await aClient().send('d', {
      ...aGet(server),
      headers: { accept: 'text/csv', 'user-agent': 'me' },
    });

    expect(server.requests).toMatchObject([
      {
        headers: {
          accept: '*/*',
          'accept-encoding': 'gzip, deflate, br, zstd',
          'user-agent': 'hosted-mcp',
        },
      },
      { headers: { accept: 'text/csv', 'user-agent': 'me' } },
    ]);
  });

  test.each(['GET', 'DELETE', 'OPTIONS', 'PATCH'])('sends a body with %s', async (method) => {
    await using server = await anHttpServer((_, response) => response.end());

    await aClient().send('d', { ...aGet(server), method, body: Uint8Array.of(104, 105) });

    expect(server.requests).toMatchObject([
      { method, headers: { 'content-length': '2' }, body: 'hi' },
    ]);
  });

  test('does not let request headers change the framing', async () => {
    await using server = await anHttpServer((_, response) => response.end());

    await aClient().send('d', {
      ...aGet(server),
      method: 'POST',
      headers: {
        host: 'internal',
        'content-length': '1',
        'transfer-encoding': 'chunked',
        connection: 'close, x-api-key',
        expect: '100-continue',
        upgrade: 'h2c',
        te: 'trailers',
      },
      body: 'hello',
    });

    const [{ headers, body } = { headers: {}, body: '' }] = server.requests;
    expect(body).toBe('hello');
    expect(headers).toMatchObject({
      host: `127.0.0.1:${server.port}`,
      'content-length': '5',
      connection: 'keep-alive',
    });
    expect(Object.keys(headers)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(transfer-encoding|expect|upgrade|te)$/)]),
    );
  });

  test.each([200, 204, 304, 400, 404, 500, 503])('returns the status %d', async (status) => {
    await using server = await anHttpServer((_, response) => response.writeHead(status).end());

    await expect(aClient().send('d', aGet(server))).resolves.toMatchObject({
      status,
      body: expect.objectContaining({ length: 0 }),
    });
  });

  test('returns an empty response to HEAD, whatever its headers say', async () => {
    await using server = await anHttpServer((_, response) =>
      response.writeHead(200, { 'content-length': '9', 'content-encoding': 'gzip' }).end(),
    );

    await expect(aClient().send('d', { ...aGet(server), method: 'HEAD' })).resolves.toMatchObject({
      status: 200,
      headers: { 'content-length': '9' },
      body: expect.objectContaining({ length: 0 }),
    });
  });

  test('skips interim responses', async () => {
    await using server = await anHttpServer((_, response) => {
      response.writeEarlyHints({ link: '</a.css>; rel=preload' });
      response.writeProcessing();
      response.end('whole');
    });

    expect(text((await aClient().send('d', aGet(server))).body)).toBe('whole');
  });
});

describe('a connection to the target API', () => {
  test('is reused for the next request of the deployment', async () => {
    await using server = await anHttpServer((_, response) =>
      response.writeHead(200, { 'content-length': '2' }).end('hi'),
    );
    const client = aClient();

    for (const method of ['GET', 'POST', 'HEAD', 'DELETE', 'GET']) {
      await client.send('d', { ...aGet(server), method });
    }

    expect(server.requests).toHaveLength(5);
    expect(server.connections).toHaveLength(1);
  });

  test('is not shared between deployments', async () => {
    await using server = await anHttpServer((_, response) => response.end('hi'));
    const client = aClient();

    for (const deployment of ['a', 'b', 'a', 'b']) await client.send(deployment, aGet(server));

    expect(server.connections).toHaveLength(2);
  });

  test('is opened for each of up to 64 concurrent requests', async () => {
    await using server = await anHttpServer(({ url }, response) => response.end(url));
    const client = aClient();
    const paths = Array.from({ length: 200 }, (_, index) => `/${index}`);

    const answers = await Promise.all(paths.map((path) => client.send('d', aGet(server, path))));

    expect(answers.map(({ body }) => text(body))).toEqual(paths);
    expect(server.connections.length).toBeLessThanOrEqual(64);
  });

  test('keeps no process alive while it idles', async () => {
    await using server = await anHttpServer((_, response) => response.end('hi'));
    const door = new URL('../../../layers/target/client/target-api.ts', import.meta.url).href;
    const script = `
      const { targetApi } = await import(${JSON.stringify(door)});
      const policy = { loopback: { exceptPorts: [] } };
      const client = targetApi({ policy, timeoutSeconds: 20, maxBytes: 1000 });
      await client.send('d', ${JSON.stringify(aGet(server))});
      console.log(JSON.stringify(process.getActiveResourcesInfo()));`;

    const node = promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
    const alive: unknown = JSON.parse((await node).stdout);

    expect(alive).not.toContain('TCPSocketWrap');
    expect(alive).not.toContain('Timeout');
  });

  /** Answers the first request of each connection, and hangs up at the second. */
  const aForgetfulServer = (seen: string[]) =>
    aRawServer((socket) => {
      let count = 0;
      socket.on('data', (data: Buffer) => {
        seen.push(data.toString().split(' ', 1).join());
        count += 1;
        if (count === 1) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
        else socket.destroy();
      });
    });

  test.each(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'])(
    'that was closed while idle is replaced for a %s',
    async (method) => {
      const seen: string[] = [];
      await using server = await aForgetfulServer(seen);
      const client = aClient();
      await client.send('d', aGet(server));

      await expect(client.send('d', { ...aGet(server), method })).resolves.toMatchObject({
        status: 200,
      });

      expect(seen).toEqual(['GET', method, method]);
    },
  );

  test.each(['POST', 'PATCH'])(
    'that was closed while idle fails a %s, which is not repeated',
    async (method) => {
      const seen: string[] = [];
      await using server = await aForgetfulServer(seen);
      const client = aClient();
      await client.send('d', aGet(server));

      await expect(client.send('d', { ...aGet(server), method, body: 'x' })).rejects.toMatchObject({
        reason: 'connection_failed',
      });

      expect(seen).toEqual(['GET', method]);
    },
  );

  test('that is new and fails is not replaced', async () => {
    let count = 0;
    await using server = await aRawServer((socket) => {
      count += 1;
      socket.once('data', () => socket.destroy());
    });

    await expect(aClient().send('d', aGet(server))).rejects.toMatchObject({
      reason: 'connection_failed',
    });
    expect(count).toBe(1);
  });
});
