import { afterAll, describe, expect, test } from '@jest/globals';
import { fingerprint } from '../../../layers/platform/rules/fingerprint.ts';
import type { Scope } from '../../../layers/tokens/rules/oauth-records.ts';
import { anOAuthService, NOON } from '../../support/oauth/oauth.ts';
import { answered, bodyOf, oauth, redeem } from '../../support/oauth/oauth-requests.ts';
import { anEvent, type SentHeaders } from '../../support/mcp/router-events.ts';
import { EVENT_LINE } from '../../support/event-line.ts';

const service = await anOAuthService();
afterAll(() => service.stop());

const ask = (headers: SentHeaders, method = 'GET') =>
  service.send(anEvent(method, oauth('/userinfo'), { headers }));

const bearer = (token: string): SentHeaders => ({ authorization: `Bearer ${token}` });

const tokenFor = async (...scopes: readonly Scope[]) => {
  const code = await service.code({}, { scopes });
  return { grant: code.grant, token: (await redeem(service, code)).access_token };
};

describe('GET /userinfo', () => {
  test.each<[readonly Scope[], readonly string[]]>([
    [['openid'], ['sub']],
    [
      ['openid', 'email'],
      ['sub', 'email', 'email_verified'],
    ],
    [
      ['openid', 'profile'],
      ['sub', 'name'],
    ],
    [
      ['openid', 'email', 'profile', 'mcp.tools.read'],
      ['sub', 'email', 'email_verified', 'name'],
    ],
  ])('with a token for %j returns %j', async (scopes, names) => {
    const { token } = await tokenFor(...scopes);

    expect(Object.keys(bodyOf(await ask(bearer(token))))).toEqual(names);
  });

  test('returns the current data of the user', async () => {
    const { grant, token } = await tokenFor('openid', 'email', 'profile');
    const user = (await service.ports.users.find(grant.userId))!;

    const reply = await ask(bearer(token));

    expect(reply).toMatchObject({ statusCode: 200, headers: { 'cache-control': 'no-store' } });
    expect(bodyOf(reply)).toEqual({
      sub: user.id,
      email: user.email,
      email_verified: true,
      name: 'Ada Lovelace',
    });
  });

  test('is also available as POST', async () => {
    const { token } = await tokenFor('openid');

    expect((await ask(bearer(token), 'POST')).statusCode).toBe(200);
  });
});

describe('/userinfo without a valid token', () => {
  test('challenges a request without a token and names no error', async () => {
    const reply = await ask({});

    expect(reply).toMatchObject({
      statusCode: 401,
      headers: { 'www-authenticate': 'Bearer realm="mcp", scope="openid"' },
    });
  });

  test('refuses HTTP Basic credentials', async () => {
    expect((await ask({ authorization: 'Basic eDp5' })).statusCode).toBe(401);
  });

  test('refuses two tokens', async () => {
    const { token } = await tokenFor('openid');

    const reply = await ask({ authorization: `Bearer ${token}, Bearer another` });
    const twice = await ask({ authorization: `Bearer ${token}, Bearer ${token}` });

    expect(answered(reply)).toEqual({ status: 400, error: 'invalid_request' });
    expect(twice.statusCode).toBe(200);
  });

  test('refuses a token in the query or the body', async () => {
    const { token } = await tokenFor('openid');
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = `access_token=${token}`;

    const reply = await service.send(anEvent('POST', oauth('/userinfo'), { headers, body }));

    expect(reply.statusCode).toBe(401);
  });

  const refused = async (token: string) => {
    const reply = await ask(bearer(token));
    expect(answered(reply)).toEqual({ status: 401, error: 'invalid_token' });
    expect(reply.headers).toMatchObject({
      'www-authenticate': 'Bearer realm="mcp", error="invalid_token", scope="openid"',
    });
    return service.lines.at(-1)!['why'];
  };

  test('refuses unknown tokens', async () => {
    expect(await refused('mcp_access_x')).toBe('unknown token');
    expect(await refused('')).toBe('unknown token');
  });

  test('refuses refresh tokens', async () => {
    const code = await service.code();
    const { refresh_token } = await redeem(service, code);

    expect(await refused(refresh_token)).toBe('unknown token');
  });

  test('refuses revoked tokens', async () => {
    const { token } = await tokenFor('openid');
    await service.ports.accessTokens.revoke(fingerprint(token));

    expect(await refused(token)).toBe('revoked token');
  });

  test('refuses a token from the second in which it expires', async () => {
    const { token } = await tokenFor('openid');

    service.clock.time = NOON + 3599;
    expect((await ask(bearer(token))).statusCode).toBe(200);
    service.clock.time = NOON + 3600;
    const why = await refused(token);
    service.clock.time = NOON;

    expect(why).toBe('expired token');
  });

  test('refuses tokens of a user who no longer exists', async () => {
    const { grant } = await tokenFor('openid');
    await service.ports.accessTokens.put(fingerprint('mcp_access_gone'), {
      grantId: grant.id,
      userId: 'nobody',
      email: 'nobody@example.com',
      plan: 'free',
      clientId: grant.clientId,
      deploymentId: grant.deploymentId,
      scopes: ['openid'],
      grantedAt: NOON,
      expiresAt: NOON + 1,
      revoked: false,
    });

    expect(await refused('mcp_access_gone')).toBe('user removed');
  });

  test('refuses tokens without the scope openid', async () => {
    const { token } = await tokenFor('email', 'mcp.tools.read');

    const reply = await ask(bearer(token));

    expect(answered(reply)).toEqual({ status: 403, error: 'insufficient_scope' });
    expect(reply.headers).toMatchObject({
      'www-authenticate': 'Bearer realm="mcp", error="insufficient_scope", scope="openid"',
    });
  });

  test('logs a security event for a guessed token', async () => {
    await service.send(
      anEvent('GET', oauth('/userinfo'), {
        headers: bearer('mcp_access_guess'),
        sourceIp: '192.0.2.77',
      }),
    );

    expect(service.lines).toContainEqual({
      ...EVENT_LINE,
      type: 'security',
      event: 'authentication_failed',
      subject: '192.0.2.77',
      why: 'unknown token',
    });
  });
});
