import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose';
import type { User } from '../../../layers/accounts/rules/user.ts';
import { anOAuthService, BASE_URL, ISSUER, type TestOAuth } from '../../support/oauth/oauth.ts';
import { bodyOf, oauth } from '../../support/oauth/oauth-requests.ts';
import { aPerson, PASSWORD } from '../../support/oauth/people.ts';
import { anEvent } from '../../support/mcp/router-events.ts';
import { aVisitor } from '../../support/oauth/visits.ts';

let service: TestOAuth;
let ada: User;
let noon: number;

beforeAll(async () => {
  service = await anOAuthService();
  ada = await aPerson(service);
  noon = service.clock.time;
});
afterAll(() => service.stop());

const open = (email: string, password = PASSWORD, more: object = {}) =>
  service.send(
    anEvent('POST', '/v1/mcp-management/sessions', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password, ...more }),
    }),
  );

const tokenOf = async (email: string) => String(bodyOf(await open(email))['access_token']);

const end = (authorization?: string) =>
  service.send(
    anEvent('DELETE', '/v1/mcp-management/sessions/current', {
      headers: authorization === undefined ? {} : { authorization },
    }),
  );

describe('POST /sessions of the management API', () => {
  test('returns a session token for an hour', async () => {
    const reply = await open(ada.email);

    expect(reply).toMatchObject({ statusCode: 200, headers: { 'cache-control': 'no-store' } });
    expect(bodyOf(reply)).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      token_type: 'Bearer',
      expires_in: 3600,
      device_token: expect.stringMatching(/^[\w-]{43}$/),
    });
  });

  test('with the device token of an earlier sign-in is not locked by failures of others', async () => {
    const { email } = await aPerson(service);
    const { device_token } = bodyOf(await open(email));
    for (let count = 0; count < 5; count += 1) await open(email, 'wrong');

    expect((await open(email)).statusCode).toBe(401);
    expect((await open(email, PASSWORD, { device_token })).statusCode).toBe(200);
    expect((await open(email, PASSWORD, { device_token: 'x'.repeat(201) })).statusCode).toBe(422);
  });

  test('signs the token with the key in the JSON Web Key Set', async () => {
    const token = await tokenOf(ada.email);
    const jwks = bodyOf(await service.send(anEvent('GET', oauth('/.well-known/jwks.json'))));

    const { payload, protectedHeader } = await jwtVerify(token, createLocalJWKSet(jwks as never), {
      issuer: ISSUER,
      audience: `${BASE_URL}/mcp-management`,
      typ: 'session+jwt',
      algorithms: ['ES256'],
      currentDate: new Date(noon * 1000),
    });

    expect(protectedHeader.kid).toEqual(expect.any(String));
    expect(payload).toMatchObject({ sub: ada.id, iat: noon, exp: noon + 3600 });
  });

  test.each([
    ['a wrong password', () => open(ada.email, 'wrong')],
    ['an unknown email address', () => open('nobody@example.com')],
    ['an empty email address', () => open('')],
  ])('refuses %s with the same answer', async (_, request) => {
    const reply = await request();

    expect(reply).toMatchObject({
      statusCode: 401,
      headers: {
        'content-type': 'application/problem+json',
        'www-authenticate': 'Bearer realm="management"',
      },
    });
    expect(bodyOf(reply)).toEqual({
      type: 'about:blank',
      title: 'Unauthorized',
      status: 401,
      code: 'invalid_credentials',
      detail: 'The e-mail address or the password is wrong, or the account cannot be used now.',
    });
  });

  test('counts failures together with the login page', async () => {
    const person = await aPerson(service);
    const client = await service.client();
    for (let count = 0; count < 3; count += 1) await open(person.email, 'wrong');
    const visitor = aVisitor(service);
    const page = await visitor.authorize({ client_id: client.id });
    for (let count = 0; count < 2; count += 1) {
      await visitor.submit(page, '/login', { email: person.email, password: 'wrong' });
    }

    expect((await open(person.email)).statusCode).toBe(401);
    service.clock.time = noon + 900;
    const later = await open(person.email);
    service.clock.time = noon;
    expect(later.statusCode).toBe(200);
  });

  test('allows 20 requests a minute from one address', async () => {
    const event = anEvent('POST', '/v1/mcp-management/sessions', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: ada.email, password: PASSWORD }),
    });
    const statuses = [];
    for (let count = 0; count < 21; count += 1)
      statuses.push((await service.send(event)).statusCode);

    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 200), 429]);
  });
});

/** The token in a browser's cookie. */
const browserToken = (cookies: string): string =>
  /__Host-mcp-session=([^;]*)/.exec(cookies)?.[1] ?? '';

