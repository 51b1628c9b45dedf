import { afterAll, describe, expect, test } from '@jest/globals';
import { fingerprint } from '../../../layers/platform/rules/fingerprint.ts';
import { DAY } from '../../../layers/platform/rules/time.ts';
import { anOAuthService, NOON, REDIRECT_URI } from '../../support/oauth/oauth.ts';
import { answered, bodyOf, form, jsonPost, oauth } from '../../support/oauth/oauth-requests.ts';
import { anAddress, anEvent } from '../../support/mcp/router-events.ts';

const PRIVATE_USE = 'cursor://anysphere.cursor-retrieval/oauth/callback';

const service = await anOAuthService({
  limits: { registration_per_hour_per_ip: 20, hosted_registration_per_hour_per_ip: 60 },
  allowedRedirectUris: [PRIVATE_USE],
});
afterAll(() => service.stop());

const register = (metadata: unknown) => service.send(jsonPost('/register', metadata));
const redirect_uris = [REDIRECT_URI];

describe('POST /register', () => {
  test('returns a client id and a client secret', async () => {
    const reply = await register({ client_name: 'Claude', redirect_uris });

    expect(reply).toMatchObject({
      statusCode: 201,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
        'access-control-allow-origin': '*',
      },
    });
    expect(bodyOf(reply)).toEqual({
      client_id: expect.stringMatching(/^mcp_[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/),
      client_id_issued_at: NOON,
      client_secret: expect.stringMatching(/^secret_[\w-]{43}$/),
      client_secret_expires_at: 0,
      client_name: 'Claude',
      redirect_uris,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'client_secret_post',
      scope: 'openid email profile mcp.tools.read mcp.tools.execute offline_access',
    });
  });

  test.each([
    [undefined, undefined, undefined, true],
    [['authorization_code', 'refresh_token'], undefined, undefined, true],
    [['authorization_code', 'refresh_token'], 'openid offline_access', undefined, true],
    [['authorization_code', 'refresh_token'], 'openid', undefined, false],
    [['authorization_code'], undefined, true, false],
    [['authorization_code'], 'openid offline_access', true, false],
  ])(
    'with the grant types %j and the scope %j says whether it refreshes',
    async (grant_types, scope, withoutRefresh, offlineAccess) => {
      const body = bodyOf(await register({ redirect_uris, grant_types, scope }));
      const stored = await service.ports.clients.find(String(body['client_id']));

      expect(stored?.withoutRefresh).toBe(withoutRefresh);
      expect(String(body['scope']).split(' ').includes('offline_access')).toBe(offlineAccess);
    },
  );

  test('returns no secret to a public client', async () => {
    const sent = { redirect_uris, token_endpoint_auth_method: 'none', scope: 'mcp.tools.read x' };

    const body = bodyOf(await register(sent));

    expect(body).toMatchObject({ token_endpoint_auth_method: 'none', scope: 'mcp.tools.read' });
    expect(body).not.toHaveProperty('client_secret');
    expect(body).not.toHaveProperty('client_secret_expires_at');
  });

  test('stores the client with only the fingerprint of its secret', async () => {
    const method = 'client_secret_basic';
    const body = bodyOf(await register({ redirect_uris, token_endpoint_auth_method: method }));

    expect(await service.ports.clients.find(String(body['client_id']))).toEqual({
      id: body['client_id'],
      source: 'registration',
      name: 'MCP client',
      redirectUris: redirect_uris,
      authMethod: 'client_secret_basic',
      secret: fingerprint(String(body['client_secret'])),
      scopes: [],
      createdAt: NOON,
      expiresAt: NOON + 90 * DAY,
    });
    expect(JSON.stringify(service.lines)).not.toContain(body['client_secret']);
  });

  test('ignores a client id and a client secret in the request', async () => {
    const body = bodyOf(
      await register({ redirect_uris, client_id: 'mcp_mine', client_secret: 'secret_mine' }),
    );

    expect(body['client_id']).not.toBe('mcp_mine');
    expect(body['client_secret']).not.toBe('secret_mine');
  });

  test('accepts a private-use redirect URI only if the operator allows it', async () => {
    const allowed = await register({ redirect_uris: [PRIVATE_USE] });
    const other = await register({ redirect_uris: ['cursor://elsewhere'] });

    expect(allowed.statusCode).toBe(201);
    expect(answered(other)).toEqual({ status: 400, error: 'invalid_redirect_uri' });
  });

  test('accepts a client name that contains markup', async () => {
    const name = '<script>alert(1)</script>{{constructor}}';

    expect(bodyOf(await register({ redirect_uris, client_name: name }))).toMatchObject({
      client_name: name,
    });
  });
});

