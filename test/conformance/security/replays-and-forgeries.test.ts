import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { aRawClient, type RawOAuthClient } from '../../support/oauth/raw-oauth-client.ts';
import {
  type Person,
  type PublishedServer,
  startWholeService,
  type WholeService,
} from '../../support/service/whole-service.ts';

let service: WholeService;
let person: Person;
let server: PublishedServer;
let client: RawOAuthClient;

beforeAll(async () => {
  service = await startWholeService();
  person = await service.person();
  server = await service.publish(person);
  client = await aRawClient(service);
});
afterAll(() => service.stop());

interface Issued {
  readonly access_token: string;
  readonly refresh_token: string;
}

const FORM = 'application/x-www-form-urlencoded';

const list = async (token: string): Promise<number> => {
  const answer = await service.fetch(server.messagesUrl, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });
  return answer.status;
};

describe('an authorization code', () => {
  test('is redeemed once; a second time ends the tokens of the first. Source: RFC 6749, section 4.1.2', async () => {
    const code = await client.code(service.browser(), person, server);
    const first = await client.redeem(code);
    const { access_token } = (await first.json()) as { readonly access_token: string };
    expect(await list(access_token)).toBe(200);

    expect((await client.redeem(code)).status).toBe(400);

    expect(await list(access_token)).toBe(401);
  });

  test('is of no use to another client, whose verifier is another', async () => {
    const code = await client.code(service.browser(), person, server);
    const thief = await aRawClient(service);

    const answer = await thief.redeem(code);

    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: 'invalid_grant' });
  });
});

describe('a refresh token that a thief has beside the client', () => {
  test.each([
    ['the client', ['client', 'thief', 'client', 'thief']],
    ['the thief', ['thief', 'client', 'thief', 'client']],
    ['now the one and now the other', ['client', 'thief', 'thief', 'client']],
  ])('ends the grant in the second round, whoever comes first: %s', async (_, turns) => {
    const code = await client.code(service.browser(), person, server);
    const first = (await (await client.redeem(code)).json()) as Issued;
    const held = new Map(['client', 'thief'].map((who) => [who, first]));
    const statuses: number[] = [];
    for (const who of turns) {
      const answer = await client.refresh(held.get(who)!.refresh_token);
      statuses.push(answer.status);
      if (answer.ok) held.set(who, (await answer.json()) as Issued);
    }

    expect(statuses).toEqual([200, 200, 200, 400]);
    for (const { access_token, refresh_token } of held.values()) {
      expect(await list(access_token)).toBe(401);
      expect((await client.refresh(refresh_token)).status).toBe(400);
    }
  });
});

describe('a form of the authorization server', () => {
  const SENDERS: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['another site of the same domain', { 'sec-fetch-site': 'same-site', origin: 'null' }],
    ['another site that hides its origin', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
    ['another origin on loopback', { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' }],
  ];
  test.each(SENDERS)('grants nothing when it is sent by %s', async (_who, headers) => {
    const browser = service.browser();
    const login = await browser.open(client.address(server));
    const { email, password } = person;
    const consent = await browser.submit(login, '/login', { email, password });
    const [form] = consent.forms.filter(({ action }) => action.endsWith('/authorize'));

    const answer = await service.fetch(new URL(form?.action ?? '', consent.url), {
      method: 'POST',
      redirect: 'manual',
      headers: { ...headers, cookie: browser.cookies(), 'content-type': FORM },
      body: new URLSearchParams({ ...form?.fields, decision: 'approve' }).toString(),
    });

    expect(answer.status).toBe(403);
    expect(answer.headers.get('location')).toBeNull();
  });

  test('grants nothing without the token that the page had', async () => {
    const browser = service.browser();
    const login = await browser.open(client.address(server));
    const { email, password } = person;
    const consent = await browser.submit(login, '/login', { email, password });
    const [form] = consent.forms.filter(({ action }) => action.endsWith('/authorize'));
    const fields = Object.fromEntries(
      Object.entries(form?.fields ?? {}).filter(([name]) => !/csrf/.test(name)),
    );
    expect(Object.keys(fields).length).toBeLessThan(Object.keys(form?.fields ?? {}).length);

    const end = await browser.submit(
      { ...consent, forms: [{ action: form?.action ?? '', fields }] },
      '/authorize',
      { decision: 'approve' },
    );

    expect(end.left).toBe(false);
    expect(end.status).toBeGreaterThanOrEqual(400);
  });
});

describe('a redirect URI that was not registered', () => {
  test.each([
    'https://evil.example/callback',
    'http://127.0.0.1.evil.example/callback',
    'http://127.0.0.1/callback/../other',
    'http://127.0.0.1/callback?x=1',
    'http://127.0.0.1/callback#x',
    'http://user@127.0.0.1/callback',
    'http://127.0.0.1\\@evil.example/callback',
    'javascript:alert(1)',
    '//evil.example/callback',
    'http://localhost/callback',
  ])('is never redirected to: %s', async (uri) => {
    const address = client.address(server);
    address.searchParams.set('redirect_uri', uri);

    const answer = await service.fetch(address, { redirect: 'manual' });

    expect(answer.status).toBe(400);
    expect(answer.headers.get('location')).toBeNull();
  });

  test('may have another port on loopback. Source: RFC 8252, section 7.3', async () => {
    const address = client.address(server);
    address.searchParams.set('redirect_uri', 'http://127.0.0.1:49152/callback');

    expect((await service.fetch(address, { redirect: 'manual' })).status).toBeLessThan(400);
  });
});

describe('headers that only a proxy may set', () => {
  test('change no address that the service names', async () => {
    const forged = {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'gopher',
      forwarded: 'for=1.2.3.4;host=evil.example;proto=gopher',
      'x-original-url': '/v1/evil',
    };
    for (const path of [
      '/mcp-oauth-server/.well-known/oauth-authorization-server',
      `/mcp-router/${server.slug}/.well-known/oauth-protected-resource`,
      `/mcp-router/${server.slug}`,
    ]) {
      const url = `${service.baseUrl}${path}`;
      const plain = await (await service.fetch(url)).text();
      const answer = await service.fetch(url, { headers: forged });
      expect(await answer.text()).toBe(plain);
    }
  });
});
