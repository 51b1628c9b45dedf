import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { anOAuthService, ISSUER, REDIRECT_URI, type TestOAuth } from '../../support/oauth.ts';
import { anAddress, anEvent } from '../../support/router-events.ts';
import { aGet, aRequest, aVisitor, ORIGIN, pathTo, wordsOf } from '../../support/visits.ts';

let service: TestOAuth;
let clientId: string;

beforeAll(async () => {
  service = await anOAuthService({ limits: { authorize_per_minute_per_client: 100_000 } });
  const redirectUris = [
    REDIRECT_URI,
    'https://app.example.com/with?query=%2F',
    'http://127.0.0.1/callback',
    'cursor://app/callback',
  ];
  ({ id: clientId } = await service.client({ redirectUris, name: 'Desk <b>' }));
  await service.deployment({ slug: 'pets' });
  await service.deployment({ slug: 'open-pets', authMethod: 'none' });
  await service.deployment({ slug: 'resting', status: 'paused' });
});
afterAll(() => service.stop());

const authorize = (over: Readonly<Record<string, string | undefined>> = {}) =>
  service.send(aGet(pathTo('/authorize', aRequest({ client_id: clientId, ...over }))));

const raw = (query: string) => service.send(aGet(pathTo('/authorize', query)));

const rawRequest = (rest: string) =>
  service.send(aGet(pathTo('/authorize', `${pairs(aRequest({ state: undefined }))}&${rest}`)));

/** With the client that is known. */
const pairs = (sent: Readonly<Record<string, string | undefined>>): string =>
  pathTo('', { client_id: clientId, ...sent }).split('?')[1] ?? '';

const answerOf = (location: string | undefined) =>
  Object.fromEntries(new URL(location ?? '').searchParams);

describe('GET /authorize from somebody who is not signed in', () => {
  test('shows the login page, which names the application', async () => {
    const { statusCode, body } = await authorize();

    expect(statusCode).toBe(200);
    expect(wordsOf(body)).toContain('Sign in to connect Desk &lt;b&gt;');
    expect(body).toMatch(/<form method="post" action="\/v1\/mcp-oauth-server\/login">/);
    expect(body).toMatch(/<input type="hidden" name="ticket" value="[\w-]{43}">/);
  });

  test('A4 lets nothing else into the page, and the page into nothing else', async () => {
    const { headers, cookies } = await authorize();

    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
      ),
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    expect(headers).not.toHaveProperty('access-control-allow-origin');
    expect(cookies).toBeUndefined();
  });

  test('A7 knows no place to go on to but its own', async () => {
    const elsewhere = 'https://evil.example';
    const { statusCode, body } = await authorize({
      next: elsewhere,
      return_to: elsewhere,
      ticket: elsewhere,
      continue: elsewhere,
    });

    expect(statusCode).toBe(200);
    expect(body).not.toContain('evil.example');
  });

  test('answers HEAD without a body', async () => {
    const path = pathTo('/authorize', aRequest({ client_id: clientId }));
    const get = aGet(path);
    const { requestContext } = anEvent('HEAD', '/');

    expect(await service.send({ ...get, requestContext })).toMatchObject({
      statusCode: 200,
      body: '',
    });
  });
});

describe('A1, D24 before client and redirect URI are proven, an error is a page', () => {
  test.each([
    ['no client', { client_id: undefined }, 'not known here'],
    ['an empty client', { client_id: '' }, 'not known here'],
    ['an unknown client', { client_id: 'mcp_unknown' }, 'not known here'],
    ['what can be no client', { client_id: '../\u0000' }, 'not known here'],
    ['no redirect URI', { redirect_uri: undefined }, 'cannot be trusted'],
    [
      'another redirect URI',
      { redirect_uri: 'https://evil.example/callback' },
      'cannot be trusted',
    ],
    ['a longer one', { redirect_uri: `${REDIRECT_URI}/more` }, 'cannot be trusted'],
    ['one with a query', { redirect_uri: `${REDIRECT_URI}?a=b` }, 'cannot be trusted'],
    ['one with a fragment', { redirect_uri: `${REDIRECT_URI}#a` }, 'cannot be trusted'],
    ['one in another case', { redirect_uri: REDIRECT_URI.toUpperCase() }, 'cannot be trusted'],
    [
      'one with a port',
      { redirect_uri: 'https://app.example.com:8443/callback' },
      'cannot be trusted',
    ],
    [
      'one with user data',
      { redirect_uri: 'https://app.example.com@evil.example/callback' },
      'cannot be trusted',
    ],
    [
      'a loopback host that only begins so',
      { redirect_uri: 'http://127.0.0.1.evil.example/callback' },
      'cannot be trusted',
    ],
    ['a script', { redirect_uri: 'javascript:alert(1)' }, 'cannot be trusted'],
  ])('%s', async (_, over, words) => {
    const { statusCode, headers, body } = await authorize(over);

    expect(statusCode).toBe(400);
    expect(headers).not.toHaveProperty('location');
    expect(wordsOf(body)).toContain(words);
    expect(body).not.toContain('evil.example');
  });

  test.each(['client_id', 'redirect_uri'])('%s twice', async (name) => {
    const all = new URLSearchParams(pairs(aRequest()));
    all.append(name, all.get(name) ?? '');

    expect(await raw(all.toString())).toMatchObject({ statusCode: 400 });
    expect((await raw(all.toString())).headers).not.toHaveProperty('location');
  });
});