describe('an invalid request to POST /register', () => {
  test.each([
    ['without redirect URIs', {}, 'invalid_redirect_uri'],
    ['with a redirect URI over http', { redirect_uris: ['http://a.com'] }, 'invalid_redirect_uri'],
    [
      'with an unknown authentication method',
      { redirect_uris, token_endpoint_auth_method: 'private_key_jwt' },
      'invalid_client_metadata',
    ],
    [
      'with an unknown grant type',
      { redirect_uris, grant_types: ['implicit'] },
      'invalid_client_metadata',
    ],
  ])('is refused %s', async (_, metadata, error) => {
    const reply = await register(metadata);

    expect(answered(reply)).toEqual({ status: 400, error });
    expect(reply.headers).toMatchObject({ 'cache-control': 'no-store' });
  });

  test.each([
    ['zero bytes', ''],
    ['truncated JSON', '{"redirect_uris":'],
    ['an array', '[]'],
    ['a string', '"x"'],
    ['null', 'null'],
    ['a number', '1'],
    ['more than 64 KB', JSON.stringify({ redirect_uris, client_uri: 'a'.repeat(70_000) })],
  ])('is refused with a body of %s', async (_, body) => {
    expect(answered(await register(body))).toEqual({
      status: 400,
      error: 'invalid_client_metadata',
    });
  });

  test('is refused with a form body', async () => {
    const reply = await service.send(form('/register', { redirect_uris: REDIRECT_URI }));

    expect(answered(reply)).toEqual({ status: 400, error: 'invalid_client_metadata' });
  });

  test('is refused with a body that is not UTF-8', async () => {
    const reply = await service.send(
      anEvent('POST', oauth('/register'), {
        headers: { 'content-type': 'application/json' },
        body: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
      }),
    );

    expect(answered(reply)).toEqual({ status: 400, error: 'invalid_client_metadata' });
  });

  test('cannot set members through __proto__', async () => {
    const body = '{"__proto__":{"client_name":"x"},"redirect_uris":["https://app.example.com/"]}';

    expect(bodyOf(await register(body))).toMatchObject({ client_name: 'MCP client' });
    expect({}).not.toHaveProperty('client_name');
  });
});

describe('the rate limit of POST /register', () => {
  const registerFrom = async (sourceIp: string, times: number, uris: unknown = redirect_uris) => {
    const event = { headers: { 'content-type': 'application/json' }, sourceIp };
    const body = JSON.stringify({ redirect_uris: uris });
    const replies = await Promise.all(
      Array.from({ length: times }, () =>
        service.send(anEvent('POST', oauth('/register'), { ...event, body })),
      ),
    );
    return replies.map(({ statusCode }) => statusCode).sort();
  };

  test('allows twenty requests of an address in an hour and refuses the next', async () => {
    expect(await registerFrom('192.0.2.9', 21)).toEqual([...Array(20).fill(201), 429]);
  });

  test('counts an IPv6 /64 network as one address', async () => {
    await registerFrom('2001:db8::1', 20);

    expect(await registerFrom('2001:db8::ffff:2', 1)).toEqual([429]);
    expect(await registerFrom('2001:db8:0:1::1', 1)).toEqual([201]);
  });

  const CLAUDE = 'https://claude.ai/api/mcp/auth_callback';

  test.each([
    [[CLAUDE]],
    [[CLAUDE, 'https://claude.com/api/mcp/auth_callback']],
    [['https://chatgpt.com/connector_platform_oauth_redirect']],
    [['https://chatgpt.com/connector/oauth/Ab3_x-9']],
  ])('is one of their own for hosted clients, of all of their users: %j', async (uris) => {
    const address = anAddress();
    await registerFrom(address, 21);

    expect(await registerFrom(address, 40, uris)).toEqual(Array(40).fill(201));
  });

  test('refuses those beyond their own limit of an address', async () => {
    const address = anAddress();

    const statuses = await registerFrom(address, 65, [CLAUDE]);

    expect(statuses).toEqual([...Array(60).fill(201), ...Array(5).fill(429)]);
    expect(await registerFrom(address, 20)).toEqual(Array(20).fill(201));
  });

  test.each([
    [[CLAUDE, REDIRECT_URI]],
    [[`${CLAUDE}/more`]],
    [[`${CLAUDE}?to=x`]],
    [['https://claude.ai.example.com/api/mcp/auth_callback']],
    [['https://chatgpt.com/connector/oauth/../../x']],
    [['https://chatgpt.com/connector/oauth/%2e%2e']],
    [['https://chatgpt.com/connector/other/Ab3']],
    [[]],
    ['https://claude.ai/api/mcp/auth_callback'],
    [[7]],
  ])('is that of all others where an answer goes elsewhere: %j', async (uris) => {
    const address = anAddress();
    await registerFrom(address, 20);

    expect(await registerFrom(address, 1, uris)).toEqual([429]);
  });

  test('says when to try again', async () => {
    await registerFrom('192.0.2.10', 20);
    service.clock.time += 600;

    const reply = await service.send(
      anEvent('POST', oauth('/register'), { sourceIp: '192.0.2.10' }),
    );

    service.clock.time -= 600;
    expect(reply).toMatchObject({ statusCode: 429, headers: { 'retry-after': '3000' } });
  });
});
