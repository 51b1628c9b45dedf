import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { usageSubject } from '../../../layers/limits/rules/windows.ts';
import {
  aManagementService,
  type ApiCall,
  BASE_URL,
  NOON,
  type Owner,
  sessionToken,
  type TestManagement,
} from '../../support/service/management.ts';

let service: TestManagement;
let owner: Owner;
beforeAll(async () => {
  service = await aManagementService();
  owner = await service.owner();
});
afterAll(() => service.stop());

const call = (method: string, path: string, more?: ApiCall) => service.call(method, path, more);

describe('a session at the management API', () => {
  test('authenticates its user', async () => {
    const { status, body } = await call('GET', '/account', { as: owner });

    expect(status).toBe(200);
    expect(body).toMatchObject({ id: owner.user.id, email: owner.user.email });
  });

  test('is required, and 401 is a problem with a challenge', async () => {
    expect(await call('GET', '/account')).toMatchObject({
      status: 401,
      headers: {
        'content-type': 'application/problem+json',
        'www-authenticate': 'Bearer realm="management"',
        'access-control-allow-origin': '*',
      },
      body: { type: 'about:blank', title: 'Unauthorized', status: 401, code: 'invalid_session' },
    });
  });

  const tokenWith = (claims: object) => () => sessionToken(service.arranging, owner.user, claims);
  test.each<[string, () => Promise<string> | string]>([
    ['a token that is not a JWT', () => 'nonsense'],
    ['an empty token', () => ''],
    ['a token for another audience', tokenWith({ aud: `${BASE_URL}/mcp-router/a` })],
    ['a token of another issuer', tokenWith({ iss: 'https://elsewhere.example.com' })],
    ['an expired token', tokenWith({ exp: NOON })],
    ['an unknown session', tokenWith({ sid: 'unheard-of' })],
    ['the session of another user', tokenWith({ sub: 'user-2' })],
    [
      'a minted token',
      () => service.ports.signer.sign('at+jwt', { sub: owner.user.id, exp: NOON + 60 }),
    ],
    [
      'a session that the key of minted tokens has signed',
      () => sessionToken({ ...service.arranging, signer: service.ports.signer }, owner.user),
    ],
    ['an altered token', async () => `${(await tokenWith({})()).slice(0, -8)}AAAAAAAA`],
  ])('cannot be %s', async (_, token) => {
    const as = { ...owner, token: await token() };

    expect(await call('GET', '/account', { as })).toMatchObject({
      status: 401,
      body: { code: 'invalid_session' },
    });
  });

  test('of a browser is refused', async () => {
    const put = service.arranging.sessions.put;
    const sessions = {
      ...service.ports.sessions,
      put: (...[id, session]: Parameters<typeof put>) => put(id, { ...session, kind: 'browser' }),
    };
    const token = await sessionToken({ ...service.arranging, sessions }, owner.user);

    expect(await call('GET', '/account', { as: { ...owner, token } })).toMatchObject({
      status: 401,
    });
  });

  test('ends with a password reset', async () => {
    const other = await service.owner();
    await service.arranging.users.replace({ ...other.user, signedOutAt: NOON + 1, revision: 2 });

    expect(await call('GET', '/account', { as: other })).toMatchObject({ status: 401 });
  });

  test('is refused with two tokens in the header', async () => {
    const headers = { authorization: `Bearer ${owner.token},Bearer another` };

    expect(await call('GET', '/account', { headers })).toMatchObject({
      status: 400,
      body: { code: 'bad_request' },
    });
  });
});

describe('an unknown route of the management API', () => {
  test.each(['/nothing', '/account/more', ''])('is answered with 404: %p', async (path) => {
    expect(await call('GET', path, { as: owner })).toMatchObject({
      status: 404,
      headers: { 'content-type': 'application/problem+json' },
      body: { code: 'not_found' },
    });
  });

  test('with a known path but another method is answered with 405 and Allow', async () => {
    expect(await call('POST', '/account', { as: owner })).toMatchObject({
      status: 405,
      headers: { allow: expect.stringContaining('GET, HEAD') },
      body: { code: 'method_not_allowed' },
    });
  });
});

describe('CORS at the management API', () => {
  test('lists the allowed methods and headers', async () => {
    expect(await call('OPTIONS', '/deployments/a/tools')).toMatchObject({
      status: 204,
      headers: {
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE, OPTIONS',
        'access-control-allow-headers': expect.stringContaining('if-match, idempotency-key'),
        'access-control-expose-headers': expect.stringContaining('ETag'),
      },
    });
  });
});

describe('a query of the management API', () => {
  test('with an unknown parameter is refused, and the parameter is named', async () => {
    expect(await call('GET', '/account', { as: owner, query: 'a%2Fb=1' })).toMatchObject({
      status: 422,
      body: { code: 'invalid_request', findings: [{ where: '/a~1b', what: 'unknown' }] },
    });
  });
});

describe('GET /account', () => {
  test('shows the plan with its limits and the current usage', async () => {
    await service.ports.usage.take(usageSubject(owner.user.email), 'free', 3, NOON);

    const { body } = await call('GET', '/account', { as: owner });

    expect(body).toEqual({
      id: owner.user.id,
      email: owner.user.email,
      email_verified: true,
      name: 'Ada Lovelace',
      plan: 'free',
      limits: {
        requests_per_hour: 20,
        requests_per_month: 1000,
        active_deployments_per_user: 3,
        endpoints_per_deployment: 50,
        searchable_operations: 5000,
      },
      usage: {
        hour: { used: 3, limit: 20, ends_at: '2026-11-20T13:00:00Z' },
        month: { used: 3, limit: 1000, ends_at: '2026-12-01T00:00:00Z' },
      },
      created_at: '2026-11-20T12:00:00Z',
    });
  });

  test('shows no password hash', async () => {
    const answer = await call('GET', '/account', { as: owner });

    expect(JSON.stringify(answer)).not.toContain('scrypt');
  });
});