describe('A1, D24 afterwards it goes to the redirect URI', () => {
  const state = 'st&te/+ %25';

  test.each([
    ['no response type', { response_type: undefined }, 'invalid_request'],
    ['another response type', { response_type: 'token' }, 'unsupported_response_type'],
    ['no challenge', { code_challenge: undefined }, 'invalid_request'],
    ['a malformed challenge', { code_challenge: 'short' }, 'invalid_request'],
    ['no method, which means plain', { code_challenge_method: undefined }, 'invalid_request'],
    ['the method plain', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['an unknown scope', { scope: 'openid admin' }, 'invalid_scope'],
    ['no person', { prompt: 'none' }, 'interaction_required'],
    [
      'a resource elsewhere',
      { resource: 'https://evil.example/v1/mcp-router/pets' },
      'invalid_target',
    ],
    ['a resource that is none', { resource: 'pets' }, 'invalid_target'],
    ['an unknown deployment', { resource: `${ORIGIN}/v1/mcp-router/nobody` }, 'invalid_target'],
    [
      'a deployment without login',
      { resource: `${ORIGIN}/v1/mcp-router/open-pets` },
      'invalid_target',
    ],
    ['a paused deployment', { resource: `${ORIGIN}/v1/mcp-router/resting` }, 'invalid_target'],
    [
      'a resource with a fragment',
      { resource: `${ORIGIN}/v1/mcp-router/pets#a` },
      'invalid_target',
    ],
    ['a resource with a query', { resource: `${ORIGIN}/v1/mcp-router/pets?a` }, 'invalid_target'],
    ['a resource deeper down', { resource: `${ORIGIN}/v1/mcp-router/pets/tool` }, 'invalid_target'],
  ])('%s', async (_, over, error) => {
    const { statusCode, headers, body } = await authorize(over);

    expect(statusCode).toBe(303);
    expect(headers['location']).toMatch(/^https:\/\/app\.example\.com\/callback\?/);
    expect(answerOf(headers['location'])).toEqual({
      error,
      error_description: expect.stringMatching(/^[ !#-[\]-~]+$/),
      state,
      iss: ISSUER,
    });
    expect(body).toBe('');
  });

  test.each(['response_type', 'code_challenge', 'code_challenge_method', 'scope', 'prompt'])(
    '%s twice',
    async (name) => {
      const { headers } = await rawRequest(`state=s&${name}=openid&${name}=openid`);

      expect(answerOf(headers['location'])).toMatchObject({ error: 'invalid_request', state: 's' });
    },
  );

  test('D34 two resources, the same ones too', async () => {
    const resource = `resource=${encodeURIComponent(`${ORIGIN}/v1/mcp-router/pets`)}`;
    const { headers } = await rawRequest(`${resource}&${resource}`);

    expect(answerOf(headers['location'])).toMatchObject({ error: 'invalid_target' });
  });

  test('two states, of which neither comes back', async () => {
    const { headers } = await rawRequest('state=a&state=b');

    const { error, state: returned } = answerOf(headers['location']);
    expect({ error, returned }).toEqual({ error: 'invalid_request', returned: undefined });
  });

  test.each([
    ['nothing', '', undefined],
    ['bytes that are no UTF-8', 'state=%ff%FE', '&state=%ff%FE'],
    ['a plus', 'state=a+b', '&state=a%20b'],
    ['what breaks lines', 'state=a%0d%0aset-cookie:x', '&state=a%0d%0aset-cookie%3Ax'],
  ])('A2 the state comes back byte for byte: %s', async (_, query, end = '') => {
    const { headers } = await rawRequest(`scope=bad&${query}`);

    expect(headers['location']).toMatch(/mcp-oauth-server(?:&state=.*)?$/);
    expect(headers['location']?.endsWith(`mcp-oauth-server${end}`)).toBe(true);
  });

  test.each([
    ['https://app.example.com/with?query=%2F', 'https://app.example.com/with?query=%2F&error='],
    ['http://127.0.0.1:6277/callback', 'http://127.0.0.1:6277/callback?error='],
    ['cursor://app/callback', 'cursor://app/callback?error='],
  ])('D21 the redirect URI is kept as it was sent: %s', async (uri, start) => {
    const { headers } = await authorize({ redirect_uri: uri, response_type: 'token' });

    expect(headers['location']?.startsWith(start)).toBe(true);
  });
});

describe('D12 a deployment may be named', () => {
  test.each(['', '/', '/messages'])('in the form %p', async (end) => {
    const { statusCode, body } = await authorize({
      resource: `${ORIGIN}/v1/mcp-router/pets${end}`,
    });

    expect(statusCode).toBe(200);
    expect(wordsOf(body)).toContain('to pets');
  });
});

describe('D22 the limits of /authorize', () => {
  test('are 20 an hour for an address; pages that follow do not count', async () => {
    const visitor = aVisitor(service);
    const pages = [];
    for (let count = 0; count < 20; count += 1) {
      pages.push(await visitor.authorize({ client_id: clientId }));
    }
    const ticket = pages[0]?.forms[0]?.fields['ticket'];
    const again = await visitor.open(`${ORIGIN}${pathTo('/authorize', { ticket })}`);
    const refused = await visitor.authorize({ client_id: clientId });

    expect(pages.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(again.status).toBe(200);
    expect(refused.status).toBe(429);
    expect(visitor.replies.at(-1)?.headers['retry-after']).toBe('3600');
    expect(wordsOf(refused.html)).toContain('Too many requests');
  });

  test('are 20 a minute for a client, from wherever they come', async () => {
    const limited = await anOAuthService();
    try {
      const { id } = await limited.client();
      const statuses = [];
      for (let count = 0; count < 21; count += 1) {
        const event = aGet(pathTo('/authorize', aRequest({ client_id: id })));
        statuses.push((await limited.send(event)).statusCode);
      }

      expect(statuses).toEqual([...Array.from({ length: 20 }, () => 200), 429]);
    } finally {
      await limited.stop();
    }
  });

  test('D27 count a client that all the world shares for each address apart', async () => {
    const limited = await anOAuthService();
    try {
      const id = 'https://app.example.com/client.json';
      await limited.client({ id, source: 'metadata_document' });
      const path = pathTo('/authorize', aRequest({ client_id: id }));
      const from = async (sourceIp: string) => {
        const { requestContext } = anEvent('GET', '/', { sourceIp });
        return (await limited.send(aGet(path, { requestContext }))).statusCode;
      };
      const [one, other] = [anAddress(), anAddress()];
      for (let count = 0; count < 20; count += 1) await from(one);

      expect(await from(one)).toBe(429);
      expect(await from(other)).toBe(200);
    } finally {
      await limited.stop();
    }
  });
});

describe('A3, D34 a ticket', () => {
  test('opens its page again for ten minutes, to the second', async () => {
    const visitor = aVisitor(service);
    const page = await visitor.authorize({ client_id: clientId });
    const again = () =>
      visitor.open(`${ORIGIN}${pathTo('/authorize', { ticket: page.forms[0]?.fields['ticket'] })}`);
    const start = service.clock.time;

    service.clock.time = start + 599;
    expect(await again()).toMatchObject({ status: 200 });
    service.clock.time = start + 600;
    const late = await again();
    service.clock.time = start;

    expect(late.status).toBe(400);
    expect(wordsOf(late.html)).toContain('no longer valid');
    expect(wordsOf(late.html)).toContain(
      'Go back to the application: it may be connected already.',
    );
  });

  test.each(['', 'unknown', 'x'.repeat(5000)])('that is none gets a page: %p', async (ticket) => {
    const { statusCode, headers } = await raw(new URLSearchParams({ ticket }).toString());

    expect(statusCode).toBe(400);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
  });
});

describe('whatever else is sent', () => {
  test('is answered with a page or with a proven redirect, never with a fault of ours', async () => {
    const name = fc.constantFrom(
      'client_id',
      'redirect_uri',
      'scope',
      'state',
      'resource',
      'code_challenge',
      'x',
      'ticket',
      '__proto__',
    );
    const value = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(clientId, REDIRECT_URI, '%', '%ff', '&', '='),
    );
    const query = fc
      .array(fc.tuple(name, value), { maxLength: 8 })
      .map((pairs) => pairs.map(([key, text]) => `${key}=${text}`).join('&'));

    await fc.assert(
      fc.asyncProperty(query, async (text) => {
        const { statusCode, headers } = await raw(text);
        expect([200, 303, 400]).toContain(statusCode);
        if (statusCode === 303) expect(headers['location']).toContain(REDIRECT_URI);
      }),
      { numRuns: 150 },
    );
  });

  test('a page has no answer for other methods, and says so in words', async () => {
    const { statusCode, headers, body } = await service.send(anEvent('PUT', pathTo('/authorize')));

    expect(statusCode).toBe(405);
    expect(headers).toMatchObject({
      allow: 'GET, HEAD, POST, OPTIONS',
      'content-type': 'text/html; charset=utf-8',
    });
    expect(wordsOf(body)).toContain('cannot be opened so');
  });
});
