import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { User } from '../../../../layers/accounts/rules/user.ts';
import { requireSession } from '../../../../layers/accounts/steps/require-session.ts';
import { startSession } from '../../../../layers/accounts/steps/sessions.ts';
import { anOAuthService, type TestOAuth } from '../../../support/oauth/oauth.ts';
import { bodyOf } from '../../../support/oauth/oauth-requests.ts';
import { aPerson, PASSWORD } from '../../../support/oauth/people.ts';
import { anAddress, anEvent, type SentHeaders } from '../../../support/mcp/router-events.ts';
import { ORIGIN, pathTo } from '../../../support/oauth/visits.ts';

let service: TestOAuth;
let noon: number;
beforeAll(async () => {
  service = await anOAuthService({ limits: { logins_per_minute_per_ip: 100_000 } });
  noon = service.clock.time;
});
afterAll(() => service.stop());

/** Somebody whose browser is signed in. */
const signedIn = async (over: Partial<User> = {}) => {
  const user = await aPerson(service, over);
  const { token } = await startSession(service.ports, user, 'browser');
  return { user, cookie: `__Host-mcp-session=${token}` };
};

interface Sent {
  readonly cookie?: string | undefined;
  readonly body?: object;
  readonly headers?: SentHeaders;
}

const post = (path: string, { cookie, body, headers = { origin: ORIGIN } }: Sent = {}) =>
  service.send({
    ...anEvent('POST', pathTo(`/console/${path}`), {
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      sourceIp: anAddress(),
      ...(body && { body: JSON.stringify(body) }),
    }),
    ...(cookie !== undefined && { cookies: cookie.split('; ') }),
  });

const tokenFor = async (cookie: string): Promise<string> =>
  String(bodyOf(await post('token', { cookie }))['access_token']);

/** Who a token is at the management API. */
const atManagement = (token: string) => requireSession(service.ports, `Bearer ${token}`);

describe('POST /console/token', () => {
  test('gives a token of ten minutes and the account that is signed in', async () => {
    const { user, cookie } = await signedIn();
    const reply = await post('token', { cookie });

    expect(reply).toMatchObject({ statusCode: 200, headers: { 'cache-control': 'no-store' } });
    expect(bodyOf(reply)).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 600,
      session_expires_in: 3600,
      account: { id: user.id, email: user.email, name: user.name, plan: user.plan },
    });
    expect(await atManagement(String(bodyOf(reply)['access_token']))).toMatchObject({
      id: user.id,
    });
  });

  test('gives a token that says nothing of what proves a form', async () => {
    const { cookie } = await signedIn();
    const [, claims = ''] = (await tokenFor(cookie)).split('.');
    const [, sessionClaims = ''] = cookie.split('.');
    const { sid } = JSON.parse(Buffer.from(sessionClaims, 'base64url').toString());

    expect(Buffer.from(claims, 'base64url').toString()).not.toContain(sid);
  });

  test('gives a token for exactly ten minutes', async () => {
    const token = await tokenFor((await signedIn()).cookie);

    service.clock.time = noon + 599;
    const lastSecond = atManagement(token);
    await expect(lastSecond).resolves.toBeDefined();
    service.clock.time = noon + 600;
    const over = atManagement(token);
    await expect(over).rejects.toMatchObject({ code: 'invalid_session' });
    service.clock.time = noon;
  });

  test('gives no token that outlives the session', async () => {
    const { cookie } = await signedIn();
    service.clock.time = noon + 3590;
    const reply = await post('token', { cookie });
    service.clock.time = noon;

    expect(bodyOf(reply)).toMatchObject({ expires_in: 10, session_expires_in: 10 });
  });

  test.each([
    ['nobody is signed in', () => undefined],
    ['the cookie is no session', () => '__Host-mcp-session=x.y.z'],
    ['the cookie is forged', async () => `${(await signedIn()).cookie.slice(0, -5)}AAAAA`],
    [
      'the cookie is a session of a program',
      async () => {
        const { token } = await startSession(service.ports, await aPerson(service), 'api');
        return `__Host-mcp-session=${token}`;
      },
    ],
    [
      'the cookie is a token of this endpoint',
      async () => `__Host-mcp-session=${await tokenFor((await signedIn()).cookie)}`,
    ],
  ])('is refused in words if %s', async (_, cookie) => {
    const reply = await post('token', { cookie: await cookie() });

    expect(reply).toMatchObject({
      statusCode: 401,
      headers: { 'content-type': 'application/problem+json' },
    });
    expect(bodyOf(reply)).toMatchObject({
      code: 'invalid_session',
      detail: expect.stringContaining('sign in'),
    });
  });

  test('is refused from the very second the session ends', async () => {
    const { cookie } = await signedIn();
    service.clock.time = noon + 3600;
    const reply = await post('token', { cookie });
    service.clock.time = noon;

    expect(reply.statusCode).toBe(401);
  });

  test('takes the cookie alone: a bearer token signs nobody in', async () => {
    const token = await tokenFor((await signedIn()).cookie);
    const headers = { origin: ORIGIN, authorization: `Bearer ${token}` };

    expect((await post('token', { headers })).statusCode).toBe(401);
  });

  test('is refused beyond the limit of an account', async () => {
    const { cookie } = await signedIn();
    const replies = [];
    for (let count = 0; count < 31; count += 1) replies.push(await post('token', { cookie }));

    expect(replies.map(({ statusCode }) => statusCode)).toEqual([...Array(30).fill(200), 429]);
    expect(bodyOf(replies[30]!)).toMatchObject({ limit: 'console_tokens_per_minute_per_user' });
  });
});

