import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { aFormBrowser } from '../support/oauth/form-browser.ts';
import { mailsAt } from '../support/oauth/people.ts';
import { aRawClient } from '../support/oauth/raw-oauth-client.ts';
import { anHttpServer, type TargetServer } from '../support/target/target-server.ts';
import {
  type Person,
  type PublishedServer,
  startWholeService,
  type WholeService,
} from '../support/service/whole-service.ts';
import { leaksIn } from '../support/service/wire.ts';

let service: WholeService;
let person: Person;
let target: TargetServer;
let open: PublishedServer;
let guarded: PublishedServer;

/** Answers with what it was sent, so that nothing that reaches it stays hidden. */
const ECHO = {
  openapi: '3.1.0',
  info: { title: 'Echo', version: '1' },
  paths: {
    '/echo': {
      get: {
        operationId: 'echo',
        parameters: [{ name: 'text', in: 'query', schema: { type: 'string' } }],
        responses: { 200: { description: 'The request' } },
      },
    },
  },
};

beforeAll(async () => {
  [service, target] = await Promise.all([
    startWholeService(),
    anHttpServer(({ url, headers }, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ url, headers, said: url?.replace(/.*argument/, 'answer') }));
    }),
  ]);
  person = await service.person();
  const echo = { openapi: JSON.stringify(ECHO), apiBaseUrl: target.url };
  open = await service.publish(person, { ...echo, authMethod: 'none' });
  guarded = await service.publish(person, echo);
});
afterAll(async () => {
  await service.stop();
  await target[Symbol.asyncDispose]();
});

/** A secret of its own for each place that one may be sent in. */
const canary = (kind: string): string => {
  const text = `canary_${randomUUID()}`;
  service.wire.plant(kind, text);
  return text;
};

const FIELDS = [
  'password',
  'client_secret',
  'code',
  'code_verifier',
  'refresh_token',
  'access_token',
  'token',
];

const canaries = (): Record<string, string> =>
  Object.fromEntries(FIELDS.map((field) => [field, canary(field)]));

const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';