describe('CORS at the accounts and sessions routes', () => {
  test.each(['accounts', 'accounts/verify', 'sessions', 'sessions/current'])(
    'allows for /%s what the rest of the management API allows',
    async (path) => {
      const asked = anEvent('OPTIONS', `/v1/mcp-management/${path}`, {
        headers: { origin: 'https://app.example.com', 'access-control-request-method': 'DELETE' },
      });
      expect(await service.send(asked)).toMatchObject({
        statusCode: 204,
        headers: {
          'access-control-allow-origin': '*',
          'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE, OPTIONS',
          'access-control-allow-headers': expect.stringContaining('authorization'),
        },
      });
    },
  );

  test('lets browsers read a refusal', async () => {
    const reply = await service.send(anEvent('DELETE', '/v1/mcp-management/sessions/current'));
    expect(reply).toMatchObject({
      statusCode: 401,
      headers: {
        'access-control-allow-origin': '*',
        'access-control-expose-headers': expect.stringContaining('Retry-After'),
      },
    });
  });
});

describe('DELETE /sessions/current', () => {
  test('ends the session once', async () => {
    const token = await tokenOf(ada.email);

    expect(await end(`Bearer ${token}`)).toMatchObject({ statusCode: 204, body: '' });
    expect((await end(`Bearer ${token}`)).statusCode).toBe(401);
  });

  test('ends only this session', async () => {
    const [one, other] = [await tokenOf(ada.email), await tokenOf(ada.email)];
    await end(`Bearer ${one}`);

    expect((await end(`Bearer ${other}`)).statusCode).toBe(204);
  });

  test('is refused from the second at which the session expires', async () => {
    const token = await tokenOf(ada.email);
    service.clock.time = noon + 3600;
    const late = await end(`Bearer ${token}`);
    service.clock.time = noon + 3599;
    const inTime = await end(`Bearer ${token}`);
    service.clock.time = noon;

    expect([late.statusCode, inTime.statusCode]).toEqual([401, 204]);
  });

  test.each([
    ['no credentials', async () => undefined],
    ['another scheme', async () => 'Basic YTpi'],
    ['an empty token', async () => 'Bearer '],
    ['a token that is not a JWT', async () => 'Bearer abc'],
    ['an altered token', async () => `Bearer ${(await tokenOf(ada.email)).replace(/.\./, 'X.')}`],
    ['an unsigned token', async () => unsigned(await tokenOf(ada.email))],
    [
      'a token without its signature',
      async () => `Bearer ${(await tokenOf(ada.email)).replace(/[^.]*$/, '')}`,
    ],
    ['an access token', async () => 'Bearer mcp_access_0'],
    ['a token of ours with another type', async () => `Bearer ${await minted()}`],
  ])('is refused with %s', async (_, authorization) => {
    const reply = await end(await authorization());

    expect(reply).toMatchObject({
      statusCode: 401,
      headers: { 'www-authenticate': 'Bearer realm="management"' },
    });
    expect(bodyOf(reply)).toMatchObject({ code: 'invalid_session' });
  });

  const unsigned = (token: string): string => {
    const none = Buffer.from('{"alg":"none","typ":"session+jwt"}').toString('base64url');
    return `Bearer ${none}.${token.split('.')[1]}.`;
  };

  const minted = async (): Promise<string> =>
    service.ports.signer.sign('at+jwt', {
      iss: ISSUER,
      aud: `${BASE_URL}/mcp-management`,
      sub: ada.id,
      sid: 'x',
      iat: noon,
      exp: noon + 60,
    });

  test('is refused with the session of a browser', async () => {
    const client = await service.client();
    const visitor = aVisitor(service);
    const page = await visitor.authorize({ client_id: client.id });
    await visitor.submit(page, '/login', { email: ada.email, password: PASSWORD });
    const cookie = browserToken(visitor.cookies());
    const { sid } = decodeJwt(cookie);
    const forged = await service.ports.signer.sign('session+jwt', {
      iss: ISSUER,
      aud: `${BASE_URL}/mcp-management`,
      sub: ada.id,
      sid,
      exp: noon + 60,
    });

    expect((await end(`Bearer ${cookie}`)).statusCode).toBe(401);
    expect((await end(`Bearer ${forged}`)).statusCode).toBe(401);
  });

  test('does not accept management sessions as browser cookies', async () => {
    const token = await tokenOf(ada.email);
    const { sid } = decodeJwt(token);
    const forged = await service.ports.signer.sign('session+jwt', {
      iss: ISSUER,
      aud: ISSUER,
      sub: ada.id,
      sid,
      exp: noon + 60,
    });
    const client = await service.client();
    for (const cookie of [token, forged, String(sid)]) {
      const visitor = aVisitor(service, { headers: { cookie: `__Host-mcp-session=${cookie}` } });
      const page = await visitor.authorize({ client_id: client.id });

      expect(page.forms[0]?.action).toMatch(/login$/);
    }
  });

  test('is a bad request with two credentials', async () => {
    expect((await end('Bearer a, Bearer b')).statusCode).toBe(400);
  });
});
