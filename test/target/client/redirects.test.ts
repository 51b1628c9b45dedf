import { afterAll, describe, expect, test } from '@jest/globals';
import { targetApi } from '../../../layers/target/client/target-api.ts';
import { anHttpServer, type TargetServer } from '../../support/target/target-server.ts';

const client = targetApi({
  policy: { loopback: { exceptPorts: [] } },
  timeoutSeconds: 20,
  maxBytes: 1000,
});

afterAll(() => client.close());

/** Redirects `/from` and sends everything else back as it came. */
const aServer = (status: number, location = '/to?x=1') =>
  anHttpServer(({ url, method, body }, response) => {
    if (url === '/from') response.writeHead(status, { location }).end('moved');
    else response.end(`${method} ${url} ${body}`);
  });

const at = (place: string) => ['location', place] as const;

const send = (server: TargetServer, method: string, path = '/from') =>
  client.send('d', {
    method,
    url: server.url + path,
    headers: { 'x-api-key': 'k', 'content-type': 'text/plain' },
    body: 'hi',
  });

const text = (body: Uint8Array): string => Buffer.from(body).toString();

describe('a redirect to the same origin', () => {
  test.each([
    [301, 'GET', 'GET /to?x=1 hi'],
    [302, 'GET', 'GET /to?x=1 hi'],
    [303, 'GET', 'GET /to?x=1 hi'],
    [307, 'GET', 'GET /to?x=1 hi'],
    [301, 'POST', 'GET /to?x=1 '],
    [302, 'POST', 'GET /to?x=1 '],
    [303, 'POST', 'GET /to?x=1 '],
    [303, 'PUT', 'GET /to?x=1 '],
    [303, 'DELETE', 'GET /to?x=1 '],
    [301, 'PUT', 'GET /to?x=1 '],
    [302, 'PATCH', 'GET /to?x=1 '],
    [302, 'DELETE', 'GET /to?x=1 '],
    [302, 'QUERY', 'QUERY /to?x=1 hi'],
    [303, 'QUERY', 'GET /to?x=1 '],
    [307, 'POST', 'POST /to?x=1 hi'],
    [308, 'POST', 'POST /to?x=1 hi'],
  ])('with %d after %s is followed', async (status, method, expected) => {
    await using server = await aServer(status);

    expect(text((await send(server, method)).body)).toBe(expected);
  });

  test.each(
    [
      ['/orders', '/orders/'],
      ['/orders/', '/orders'],
      ['//orders', '/orders'],
      ['/orders?dry=1', '/orders/?dry=1'],
    ].flatMap(([from = '', to = '']) =>
      [301, 302].flatMap((status) =>
        ['POST', 'PUT', 'PATCH', 'DELETE'].map((method) => [status, method, from, to] as const),
      ),
    ),
  )('with %d repeats %s from %s at %s, which is another spelling of it', async (...row) => {
    const [status, method, from, to] = row;
    await using server = await anHttpServer((request, response) => {
      if (request.url === from) response.writeHead(status, { location: to }).end();
      else response.end(`${request.method} ${request.url} ${request.body}`);
    });

    const { body, redirected } = await send(server, method, from);

    expect(text(body)).toBe(`${method} ${to} hi`);
    expect(redirected).toEqual({ status, method, url: server.url + to });
  });

  test.each([
    ['another query', '/from/?x=1'],
    ['the very same address, where a form is shown again', '/from'],
    ['another path', '/from/17'],
  ])('with 302 makes a GET of a POST for %s, and says so', async (_, to) => {
    await using server = await anHttpServer(({ method, url }, response) => {
      if (method === 'POST') response.writeHead(302, { location: to }).end();
      else response.end(`${method} ${url}`);
    });

    const { body, redirected } = await send(server, 'POST');

    expect(text(body)).toBe(`GET ${to}`);
    expect(redirected).toEqual({
      status: 302,
      method: 'POST',
      url: server.url + to,
      isGet: true,
    });
  });

  test('tells which one made a GET of the request, however far that is redirected', async () => {
    await using server = await anHttpServer(({ url }, response) => {
      const next = new Map([
        ['/from', [307, '/second']],
        ['/second', [302, '/third']],
        ['/third', [301, '/fourth']],
      ] as const).get(url as '/from');
      if (next) response.writeHead(next[0], { location: next[1] }).end();
      else response.end('there');
    });

    expect((await send(server, 'POST')).redirected).toEqual({
      status: 302,
      method: 'POST',
      url: `${server.url}/fourth`,
      isGet: true,
    });
  });

  test('keeps the request headers', async () => {
    await using server = await aServer(307);

    await send(server, 'POST');

    expect(server.requests).toMatchObject([
      { headers: { 'x-api-key': 'k', 'content-type': 'text/plain' } },
      { headers: { 'x-api-key': 'k', 'content-type': 'text/plain' } },
    ]);
  });

  test('drops the method for which a POST stood', async () => {
    await using server = await aServer(303);

    await client.send('d', {
      method: 'POST',
      url: `${server.url}/from`,
      headers: { 'x-http-method-override': 'PUT' },
      body: 'hi',
    });

    expect(server.requests.map(({ headers }) => headers['x-http-method-override'])).toEqual([
      'PUT',
      undefined,
    ]);
  });

  test('drops the body headers together with the body', async () => {
    await using server = await aServer(303);

    await send(server, 'POST');

    expect(server.requests[1]?.headers).toMatchObject({ 'x-api-key': 'k' });
    expect(Object.keys(server.requests[1]?.headers ?? {})).not.toContain('content-type');
    expect(Object.keys(server.requests[1]?.headers ?? {})).not.toContain('content-length');
  });

  test('reuses the connection', async () => {
    await using server = await aServer(302);

    await send(server, 'GET');

    expect(server.connections).toHaveLength(1);
  });

  test.each([300, 304, 305])('is not followed for status %d', async (status) => {
    await using server = await aServer(status);

    await expect(send(server, 'GET')).resolves.toMatchObject({ status });
  });

  test('without a Location header is returned as the response', async () => {
    await using server = await anHttpServer((_, response) => response.writeHead(302).end('lost'));

    await expect(send(server, 'GET')).resolves.toMatchObject({ status: 302 });
  });

  test.each(['http://[', '', ' '])('to %j, which is no address, is the response', async (place) => {
    await using server = await aServer(302, place);

    await expect(send(server, 'POST')).resolves.toMatchObject({ status: 302 });
    expect(server.requests).toHaveLength(1);
  });

  test('with two places leads to the first', async () => {
    await using server = await anHttpServer(({ url }, response) => {
      if (url === '/from') response.writeHead(302, [...at('/first'), ...at('/second')]).end();
      else response.end(url);
    });

    expect(text((await send(server, 'GET')).body)).toBe('/first');
  });

  test('leads to the letters that are written in UTF-8, as they are or encoded', async () => {
    await using server = await anHttpServer(({ url }, response) => {
      const place = Buffer.from('/café a').toString('latin1');
      if (url === '/from') response.writeHead(302, [...at(place)]).end();
      else response.end(url);
    });

    expect(text((await send(server, 'GET')).body)).toBe('/caf%C3%A9%20a');
  });

  /** `/5` leads to `/4` and so on, `/0` is the end. */
  const aChain = () =>
    anHttpServer(({ url = '' }, response) => {
      const left = Number(url.slice(1));
      if (left === 0) response.end('there');
      else response.writeHead(302, { location: `/${left - 1}` }).end();
    });

  test('is followed five times in a row', async () => {
    await using server = await aChain();

    expect(text((await send(server, 'GET', '/5')).body)).toBe('there');
  });

  test('is refused the sixth time in a row', async () => {
    await using server = await aChain();

    await expect(send(server, 'GET', '/6')).rejects.toMatchObject({ reason: 'redirect_refused' });
    expect(server.requests).toHaveLength(6);
  });
});