interface Sending {
  readonly query?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** What goes along, so that some checks pass and later ones are reached. */
const COMPANY = {
  email: 'ann@example.com',
  grant_type: 'authorization_code',
  client_id: 'mcp_client',
  redirect_uri: 'http://127.0.0.1/callback',
};

const SENDINGS: readonly (readonly [string, () => Sending])[] = [
  [
    'a form',
    () => ({
      headers: { 'content-type': FORM },
      body: new URLSearchParams({ ...COMPANY, ...canaries() }).toString(),
    }),
  ],
  [
    'a form with everything twice',
    () => {
      const once = new URLSearchParams({ ...COMPANY, ...canaries() }).toString();
      return { headers: { 'content-type': FORM }, body: `${once}&${once}` };
    },
  ],
  [
    'a form with secrets for names, and broken escapes',
    () => ({
      headers: { 'content-type': FORM },
      body: `${Object.values(canaries()).join('=1&')}=%zz&%=${canary('password')}`,
    }),
  ],
  [
    'JSON',
    () => ({
      headers: { 'content-type': JSON_TYPE },
      body: JSON.stringify({ ...COMPANY, ...canaries() }),
    }),
  ],
  [
    'JSON of the wrong types',
    () => ({
      headers: { 'content-type': JSON_TYPE },
      body: JSON.stringify(
        Object.fromEntries(Object.entries(canaries()).map(([name, text]) => [name, [{ text }]])),
      ),
    }),
  ],
  [
    'JSON that breaks off',
    () => ({
      headers: { 'content-type': JSON_TYPE },
      body: JSON.stringify({ ...COMPANY, ...canaries() }).slice(0, -20),
    }),
  ],
  [
    'a text of another media type',
    () => ({
      headers: { 'content-type': 'text/plain' },
      body: Object.values(canaries()).join('\n'),
    }),
  ],
  ['a query', () => ({ query: new URLSearchParams({ ...COMPANY, ...canaries() }).toString() })],
  ['a bearer token', () => ({ headers: { authorization: `Bearer ${canary('access_token')}` } })],
  [
    'a client’s name and secret',
    () => {
      const pair = `mcp_client:${canary('client_secret')}`;
      const basic = Buffer.from(pair).toString('base64');
      return {
        headers: { 'content-type': FORM, authorization: `Basic ${basic}` },
        body: new URLSearchParams(COMPANY).toString(),
      };
    },
  ],
  ['a cookie', () => ({ headers: { cookie: `mcp-session=${canary('session')}` } })],
];

const PATHS = [
  '/mcp-oauth-server/register',
  '/mcp-oauth-server/authorize',
  '/mcp-oauth-server/login',
  '/mcp-oauth-server/logout',
  '/mcp-oauth-server/signup',
  '/mcp-oauth-server/reset',
  '/mcp-oauth-server/reset/confirm',
  '/mcp-oauth-server/verify',
  '/mcp-oauth-server/token',
  '/mcp-oauth-server/revoke',
  '/mcp-oauth-server/userinfo',
  '/mcp-oauth-server/nowhere',
  '/mcp-management/accounts',
  '/mcp-management/accounts/verify',
  '/mcp-management/accounts/resend-verification',
  '/mcp-management/accounts/password-reset',
  '/mcp-management/accounts/password-reset/confirm',
  '/mcp-management/sessions',
  '/mcp-management/sessions/current',
  '/mcp-router/{guarded}/messages',
  '/mcp-router/{guarded}',
  '/mcp-router/{guarded}/tool',
  '/mcp-router/{open}/messages',
];

const addressOf = (path: string, { query }: Sending): string => {
  const filled = path.replace('{guarded}', guarded.slug).replace('{open}', open.slug);
  return `${service.baseUrl}${filled}${query === undefined ? '' : `?${query}`}`;
};

describe.each(PATHS)('POST %s', (path) => {
  test.each(SENDINGS)('is no 5xx for %s full of secrets', async (_what, sending) => {
    const sent = sending();

    const answer = await service.fetch(addressOf(path, sent), {
      method: 'POST',
      redirect: 'manual',
      ...(sent.headers && { headers: sent.headers }),
      ...(sent.body !== undefined && { body: sent.body }),
    });

    expect(answer.status).toBeLessThan(500);
  });
});

test.each(PATHS)('GET %s answers a query full of secrets without a server error', async (path) => {
  const query = new URLSearchParams(canaries()).toString();
  const answer = await service.fetch(addressOf(path, { query }), { redirect: 'manual' });
  expect(answer.status).toBeLessThan(500);
});

describe('a user who makes a mistake in an account form', () => {
  test('does not see the wrong password again', async () => {
    const client = await aRawClient(service);
    const browser = service.browser();
    const address = client.address(guarded);
    const wrong = { email: person.email, password: canary('password') };

    const again = await browser.submit(await browser.open(address), '/login', wrong);

    expect(again.status).toBe(400);
    expect(again.html).toContain(person.email);
    expect(again.html).not.toContain(wrong.password);
  });

  test('does not see the passwords of a sign-up again', async () => {
    const browser = aFormBrowser(new URL(service.baseUrl).origin, service.fetch);
    const email = `${randomUUID()}@example.com`;
    await browser.submit(await browser.open(`${service.issuer}/signup`), '/signup', { email });
    const mail = (await mailsAt(service)).findLast(({ to }) => to === email);
    const page = await browser.open(mail?.link ?? '');
    const password = canary('password');

    const again = await browser.submit(page, '/verify', { password, repeated: 'another' });

    expect(again.status).toBe(400);
    expect(again.html).not.toContain(password);
  });
});

describe('the arguments and the answer of a tool call', () => {
  const call = (url: string, token: string, text: string): Promise<Response> =>
    service.fetch(url, {
      method: 'POST',
      headers: { 'content-type': JSON_TYPE, authorization: `Bearer ${token}` },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'echo', arguments: { text } },
      }),
    });

  test.each([
    ['a deployment without authentication', () => open],
    ['a deployment with OAuth', () => guarded],
  ])(
    'stay out of all that %s keeps, and its token away from the target API',
    async (_, serverOf) => {
      const server = serverOf();
      const client = await aRawClient(service);
      const { access_token } = await client.tokens(service.browser(), person, guarded);
      const secret = randomUUID();
      const argument = `argument_${secret}`;

      const answer = await call(server.messagesUrl, access_token, argument);

      const text = await answer.text();
      expect(text).toContain(argument);
      expect(text).toContain(`answer_${secret}`);
      expect(target.requests.at(-1)?.url).toContain(argument);
      expect(JSON.stringify(target.requests)).not.toContain(access_token.slice(-20));
      const kept = await keptOf(answer.headers.get('x-request-id') ?? 'none');
      const secrets = ['argument', 'answer'].map((kind) => ({ kind, text: `${kind}_${secret}` }));
      expect(kept.flatMap(([where, text]) => leaksIn(where, text, secrets))).toEqual([]);
    },
  );
});

/** What is kept, once the record of a call has reached its table. */
const keptOf = async (requestId: string): ReturnType<WholeService['kept']> => {
  for (;;) {
    const kept = await service.kept();
    if (kept.some(([where, text]) => where === 'calls' && text.includes(requestId))) return kept;
    await setTimeout(100);
  }
};

describe('after all requests with secrets', () => {
  test('no secret is in an answer, a log or a table', async () => {
    expect(service.wire.secrets().length).toBeGreaterThan(1000);
    expect(service.wire.answers()).toBeGreaterThan(250);
    expect(await service.leaks()).toEqual([]);
  });

  test('the search finds a text that is in an answer, a log and a table', async () => {
    service.wire.plant('slug', guarded.slug);

    const places = (await service.leaks()).map(({ where }) => where);

    expect(places).toContainEqual(expect.stringMatching(/^router-.*\.log$/));
    expect(places).toContain('deployments');
    expect(places).toContain(`GET /v1/mcp-router/${guarded.slug}: 200`);
  });
});