describe('what a session has lent', () => {
  test('ends when somebody signs out', async () => {
    const { cookie } = await signedIn();
    const token = await tokenFor(cookie);
    const reply = await post('sign-out', { cookie });

    expect(reply).toMatchObject({
      statusCode: 204,
      cookies: [expect.stringMatching(/^__Host-mcp-session=; Max-Age=0;/)],
    });
    await expect(atManagement(token)).rejects.toMatchObject({ why: 'unknown session' });
    expect((await post('token', { cookie })).statusCode).toBe(401);
  });

  test('ends when a program ends the session that it comes with', async () => {
    const { cookie } = await signedIn();
    const headers = { authorization: `Bearer ${await tokenFor(cookie)}` };
    const path = '/v1/mcp-management/sessions/current';

    expect((await service.send(anEvent('DELETE', path, { headers }))).statusCode).toBe(204);
    expect((await post('token', { cookie })).statusCode).toBe(401);
  });

  test('ends when the user is signed out everywhere', async () => {
    const { user, cookie } = await signedIn();
    const token = await tokenFor(cookie);
    await service.ports.users.signOut({ ...user, signedOutAt: noon + 1, revision: 2 });

    await expect(atManagement(token)).rejects.toMatchObject({ why: 'signed out' });
  });
});

describe('POST /console/sign-out', () => {
  test('is answered alike where nobody is signed in', async () => {
    expect((await post('sign-out')).statusCode).toBe(204);
  });
});

describe('POST /console/sign-in', () => {
  test('starts a session of the browser and gives a token, without leaving the page', async () => {
    const { id, email } = await aPerson(service);
    const reply = await post('sign-in', { body: { email, password: PASSWORD } });

    expect(reply).toMatchObject({
      statusCode: 200,
      cookies: [
        expect.stringMatching(/^__Host-mcp-session=[^;]+; Max-Age=3600; Path=\/; HttpOnly/),
        expect.stringMatching(/^__Host-mcp-device-[0-9a-f]{16}=[\w-]{43}; Max-Age=7776000/),
      ],
    });
    expect(bodyOf(reply)).toMatchObject({ expires_in: 600, account: { id, email } });
    expect(await atManagement(String(bodyOf(reply)['access_token']))).toMatchObject({ id });
  });

  test('ends the session that the browser had before', async () => {
    const { user, cookie } = await signedIn();
    await post('sign-in', { cookie, body: { email: user.email, password: PASSWORD } });

    expect((await post('token', { cookie })).statusCode).toBe(401);
  });

  test('answers alike for an unknown address, a wrong password and a locked account', async () => {
    const { email } = await aPerson(service);
    const { email: locked } = await aPerson(service);
    for (let count = 0; count < 5; count += 1) {
      await post('sign-in', { body: { email: locked, password: 'wrong' } });
    }
    const replies = await Promise.all(
      [
        { email: 'nobody@example.com', password: PASSWORD },
        { email, password: 'wrong' },
        { email: locked, password: PASSWORD },
      ].map((body) => post('sign-in', { body })),
    );

    for (const reply of replies) {
      expect(reply.cookies).toBeUndefined();
      expect(bodyOf(reply)).toEqual(bodyOf(replies[0]!));
      expect(bodyOf(reply)).toMatchObject({ status: 401, code: 'invalid_credentials' });
    }
  });

  test('says which fields it needs', async () => {
    const reply = await post('sign-in', { body: {} });

    expect(bodyOf(reply)).toMatchObject({
      status: 422,
      findings: [{ where: '/email' }, { where: '/password' }],
    });
  });

  test('counts against the limit of the login page', async () => {
    const limited = await anOAuthService({ limits: { logins_per_minute_per_ip: 1 } });
    const send = () =>
      limited.send(
        anEvent('POST', pathTo('/console/sign-in'), {
          headers: { origin: ORIGIN, 'content-type': 'application/json' },
          sourceIp: '203.0.113.9',
          body: JSON.stringify({ email: 'ada@example.com', password: 'wrong' }),
        }),
      );
    await send();
    const reply = await send();
    await limited.stop();

    expect(bodyOf(reply)).toMatchObject({ status: 429, limit: 'logins_per_minute_per_ip' });
  });
});

describe.each(['token', 'sign-in', 'sign-out'])('POST /console/%s from elsewhere', (path) => {
  test.each([
    ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['another port of this host', { origin: `${ORIGIN}:8443`, 'sec-fetch-site': 'same-site' }],
    ['a sandboxed frame', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
    ['who says nothing', {}],
  ])('is refused to %s, and changes nothing', async (_, headers) => {
    const { user, cookie } = await signedIn();
    const body = { email: user.email, password: PASSWORD };
    const reply = await post(path, { cookie, headers, ...(path === 'sign-in' && { body }) });

    expect(bodyOf(reply)).toMatchObject({ status: 403, code: 'foreign_origin' });
    expect(reply.cookies).toBeUndefined();
    expect((await post('token', { cookie })).statusCode).toBe(200);
  });

  test('is readable by no page of another origin', async () => {
    const { cookie } = await signedIn();
    const reply = await post(path, { cookie });
    const preflight = await service.send(
      anEvent('OPTIONS', pathTo(`/console/${path}`), { headers: { origin: 'https://a.example' } }),
    );

    for (const { headers } of [reply, preflight]) {
      expect(Object.keys(headers).join()).not.toContain('access-control');
    }
  });
});