describe('a redirect to another origin', () => {
  test.each([301, 302, 303, 307, 308])(
    'with %d is returned as the response and not followed',
    async (status) => {
      await using other = await anHttpServer((_, response) => response.end('yours?'));
      await using server = await aServer(status, `${other.url}/steal`);

      const answer = await send(server, 'POST');

      expect(answer).toMatchObject({ status, headers: { location: `${other.url}/steal` } });
      expect(text(answer.body)).toBe('moved');
      expect(other.connections).toHaveLength(0);
    },
  );

  test.each([
    ['another host of the same server', ({ port }: TargetServer) => `http://localhost:${port}/to`],
    ['another scheme', ({ port }: TargetServer) => `https://127.0.0.1:${port}/to`],
    ['a network-path reference', ({ port }: TargetServer) => `//localhost:${port}/to`],
    ['backslashes as slashes', ({ port }: TargetServer) => `\\\\localhost:${port}\\to`],
  ])('is recognized by %s', async (_, location) => {
    const here: { server?: TargetServer } = {};
    await using server = await anHttpServer((_, response) =>
      response.writeHead(302, { location: location(here.server!) }).end(),
    );
    here.server = server;

    await expect(send(server, 'GET')).resolves.toMatchObject({ status: 302 });
    expect(server.requests).toHaveLength(1);
  });

  test('with a user name is refused', async () => {
    const here: { server?: TargetServer } = {};
    await using server = await anHttpServer((_, response) =>
      response.writeHead(302, { location: here.server!.url.replace('//', '//user@') }).end(),
    );
    here.server = server;

    await expect(send(server, 'GET')).rejects.toMatchObject({ reason: 'blocked_address' });
  });
});
