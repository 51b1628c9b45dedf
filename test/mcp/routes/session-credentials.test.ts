import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { toToolIndex } from '../../../layers/openapi/tool-index.ts';
import type { Deployment } from '../../../layers/deployments/rules/deployment.ts';
import { setCredential } from '../../../layers/servers/steps/credential/credential.ts';
import { compiled } from '../../support/openapi/compile.ts';
import { aDeployment, NOON } from '../../support/aws/dynamodb-fixtures.ts';
import { startRouter } from '../../support/mcp/router.ts';
import { anAddress, at, post, rpc } from '../../support/mcp/router-events.ts';
import { anHttpServer } from '../../support/target/target-server.ts';

const router = await startRouter();
const closing: AsyncDisposable[] = [];
afterAll(async () => {
  for (const one of closing) await one[Symbol.asyncDispose]();
  await router.stop();
});
beforeEach(() => {
  router.clock.time = NOON;
});

const PASSWORD = 'CANARY-password-0123456789';
const TOKEN = 'CANARY-session-';
let deployments = 0;

interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** An API with a login of its own, which numbers its sessions and ends them when it is told. */
const anApiWithLogin = async (
  answer: (token: string) => Answer,
  more: object = {},
  over: Partial<Deployment> = {},
  isNeeded = true,
) => {
  const state = { logins: [] as unknown[], takes: undefined as number | undefined, calls: 0 };
  const target = await anHttpServer(({ headers, method, url = '', body }, response) => {
    if (method === 'POST' && url === '/auth/login') {
      state.logins.push(JSON.parse(body.toString()));
      const {
        status = 200,
        headers: its = {},
        body: sent,
      } = answer(`${TOKEN}${state.logins.length}`);
      response.writeHead(status, { 'content-type': 'application/json', ...its });
      return void response.end(typeof sent === 'string' ? sent : JSON.stringify(sent));
    }
    state.calls += 1;
    const seen = `${headers.authorization ?? ''}${String(headers['x-session'] ?? '')}${headers.cookie ?? ''}`;
    const number = Number(/(\d+)$/.exec(seen)?.[1]);
    const isTaken = state.takes === undefined ? seen.includes(TOKEN) : number === state.takes;
    response
      .writeHead(isTaken ? 200 : 401, { 'content-type': 'application/json' })
      .end(JSON.stringify({ seen }));
  });
  closing.push(target);
  const text = { type: 'string' };
  const done = { responses: { 200: { description: 'Done.' } } };
  const { tools } = toToolIndex(
    compiled({
      openapi: '3.1.0',
      info: { title: 'Shop', version: '1' },
      servers: [{ url: target.url }],
      paths: {
        '/auth/login': {
          post: {
            operationId: 'login',
            requestBody: {
              ...(isNeeded && { required: true }),
              content: {
                'application/json': {
                  schema: {
                    type: 'object',
                    required: ['email', 'password'],
                    properties: { email: text, password: text, mode: text },
                  },
                },
              },
            },
            ...done,
          },
        },
        '/items': { get: { operationId: 'items', ...done } },
      },
    }).tools,
  );
  deployments += 1;
  const slug = `session-${deployments}`;
  const { ownerId } = await router.publish(slug, { apiBaseUrl: target.url, ...over }, { tools });
  const fields = { email: 'shop@example.com', password: PASSWORD };
  const credential = {
    type: 'session' as const,
    login: 'POST /auth/login',
    token: '/token',
    fields,
  };
  const address = anAddress();
  const send = async (method: string, params: object) =>
    JSON.parse((await router.send(post(at(slug), rpc(method, params), {}, address))).body);
  return {
    state,
    target,
    set: (over: object = {}) =>
      setCredential(router.owner, {
        ownerId,
        slug,
        credential: { ...credential, ...more, ...over },
      }),
    call: async (name = 'items') => {
      const { error, result } = await send('tools/call', { name, arguments: {} });
      return error ?? { seen: result.content[0].text, isError: result.isError };
    },
    text: async (name: string, args: object) => {
      const { error, result } = await send('tools/call', { name, arguments: args });
      return error?.message ?? result.content[0].text;
    },
    listed: async () => JSON.stringify((await send('tools/list', {})).result.tools),
    names: async () => {
      const { result } = await send('tools/list', {});
      return result.tools.map(({ name }: { name: string }) => name);
    },
  };
};

