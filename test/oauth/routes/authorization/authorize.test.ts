import type { OAuthClient } from '../../../../layers/tokens/rules/oauth-records.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { decodeJwt } from 'jose';
import { fingerprint } from '../../../../layers/platform/rules/fingerprint.ts';
import { startSession } from '../../../../layers/accounts/steps/sessions.ts';
import {
  anOAuthService,
  ISSUER,
  NOON,
  REDIRECT_URI,
  type TestOAuth,
} from '../../../support/oauth/oauth.ts';
import { aPerson } from '../../../support/oauth/people.ts';
import { anHttpServer } from '../../../support/target/target-server.ts';
import { anAddress, anEvent } from '../../../support/mcp/router-events.ts';
import {
  aGet,
  aRequest,
  aVisitor,
  linksOf,
  ORIGIN,
  pathTo,
  wordsOf,
} from '../../../support/oauth/visits.ts';

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

/** With the client that is known. */
const pairs = (sent: Readonly<Record<string, string | undefined>>): string =>
  pathTo('', { client_id: clientId, ...sent }).split('?')[1] ?? '';

const answerOf = (location: string | undefined) =>
  Object.fromEntries(new URL(location ?? '').searchParams);

describe('GET /authorize without a session', () => {
  test('shows the login page with the name of the client', async () => {
    const { statusCode, body } = await authorize();

    expect(statusCode).toBe(200);
    expect(wordsOf(body)).toContain('Sign in to connect Desk &lt;b&gt;');
    expect(body).toMatch(/<form method="post" action="\/v1\/mcp-oauth-server\/login">/);
    expect(body).toMatch(/<input type="hidden" name="ticket" value="[\w-]{43}">/);
  });

  test('sets a content security policy that forbids framing and foreign content', async () => {
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

  test('ignores parameters that name a place to continue', async () => {
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

describe('GET /authorize of a client whose metadata document is at fault', () => {
  test('says from where it could not be fetched, why, and what helps', async () => {
    const { statusCode, body } = await authorize({ client_id: 'https://10.0.0.1/client.json' });

    expect(statusCode).toBe(400);
    expect(body).toContain('The description of this application cannot be read');
    expect(body).toContain('could not be fetched from 10.0.0.1');
    expect(body).toContain('(blocked_address)');
    expect(body).toContain('must let it reach that address');
    // It would name its document again.
    expect(body).not.toContain('registers again');
  });

  test('says what is wrong with one that was fetched', async () => {
    await using site = await anHttpServer((_, response) => response.writeHead(404).end());

    const { statusCode, body } = await authorize({ client_id: `${site.url}/client.json` });

    expect(statusCode).toBe(400);
    expect(body).toContain('The description of this application cannot be used');
    expect(body).toContain('its address answered 404');
  });
});

describe('GET /authorize with an unproven client or redirect URI', () => {
  test.each([
    ['no client id', { client_id: undefined }, 'not known here'],
    ['an empty client id', { client_id: '' }, 'not known here'],
    ['an unknown client id', { client_id: 'mcp_unknown' }, 'not known here'],
    ['a malformed client id', { client_id: '../\u0000' }, 'not known here'],
    ['no redirect URI', { redirect_uri: undefined }, 'cannot be trusted'],
    [
      'another redirect URI',
      { redirect_uri: 'https://evil.example/callback' },
      'cannot be trusted',
    ],
    ['a longer redirect URI', { redirect_uri: `${REDIRECT_URI}/more` }, 'cannot be trusted'],
    ['a redirect URI with a query', { redirect_uri: `${REDIRECT_URI}?a=b` }, 'cannot be trusted'],
    ['a redirect URI with a fragment', { redirect_uri: `${REDIRECT_URI}#a` }, 'cannot be trusted'],
    ['it in another case', { redirect_uri: REDIRECT_URI.toUpperCase() }, 'cannot be trusted'],
    [
      'a redirect URI with a port',
      { redirect_uri: 'https://app.example.com:8443/callback' },
      'cannot be trusted',
    ],
    [
      'a redirect URI with user data',
      { redirect_uri: 'https://app.example.com@evil.example/callback' },
      'cannot be trusted',
    ],
    [
      'a host that only begins like loopback',
      { redirect_uri: 'http://127.0.0.1.evil.example/callback' },
      'cannot be trusted',
    ],
    ['a javascript URI', { redirect_uri: 'javascript:alert(1)' }, 'cannot be trusted'],
  ])('shows an error page for %s', async (_, over, words) => {
    const { statusCode, headers, body } = await authorize(over);

    expect(statusCode).toBe(400);
    expect(headers).not.toHaveProperty('location');
    expect(wordsOf(body)).toContain(words);
    expect(body).not.toContain('evil.example');
  });

  test.each(['client_id', 'redirect_uri'])(
    'shows an error page for a repeated %s',
    async (name) => {
      const all = new URLSearchParams(pairs(aRequest()));
      all.append(name, all.get(name) ?? '');

      expect(await raw(all.toString())).toMatchObject({ statusCode: 400 });
      expect((await raw(all.toString())).headers).not.toHaveProperty('location');
    },
  );
});

/** What a request to connect can have wrong once client and redirect URI are proven. */
const INVALID: readonly (readonly [
  string,
  Readonly<Record<string, string | undefined>>,
  string,
])[] = [
  ['no response type', { response_type: undefined }, 'invalid_request'],
  ['another response type', { response_type: 'token' }, 'unsupported_response_type'],
  ['no challenge', { code_challenge: undefined }, 'invalid_request'],
  ['a malformed challenge', { code_challenge: 'short' }, 'invalid_request'],
  ['no method, which defaults to plain', { code_challenge_method: undefined }, 'invalid_request'],
  ['the method plain', { code_challenge_method: 'plain' }, 'invalid_request'],
  ['a nonce that is too long', { scope: 'openid', nonce: 'n'.repeat(1025) }, 'invalid_request'],
  ['the prompt none', { prompt: 'none' }, 'interaction_required'],
  [
    'a resource of another service',
    { resource: 'https://evil.example/v1/mcp-router/pets' },
    'invalid_target',
  ],
  ['a resource that is not a URL', { resource: 'pets' }, 'invalid_target'],
  ['an unknown deployment', { resource: `${ORIGIN}/v1/mcp-router/nobody` }, 'invalid_target'],
  [
    'a deployment without login',
    { resource: `${ORIGIN}/v1/mcp-router/open-pets` },
    'invalid_target',
  ],
  ['a paused deployment', { resource: `${ORIGIN}/v1/mcp-router/resting` }, 'invalid_target'],
  ['a resource with a fragment', { resource: `${ORIGIN}/v1/mcp-router/pets#a` }, 'invalid_target'],
  [
    'a longer resource with a query',
    { resource: `${ORIGIN}/v1/mcp-router/pets/tool?a` },
    'invalid_target',
  ],
  ['a longer resource URL', { resource: `${ORIGIN}/v1/mcp-router/pets/tool` }, 'invalid_target'],
];

describe('GET /authorize with an invalid parameter, by somebody who has signed in', () => {
  let cookie: string;
  beforeAll(async () => {
    cookie = await aSignedInBrowser();
  });
  const authorize = (over: Readonly<Record<string, string | undefined>> = {}) =>
    service.send(
      withCookie(cookie, pathTo('/authorize', aRequest({ client_id: clientId, ...over }))),
    );
  const rawRequest = (rest: string) =>
    service.send(
      withCookie(cookie, pathTo('/authorize', `${pairs(aRequest({ state: undefined }))}&${rest}`)),
    );

  const state = 'st&te/+ %25';

  test.each(INVALID)('redirects with an error for %s', async (_, over, error) => {
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
    'redirects with an error for a repeated %s',
    async (name) => {
      const { headers } = await rawRequest(`state=s&${name}=openid&${name}=openid`);

      expect(answerOf(headers['location'])).toMatchObject({ error: 'invalid_request', state: 's' });
    },
  );

  test('redirects with an error for two resources, even equal ones', async () => {
    const resource = `resource=${encodeURIComponent(`${ORIGIN}/v1/mcp-router/pets`)}`;
    const { headers } = await rawRequest(`${resource}&${resource}`);

    expect(answerOf(headers['location'])).toMatchObject({ error: 'invalid_target' });
  });

  test('redirects with an error for two states, and returns neither', async () => {
    const { headers } = await rawRequest('state=a&state=b');

    const { error, state: returned } = answerOf(headers['location']);
    expect({ error, returned }).toEqual({ error: 'invalid_request', returned: undefined });
  });

  test.each([
    ['no state', '', undefined],
    ['bytes that are not UTF-8', 'state=%ff%FE', '&state=%ff%FE'],
    ['a plus sign', 'state=a+b', '&state=a%20b'],
    ['encoded line breaks', 'state=a%0d%0aset-cookie:x', '&state=a%0d%0aset-cookie%3Ax'],
  ])('returns the state byte for byte with the error: %s', async (_, query, end = '') => {
    const { headers } = await rawRequest(`prompt=none&${query}`);

    expect(headers['location']).toMatch(/mcp-oauth-server(?:&state=.*)?$/);
    expect(headers['location']?.endsWith(`mcp-oauth-server${end}`)).toBe(true);
  });

  test.each([
    ['https://app.example.com/with?query=%2F', 'https://app.example.com/with?query=%2F&error='],
    ['http://127.0.0.1:6277/callback', 'http://127.0.0.1:6277/callback?error='],
    ['cursor://app/callback', 'cursor://app/callback?error='],
  ])('redirects to the URI exactly as it was sent: %s', async (uri, start) => {
    const { headers } = await authorize({ redirect_uri: uri, response_type: 'token' });

    expect(headers['location']?.startsWith(start)).toBe(true);
  });
});

describe('GET /authorize with an invalid parameter, before anybody has signed in', () => {
  test.each(INVALID)('shows a page and redirects nowhere for %s', async (_, over, error) => {
    const { statusCode, headers, body } = await authorize(over);

    expect(statusCode).toBe(400);
    expect(headers).not.toHaveProperty('location');
    expect(headers).toMatchObject({ 'referrer-policy': 'no-referrer' });
    expect(wordsOf(body)).toContain('Go back to app.example.com');
    const [link] = linksOf({ html: body });
    expect(link).toMatch(/^https:\/\/app\.example\.com\/callback\?/);
    expect(answerOf(link)).toMatchObject({ error, state: 'st&te/+ %25', iss: ISSUER });
  });

  test.each([
    ['a session that has ended', async () => endedCookie()],
    ['a session of the management API', async () => `__Host-mcp-session=${await apiToken()}`],
    ['a cookie that somebody made up', async () => `__Host-mcp-session=${'x'.repeat(43)}`],
  ])('shows a page for %s', async (_, cookie) => {
    const path = pathTo('/authorize', aRequest({ client_id: clientId, response_type: 'token' }));
    const { statusCode, headers } = await service.send(withCookie(await cookie(), path));

    expect(statusCode).toBe(400);
    expect(headers).not.toHaveProperty('location');
  });

  test('shows texts of the application as texts, in the link too', async () => {
    const redirectUri = 'https://app.example.com/a?b="><script>alert(1)</script>&amp;';
    const { id } = await service.client({ redirectUris: [redirectUri], name: '<b>Desk</b>' });
    const { body } = await authorize({
      client_id: id,
      redirect_uri: redirectUri,
      state: '"><img src=x>',
      scope: '<i>all</i>',
      response_type: 'token',
    });

    expect(body).not.toMatch(/<(?:script|img|i|b)\b/);
    expect(body).toContain('app.example.com/a?b&#x3D;&quot;&gt;&lt;script&gt;');
    expect(wordsOf(body)).toContain('Its answer would go to app.example.com.');
  });

  test('says where on this device the application is', async () => {
    const { body } = await authorize({
      redirect_uri: 'http://127.0.0.1:6277/callback',
      response_type: 'token',
    });

    expect(wordsOf(body)).toContain('Go back to this device (127.0.0.1:6277)');
  });

  test('redirects to a URI that the operator has listed, and to no other', async () => {
    const listed = 'com.example.app:/callback';
    const other = await anOAuthService({ allowedRedirectUris: [listed] });
    const { id } = await other.client({ redirectUris: [listed, REDIRECT_URI] });
    const send = (redirect_uri: string) => {
      const sent = { client_id: id, redirect_uri, response_type: 'token' };
      return other.send(aGet(pathTo('/authorize', aRequest(sent))));
    };

    expect((await send(listed)).headers['location']).toMatch(
      /^com\.example\.app:\/callback\?error=/,
    );
    expect(await send(REDIRECT_URI)).toMatchObject({ statusCode: 400 });
    await other.stop();
  });

  const endedCookie = async (): Promise<string> => {
    const cookie = await aSignedInBrowser();
    const { sid = '' } = decodeJwt<{ sid?: string }>(cookie.split('=')[1] ?? '');
    await service.ports.sessions.end(fingerprint(sid));
    return cookie;
  };
  const apiToken = async (): Promise<string> =>
    (await startSession(service.ports, await service.user(), 'api')).token;
});

/** The cookie of a browser in which a new user has signed in. */
const aSignedInBrowser = async (): Promise<string> =>
  `__Host-mcp-session=${(await startSession(service.ports, await service.user(), 'browser')).token}`;

const withCookie = (cookie: string, path: string) => ({ ...aGet(path), cookies: [cookie] });

describe('GET /authorize with a resource', () => {
  test.each(['', '/', '/messages'])('accepts a URL that ends in %p', async (end) => {
    const { statusCode, body } = await authorize({
      resource: `${ORIGIN}/v1/mcp-router/pets${end}`,
    });

    expect(statusCode).toBe(200);
    // By its name, as the consent page calls it.
    expect(wordsOf(body)).toContain('to Weather');
  });
});

describe('the rate limits of /authorize', () => {
  test('let 300 people of one address in within an hour, not counting the pages that follow', async () => {
    const visitor = aVisitor(service);
    const clients = [];
    for (let count = 0; count < 15; count += 1) clients.push(await service.client());
    const pages = [];
    for (let count = 0; count < 300; count += 1) {
      pages.push(await visitor.authorize({ client_id: clients[count % 15]?.id ?? '' }));
    }
    const ticket = pages[0]?.forms[0]?.fields['ticket'];
    const again = await visitor.open(`${ORIGIN}${pathTo('/authorize', { ticket })}`);
    const refused = await visitor.authorize({ client_id: clientId });

    expect(pages.map(({ status }) => status)).toEqual(Array.from({ length: 300 }, () => 200));
    expect(again.status).toBe(200);
    expect(refused.status).toBe(429);
    expect(visitor.replies.at(-1)?.headers['retry-after']).toBe('3600');
    expect(wordsOf(refused.html)).toContain('Too many requests');
  });

  test.each<[string, Partial<OAuthClient>]>([
    ['a public client', {}],
    ['a confidential client, which has proven nothing here', { authMethod: 'client_secret_post' }],
    [
      'a client with a metadata document',
      { id: 'https://app.example.com/client.json', source: 'metadata_document' },
    ],
  ])('allow 20 a minute from each address to %s', async (_, over) => {
    const limited = await anOAuthService();
    try {
      const { id } = await limited.client(over);
      const path = pathTo('/authorize', aRequest({ client_id: id }));
      const from = async (sourceIp: string) => {
        const { requestContext } = anEvent('GET', '/', { sourceIp });
        return (await limited.send(aGet(path, { requestContext }))).statusCode;
      };
      const [one, other] = [anAddress(), anAddress()];
      const statuses = [];
      for (let count = 0; count < 21; count += 1) statuses.push(await from(one));

      expect(statuses).toEqual([...Array.from({ length: 20 }, () => 200), 429]);
      expect(await from(other)).toBe(200);
    } finally {
      await limited.stop();
    }
  });
});

describe('the ticket of a pending authorization request', () => {
  test('opens its page again for exactly ten minutes', async () => {
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

  test.each(['', 'unknown', 'x'.repeat(5000)])('is refused if unknown: %p', async (ticket) => {
    const { statusCode, headers } = await raw(new URLSearchParams({ ticket }).toString());

    expect(statusCode).toBe(400);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
  });
});

describe('any other request to /authorize', () => {
  test('is answered with a page or a redirect to a registered URI', async () => {
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

  test('by another method is refused with a readable page', async () => {
    const { statusCode, headers, body } = await service.send(anEvent('PUT', pathTo('/authorize')));

    expect(statusCode).toBe(405);
    expect(headers).toMatchObject({
      allow: 'GET, HEAD, POST, OPTIONS',
      'content-type': 'text/html; charset=utf-8',
    });
    expect(wordsOf(body)).toContain('cannot be opened so');
  });
});

describe('a code', () => {
  test.each([
    ['as their company says', NOON - 3000, NOON - 3000],
    ['not where that does not say it', 0, undefined],
    ['with a password when the session began', undefined, NOON],
  ])('says when somebody has shown who they are: %s', async (_, signedInAt, said) => {
    const user = await aPerson(service);
    const slug = `for-${user.id}`;
    await service.deployment({ slug, access: { mode: 'any_user' } });
    const { token } = await startSession(service.ports, user, 'browser', { signedInAt });
    const visitor = aVisitor(service, { headers: { cookie: `__Host-mcp-session=${token}` } });
    const page = await visitor.authorize({
      client_id: clientId,
      resource: `${ORIGIN}/v1/mcp-router/${slug}`,
    });
    const { url } = await visitor.submit(page, '/authorize', { decision: 'approve' });
    const code = await service.ports.codes.find(fingerprint(url.searchParams.get('code') ?? ''));

    expect(code).toMatchObject({ grant: { userId: user.id } });
    expect(code?.authTime).toBe(said);
  });
});
