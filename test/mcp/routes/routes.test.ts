import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startRouter, type TestRouter } from '../../support/mcp/router.ts';
import { anEvent, at, get, post, rpc } from '../../support/mcp/router-events.ts';

let router: TestRouter;

beforeAll(async () => {
  router = await startRouter();
  await router.publish('open');
  await router.publish('login', { authMethod: 'oauth' });
  await router.publish('resting', { status: 'paused' });
});

afterAll(() => router.stop());

const PROTECTED = '/.well-known/oauth-protected-resource';
const SERVER = '/.well-known/oauth-authorization-server';
const routesOf = (slug: string): readonly string[] => [
  at(slug, '/messages'),
  at(slug),
  at(slug, '/tool'),
  at(slug, '/health'),
  at(slug, '/docs'),
  at(slug, '/.well-known/mcp-server'),
  at(slug, PROTECTED),
  `${PROTECTED}${at(slug)}`,
  `${PROTECTED}${at(slug, '/messages')}`,
  `${SERVER}${at(slug)}`,
  `${SERVER}${at(slug, '/messages')}`,
];
const outcome = async (event: Parameters<TestRouter['send']>[0]) => {
  const { statusCode, headers, body } = await router.send(event);
  return { statusCode, headers, error: body === '' ? undefined : JSON.parse(body).error };
};

describe('a slug without an active deployment', () => {
  test.each([
    'resting',
    'nobody',
    'ab',
    'UPPER',
    '1st',
    'a_b',
    'a'.repeat(64),
    '__proto__',
    '%2e%2e',
    'ünder',
  ])('is answered with 404 in JSON on every route: %s', async (slug) => {
    for (const path of routesOf(slug)) {
      expect(await outcome(get(path, { accept: 'text/event-stream' }))).toMatchObject({
        statusCode: 404,
        error: 'not_found',
      });
    }
    for (const end of ['/messages', '', '/tool']) {
      expect(await outcome(post(at(slug, end), rpc('ping')))).toMatchObject({ statusCode: 404 });
    }
  });

  test('is not looked up where it is malformed', async () => {
    const before = router.store.aws.calls.count();
    await router.send(get(at('../../etc')));
    await router.send(get(at('a'.repeat(64), '/health')));

    expect(router.store.aws.calls.count()).toBe(before);
  });
});

describe('an unknown path', () => {
  test.each([
    '/',
    '/v1',
    '/v1/mcp-router',
    '/v1/mcp-router/',
    at('open', '/nothing'),
    at('open', '/messages/more'),
    at('open', '//messages'),
    at('open', '//'),
    at('open', '/Messages'),
    at('open', '/.well-known/oauth-authorization-server'),
    '/v2/mcp-router/open/messages',
  ])('is answered with 404: %s', async (path) => {
    expect(await outcome(get(path))).toMatchObject({ statusCode: 404, error: 'not_found' });
  });
});

describe('a trailing slash in a path', () => {
  test('makes no difference, but for the address that is told of, which is the one that was asked for', async () => {
    for (const path of routesOf('login')) {
      const [plain, slashed] = await Promise.all([
        router.send(get(path)),
        router.send(get(`${path}/`)),
      ]);
      const withoutEnd = JSON.stringify(slashed).replaceAll(
        /(mcp-router\/login(?:\/messages)?)\/(?=\\)/g,
        '$1',
      );
      expect(JSON.parse(withoutEnd)).toEqual(plain);
    }
    expect((await router.send(post(at('open', '/messages/'), rpc('ping')))).statusCode).toBe(200);
  });
});

describe('an OPTIONS request', () => {
  test('is answered with 204 on every route for any slug', async () => {
    for (const path of [...routesOf('open'), ...routesOf('nobody'), at('open', '/nothing')]) {
      const reply = await router.send(anEvent('OPTIONS', path));
      expect([reply.statusCode, reply.body]).toEqual([204, '']);
      expect(reply.headers).toHaveProperty('access-control-allow-headers');
      expect(reply.headers).not.toHaveProperty('content-type');
    }
  });
});

describe('a HEAD request', () => {
  test('is answered like GET without the body', async () => {
    for (const path of routesOf('login')) {
      const head = await router.send(anEvent('HEAD', path));
      const full = await router.send(get(path));

      expect(head).toEqual({ ...full, body: '' });
    }
  });
});

describe('an unsupported HTTP method', () => {
  test.each(['DELETE', 'PUT', 'PATCH', 'TRACE', 'CONSTRUCTOR'])('%s gets 405', async (method) => {
    for (const end of ['/messages', '', '/tool']) {
      expect(await outcome(anEvent(method, at('open', end)))).toMatchObject({
        statusCode: 405,
        error: 'method_not_allowed',
        headers: { allow: expect.stringMatching(/^(?=.*POST)(?=.*GET)(?=.*HEAD)(?=.*OPTIONS)/) },
      });
    }
  });

  test.each(['POST', 'PUT', 'DELETE'])('%s gets 405 where there is only GET', async (method) => {
    for (const path of routesOf('open').slice(3)) {
      expect(await outcome(anEvent(method, path))).toMatchObject({
        statusCode: 405,
        headers: { allow: 'GET, HEAD, OPTIONS' },
      });
    }
  });
});

describe('every answer of the router', () => {
  test('has a request id and must not be stored or sniffed', async () => {
    for (const event of [
      get(at('open')),
      get(at('nobody')),
      post(at('open', '/messages'), rpc('ping')),
      post(at('login', '/messages'), rpc('ping')),
      anEvent('DELETE', at('open')),
      anEvent('OPTIONS', at('open')),
    ]) {
      expect((await router.send(event)).headers).toMatchObject({
        'x-request-id': 'request-1',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'access-control-allow-origin': '*',
      });
    }
  });
});