const directus = (token: string): Answer => ({
  body: { data: { access_token: token, expires: 900_000, refresh_token: 'CANARY-refresh' } },
});
const DIRECTUS = { token: '/data/access_token', expiry: '/data/expires' };

describe('a session that an API gives for a login', () => {
  test('is begun once for many calls, and once more after a 401', async () => {
    const api = await anApiWithLogin(directus, DIRECTUS);
    await api.set();

    await Promise.all([1, 2, 3, 4].map(() => api.call()));
    expect(api.state.logins).toEqual([{ email: 'shop@example.com', password: PASSWORD }]);
    expect((await api.call()).seen).toContain('Bearer [masked]');

    api.state.takes = 2;
    router.clock.time += 30;
    const renewed = await api.call();
    expect(renewed.isError).not.toBe(true);
    expect(api.state.logins).toHaveLength(2);
    expect(JSON.stringify(router.lines)).not.toMatch(/CANARY/);
  });

  test('is asked for with fields of a body that is one argument', async () => {
    const api = await anApiWithLogin(directus, DIRECTUS, {}, false);
    await api.set();

    expect((await api.call()).seen).toContain('Bearer [masked]');
    expect(api.state.logins).toEqual([{ email: 'shop@example.com', password: PASSWORD }]);
    const body = { email: 'other@example.com', password: PASSWORD };
    await api.set({ fields: { body } });
    router.clock.time += 30;
    await api.call();
    expect(api.state.logins.at(-1)).toEqual(body);
    await expect(api.set({ fields: { email: 'shop@example.com' } })).rejects.toMatchObject({
      findings: [{ where: '/fields/body/password', what: 'is required' }],
    });
  });

  test('is sent behind its prefix exactly as that was given, with its blank', async () => {
    const api = await anApiWithLogin((token) => ({ body: { token } }), { prefix: 'token ' });
    await api.set();

    expect((await api.call()).seen).toContain('token [masked]');
  });

  test('ends as its answer says: in milliseconds, and as a time', async () => {
    const api = await anApiWithLogin(directus, DIRECTUS);
    await api.set();
    const lapi = await anApiWithLogin(
      // By the clock of the function that asks.
      (token) => ({
        body: { code: 200, token, expire: new Date(Date.now() + 20 * 60_000).toISOString() },
      }),
      { token: '/token', expiry: '/expire' },
    );
    await lapi.set();
    for (const one of [api, lapi]) await one.call();

    router.clock.time = NOON + 10 * 60;
    for (const one of [api, lapi]) await one.call();
    expect([api.state.logins.length, lapi.state.logins.length]).toEqual([1, 1]);
    router.clock.time = NOON + 16 * 60;
    for (const one of [api, lapi]) await one.call();
    expect(api.state.logins).toHaveLength(2);
  });

  test('ends as its token says where that is a JWT and nobody else says so', async () => {
    const jwt = (seconds: number) => {
      const claims = JSON.stringify({ exp: Math.floor(Date.now() / 1000) + seconds });
      return `${TOKEN}.${Buffer.from(claims).toString('base64url')}.c2lnbmF0dXJl-1`;
    };
    const long = await anApiWithLogin(() => ({ body: { token: jwt(3600) } }));
    const told = await anApiWithLogin(() => ({ body: { token: jwt(3600) } }), {
      lifetimeSeconds: 600,
    });
    const ended = await anApiWithLogin(() => ({ body: { token: jwt(-60) } }));
    const all = [long, told, ended];
    for (const one of all) await one.set();

    for (const minutes of [0, 7, 20, 58]) {
      router.clock.time = NOON + minutes * 60;
      for (const one of all) await one.call();
    }
    expect(all.map(({ state }) => state.logins.length)).toEqual([1, 3, 4]);
  });

  test.each<[string, unknown, string]>([
    ['a message', { message: 'This account is locked.' }, 'This account is locked.'],
    [
      'a message within an error',
      { data: null, error: { status: 400, name: 'E', message: 'Not a member.' } },
      'Not a member.',
    ],
    ['the first of several', { errors: [{ message: 'One.' }, { message: 'Two.' }] }, 'One.'],
    [
      'what it was sent',
      { detail: `No shop@example.com with ${PASSWORD}\n\u001B[31mhere` },
      'No [masked] with [masked] [31mhere',
    ],
    [
      'a token',
      { message: 'Not eyJhbGciOiJIUzI1NiJ9.eyJhIjoxfQ.c2ln either' },
      'Not [masked] either',
    ],
    ['a novel', { detail: 'ab '.repeat(5000) }, `${'ab '.repeat(100)}...`],
  ])('is refused in the words of the API: %s', async (_, body, said) => {
    const api = await anApiWithLogin(() => ({ status: 400, body }));
    await api.set();

    expect(await api.call()).toMatchObject({
      message: expect.stringMatching(/^The server that gives tokens .* It says: /),
      data: { reason: 'token_refused', error: 'http_400' },
    });
    router.clock.time += 11;
    expect((await api.call()).message.split('It says: ')[1]).toBe(said);
    // It is shown, and neither logged nor stored.
    expect(JSON.stringify(router.lines)).not.toContain(said);
    expect((await api.call()).message).not.toContain('It says');
  });

  test.each<[string, unknown]>([
    ['a page', '<h1>Locked</h1>'],
    ['numbers', { message: 42, error: 400 }],
    ['other members', { token: 'CANARY', user: { message: 'hello' } }],
  ])('is refused in our words alone where the API says nothing: %s', async (_, body) => {
    const api = await anApiWithLogin(() => ({ status: 401, body }));
    await api.set();

    expect((await api.call()).message).not.toContain('It says');
  });

  test.each<[string, (token: string) => Answer, object, string]>([
    [
      'a header of the answer',
      (token) => ({ headers: { 'x-auth': token }, body: {} }),
      { token: 'header:X-Auth', name: 'X-Session' },
      'x-session',
    ],
    [
      'a cookie of several',
      (token) => ({ headers: { 'set-cookie': `a=1; Path=/, sid=${token}; HttpOnly` }, body: {} }),
      { token: 'cookie:sid', in: 'cookie', name: 'sid' },
      'sid=',
    ],
  ])('is taken from %s', async (_, answer, more) => {
    const api = await anApiWithLogin(answer, more);
    await api.set();

    expect((await api.call()).seen).toContain('[masked]');
  });

  test.each<[string, Answer, string]>([
    ['without a token', { body: { data: {} } }, 'login_answer_unusable'],
    ['with an object for one', { body: { token: { a: 1 } } }, 'login_answer_unusable'],
    [
      'with a token that no header holds',
      { body: { token: 'a\r\nb: c' } },
      'login_answer_unusable',
    ],
    ['with an endless token', { body: { token: 'x'.repeat(9000) } }, 'login_answer_unusable'],
    [
      'with a page',
      { headers: { 'content-type': 'text/html' }, body: '<p>' },
      'login_answer_unusable',
    ],
    [
      'with a redirect',
      { status: 302, headers: { location: '/elsewhere' } },
      'login_answer_unusable',
    ],
    ['with 5 MB', { body: { token: 'x'.repeat(5_000_000) } }, 'token_endpoint_failed'],
    ['with a refusal', { status: 401, body: { token: 'CANARY' } }, 'token_refused'],
    ['with an error of its own', { status: 503, body: {} }, 'token_endpoint_failed'],
  ])('is none where a login is answered %s', async (_, answer, reason) => {
    const api = await anApiWithLogin(() => answer);
    await api.set();

    expect(await api.call()).toMatchObject({ data: { reason } });
    expect(api.state.calls).toBe(0);
    expect(JSON.stringify(router.lines)).not.toMatch(/CANARY/);
  });

  test('has its login taken out of the tools', async () => {
    const api = await anApiWithLogin(directus, DIRECTUS);
    expect(await api.names()).toEqual(['login', 'items']);
    await api.set();
    router.clock.time += 20;

    expect(await api.names()).toEqual(['items']);
    expect(await api.call('login')).toMatchObject({ code: -32602 });
  });

  test('has its login taken out of what a search finds', async () => {
    const publication = { ...aDeployment().publication, toolMode: 'search' as const };
    const api = await anApiWithLogin(directus, DIRECTUS, { publication });
    const asked = async () => ({
      listed: /the \d operations?/.exec(await api.listed())?.[0],
      all: await api.text('search_operations', {}),
      found: await api.text('search_operations', { query: 'login' }),
      described: await api.text('describe_operation', { name: 'login' }),
      called: await api.text('call_operation', { name: 'logi' }),
      taken: await api.text('login', {}),
    });
    const before = await asked();
    await api.set();
    router.clock.time += 20;
    const after = await asked();

    for (const text of [before.found, before.described, before.called]) {
      expect(text).toContain('login');
    }
    expect([before.listed, after.listed]).toEqual(['the 2 operations', 'the 1 operation']);
    expect([before.all, after.all]).toEqual([
      expect.stringContaining('auth (1)'),
      expect.not.stringContaining('auth'),
    ]);
    for (const text of [after.found, after.called]) expect(text).not.toContain('/auth');
    expect(after.described).toContain('Unknown operation');
    expect(before.taken).not.toBe(after.taken);
  });

  test.each<[string, object, string, string]>([
    ['an operation that is not there', { login: 'POST /auth/logn' }, '/login', 'POST /auth/login'],
    ['a field that is misspelt', { fields: { emial: 'a', password: 'b' } }, '/fields', 'email'],
    ['a field too few', { fields: { email: 'a@b.example' } }, '/fields/password', 'It takes email'],
    [
      'a request of their own',
      { request: { method: 'GET', url: 'https://a.example', headers: {} } },
      '/request',
      'fields',
    ],
    ['no place of the token', { token: 'token' }, '/token', 'accessToken'],
    ['a header of the connection', { name: 'Host' }, '/name', 'another'],
    ['a life of a week', { lifetimeSeconds: 604_800 }, '/lifetime_seconds', 'a day'],
  ])('is not set up with %s', async (_, over, where, hint) => {
    const api = await anApiWithLogin(directus, DIRECTUS);
    const refusal = await api.set(over).catch((error: unknown) => error);

    expect(refusal).toMatchObject({ code: 'invalid_request' });
    const { findings } = refusal as { findings: { where: string; hint: string }[] };
    expect(findings.some((one) => one.where.startsWith(where) && one.hint.includes(hint))).toBe(
      true,
    );
    expect(JSON.stringify(refusal)).not.toContain(PASSWORD);
  });

  test('goes to no other origin than calls do', async () => {
    const api = await anApiWithLogin(directus, DIRECTUS);
    await setCredentialElsewhere(api);

    expect(await api.call()).toMatchObject({ data: { reason: 'token_endpoint_refused' } });
    expect(api.state.logins).toEqual([]);
  });
});

const setCredentialElsewhere = async (api: Awaited<ReturnType<typeof anApiWithLogin>>) => {
  await setCredential(router.owner, {
    ownerId: 'user-1',
    slug: `session-${deployments}`,
    origins: ['https://api.example.com'],
    credential: {
      type: 'session',
      login: 'POST /auth/login',
      ...DIRECTUS,
      fields: { email: 'a@example.com', password: PASSWORD },
    },
  });
  expect(api.state.logins).toEqual([]);
};
