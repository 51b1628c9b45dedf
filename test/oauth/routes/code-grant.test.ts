import { createHash } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import { fingerprint } from '../../../layers/platform/rules/fingerprint.ts';
import { inOrder } from '../../../layers/mcp/steps/answer-rpc.ts';
import {
  anOAuthService,
  BASE_URL,
  ISSUER,
  NOON,
  REDIRECT_URI,
  VERIFIER,
} from '../../support/oauth/oauth.ts';
import {
  answered,
  bodyOf,
  exchangeOf,
  form,
  jsonPost,
  opens,
  redeem,
  refreshOf,
  type Tokens,
} from '../../support/oauth/oauth-requests.ts';
import { EVENT_LINE } from '../../support/event-line.ts';

const service = await anOAuthService();
afterAll(() => service.stop());

describe('POST /token with an authorization code', () => {
  test('returns an access token for an hour and a refresh token', async () => {
    const code = await service.code();

    const reply = await service.send(form('/token', exchangeOf(code)));

    expect(reply).toMatchObject({
      statusCode: 200,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
        pragma: 'no-cache',
        'access-control-allow-origin': '*',
      },
    });
    expect(bodyOf(reply)).toEqual({
      access_token: expect.stringMatching(/^mcp_access_[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/),
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^mcp_refresh_[\w-]{43}$/),
      id_token: expect.stringMatching(/^eyJ[\w-]+\.[\w-]+\.[\w-]{86}$/),
      scope: 'openid mcp.tools.read mcp.tools.execute',
    });
  });

  test('returns no refresh token to a client that does without', async () => {
    const code = await service.code({}, { withoutRefresh: true });

    const body = bodyOf(await service.send(form('/token', exchangeOf(code))));

    expect(body).not.toHaveProperty('refresh_token');
    expect(await opens(service, body['access_token'])).toBe(true);
    expect(await service.ports.grants.find(code.grant.id)).toMatchObject({ withoutRefresh: true });
  });

  test.each([
    [7200, 7200],
    [86_400, 86_400],
    [null, 3600],
    [undefined, 3600],
  ])('returns an access token that is good as long as the server says: %p', async (said, life) => {
    const { id: userId } = await service.user();
    const { id: deploymentId, slug } = await service.deployment({
      ownerId: userId,
      ...(said !== undefined && { accessTokenSeconds: said }),
    });
    const code = await service.code({}, { userId, deploymentId, slug });

    const tokens = bodyOf(await service.send(form('/token', exchangeOf(code))));
    const again = bodyOf(
      await service.send(form('/token', refreshOf(code, tokens as unknown as Tokens))),
    );
    const opened = [];
    for (const after of [life - 1, life]) {
      service.clock.time = NOON + after;
      opened.push(await opens(service, again['access_token']));
    }
    service.clock.time = NOON;

    expect([tokens['expires_in'], again['expires_in']]).toEqual([life, life]);
    expect(opened).toEqual([true, false]);
  });

  test('tells in the ID token what was asked and when the user signed in', async () => {
    const code = await service.code(
      { nonce: 'n-0S6_WzA2Mj', authTime: NOON - 60 },
      { scopes: ['openid', 'email'] },
    );

    const body = bodyOf(await service.send(form('/token', exchangeOf(code))));

    const [header, claims] = String(body['id_token'])
      .split('.')
      .slice(0, 2)
      .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()));
    const hash = createHash('sha256').update(String(body['access_token'])).digest();
    const user = await service.ports.users.find(code.grant.userId);
    expect(header).toEqual({ alg: 'ES256', typ: 'JWT', kid: expect.any(String) });
    expect(claims).toEqual({
      iss: ISSUER,
      sub: code.grant.userId,
      email: user?.email,
      email_verified: true,
      aud: code.grant.clientId,
      iat: NOON,
      exp: NOON + 3600,
      auth_time: NOON - 60,
      nonce: 'n-0S6_WzA2Mj',
      at_hash: hash.subarray(0, 16).toString('base64url'),
    });
  });

  test.each(['mcp.tools.read', 'email'] as const)(
    'tells nothing of its user where it is asked for %s alone',
    async (scope) => {
      const code = await service.code({ nonce: 'n' }, { scopes: [scope] });

      expect(bodyOf(await service.send(form('/token', exchangeOf(code))))).not.toHaveProperty(
        'id_token',
      );
    },
  );

  test('accepts a JSON body', async () => {
    const code = await service.code();

    const reply = await service.send(jsonPost('/token', exchangeOf(code)));

    expect(reply.statusCode).toBe(200);
  });

  test('accepts a body that API Gateway encoded in base64', async () => {
    const code = await service.code();
    const event = form('/token', exchangeOf(code));

    const body = Buffer.from(event.body ?? '').toString('base64');

    expect((await service.send({ ...event, body, isBase64Encoded: true })).statusCode).toBe(200);
  });

  test('stores the grant and an access token with the current plan of the user', async () => {
    const user = await service.user({ plan: 'pro' });
    const code = await service.code({}, { userId: user.id, plan: 'free', ...(await own(user.id)) });

    const { access_token } = await redeem(service, code);

    expect(await service.ports.accessTokens.find(fingerprint(access_token))).toEqual({
      grantId: code.grant.id,
      userId: user.id,
      email: user.email,
      plan: 'pro',
      clientId: code.grant.clientId,
      deploymentId: code.grant.deploymentId,
      scopes: code.grant.scopes,
      grantedAt: NOON,
      expiresAt: NOON + 3600,
      revoked: false,
    });
    expect(await service.ports.grants.find(code.grant.id)).toEqual(code.grant);
  });

  test('stores the refresh token for 90 days', async () => {
    const code = await service.code();

    const { refresh_token } = await redeem(service, code);

    expect(await service.ports.refreshTokens.find(fingerprint(refresh_token))).toEqual({
      grantId: code.grant.id,
      clientId: code.grant.clientId,
      generation: 0,
      expiresAt: NOON + 7_776_000,
    });
  });

  test.each(['', '/', '/messages'])(
    'accepts the granted resource with the ending %j',
    async (end) => {
      const code = await service.code();
      const resource = `${BASE_URL}/mcp-router/${code.grant.slug}${end}`;

      const reply = await service.send(form('/token', exchangeOf(code, { resource })));

      expect(reply.statusCode).toBe(200);
    },
  );

  test('logs the deployment but neither the token nor the code', async () => {
    const code = await service.code();

    const { access_token } = await redeem(service, code);

    expect(service.lines.at(-1)).toMatchObject({
      message: 'request',
      route: '/v1/mcp-oauth-server/token',
      slug: code.grant.slug,
      status: 200,
    });
    expect(JSON.stringify(service.lines)).not.toContain(access_token);
    expect(JSON.stringify(service.lines)).not.toContain(code.text);
  });

  const own = async (ownerId: string) => {
    const { id: deploymentId, slug } = await service.deployment({ ownerId });
    return { deploymentId, slug };
  };
});

describe('an authorization code in an invalid request to /token', () => {
  test.each<[string, Record<string, string | undefined>, string]>([
    ['without a code', { code: undefined }, 'invalid_request'],
    ['with an empty code', { code: '' }, 'invalid_request'],
    ['without a redirect URI', { redirect_uri: undefined }, 'invalid_request'],
    ['without a verifier', { code_verifier: undefined }, 'invalid_request'],
    ['with an empty verifier', { code_verifier: '' }, 'invalid_request'],
    [
      'with a verifier of 42 characters',
      { code_verifier: VERIFIER.slice(0, 42) },
      'invalid_request',
    ],
    ['with a verifier of 129 characters', { code_verifier: 'a'.repeat(129) }, 'invalid_request'],
    ['with a verifier of other characters', { code_verifier: `${VERIFIER} ` }, 'invalid_request'],
    ['with another verifier', { code_verifier: `${VERIFIER}x` }, 'invalid_grant'],
    ['with another redirect URI', { redirect_uri: `${REDIRECT_URI}/` }, 'invalid_grant'],
    ['with a longer redirect URI', { redirect_uri: `${REDIRECT_URI}?x=1` }, 'invalid_grant'],
    ['for another resource', { resource: `${BASE_URL}/mcp-router/other` }, 'invalid_target'],
    ['for a resource elsewhere', { resource: 'https://evil.com/' }, 'invalid_target'],
  ])('is refused %s and remains usable', async (_, over, error) => {
    const code = await service.code();

    const refused = await service.send(form('/token', exchangeOf(code, over)));

    expect(answered(refused)).toEqual({ status: 400, error });
    expect(refused.headers).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache' });
    expect((await service.send(form('/token', exchangeOf(code)))).statusCode).toBe(200);
  });

  test('is refused from another client and remains usable', async () => {
    const code = await service.code();
    const { id } = await service.client();

    const refused = await service.send(form('/token', exchangeOf(code, { client_id: id })));

    expect(answered(refused)).toEqual({ status: 400, error: 'invalid_grant' });
    expect(service.lines.at(-1)).toMatchObject({ why: 'code of another client' });
    expect((await service.send(form('/token', exchangeOf(code)))).statusCode).toBe(200);
  });

  test('is refused with two resources', async () => {
    const code = await service.code();
    const resource = `resource=${encodeURIComponent(`${BASE_URL}/mcp-router/${code.grant.slug}`)}`;
    const { body } = form('/token', exchangeOf(code));

    const refused = await service.send(form('/token', `${body}&${resource}&${resource}`));

    expect(answered(refused)).toEqual({ status: 400, error: 'invalid_target' });
  });

  test.each(['code', 'client_id', 'grant_type', 'redirect_uri', 'code_verifier'])(
    'is refused with two values of %s',
    async (name) => {
      const code = await service.code();
      const { body } = form('/token', exchangeOf(code));

      const refused = await service.send(form('/token', `${body}&${name}=x`));

      expect(answered(refused)).toEqual({ status: 400, error: 'invalid_request' });
    },
  );

  test('is refused if it is unknown', async () => {
    const code = await service.code();

    const refused = await service.send(form('/token', exchangeOf(code, { code: 'mcp_code_x' })));

    expect(answered(refused)).toEqual({ status: 400, error: 'invalid_grant' });
    expect(service.lines.at(-1)).toMatchObject({ why: 'unknown code' });
  });

  test('is valid up to the last second before it expires', async () => {
    const last = await service.code({ expiresAt: NOON + 1 });
    const over = await service.code({ expiresAt: NOON });

    expect((await service.send(form('/token', exchangeOf(last)))).statusCode).toBe(200);
    expect(answered(await service.send(form('/token', exchangeOf(over))))).toEqual({
      status: 400,
      error: 'invalid_grant',
    });
    expect(service.lines.at(-1)).toMatchObject({ why: 'code expired' });
  });

  test.each<[string, (userId: string) => Promise<unknown>, string]>([
    ['has reset the password', (id) => change(id, NOON + 1), 'user signed out since'],
    ['no longer exists', async () => undefined, 'user removed'],
  ])('is refused once its user %s', async (_, meanwhile, why) => {
    const userId = why === 'user removed' ? 'nobody' : (await service.user()).id;
    const { id: deploymentId, slug } = await service.deployment({ ownerId: userId });
    const code = await service.code({}, { userId, deploymentId, slug });
    await meanwhile(userId);

    const refused = await service.send(form('/token', exchangeOf(code)));

    expect(answered(refused)).toEqual({ status: 400, error: 'invalid_grant' });
    expect(service.lines.at(-1)).toMatchObject({ why });
  });

  test('is refused at a new deployment with the slug of a removed one', async () => {
    const code = await service.code(
      {},
      { deploymentId: 'an-earlier-one', slug: (await service.deployment()).slug },
    );

    await service.send(form('/token', exchangeOf(code)));

    expect(service.lines.at(-1)).toMatchObject({
      outcome: 'invalid_grant',
      why: 'deployment removed',
    });
  });

  test('is refused for a user outside the access policy of the deployment', async () => {
    const { id: deploymentId, slug } = await service.deployment({ ownerId: 'somebody-else' });
    const code = await service.code({}, { deploymentId, slug });

    await service.send(form('/token', exchangeOf(code)));

    expect(service.lines.at(-1)).toMatchObject({
      outcome: 'invalid_grant',
      why: 'not in the access policy',
    });
  });

  const change = async (userId: string, signedOutAt: number) => {
    const user = await service.ports.users.find(userId);
    await service.ports.users.replace({ ...user!, signedOutAt, revision: user!.revision + 1 });
  };
});

describe('POST /token with an authorization code that was used before', () => {
  test('is refused and revokes the tokens issued for the code', async () => {
    const code = await service.code();
    const tokens = await redeem(service, code);
    expect(await opens(service, tokens.access_token)).toBe(true);

    const replay = await service.send(form('/token', exchangeOf(code)));

    expect(answered(replay)).toEqual({ status: 400, error: 'invalid_grant' });
    expect(await opens(service, tokens.access_token)).toBe(false);
    const refreshing = await service.send(form('/token', refreshOf(code, tokens)));
    expect(answered(refreshing)).toEqual({ status: 400, error: 'invalid_grant' });
  });

  test('revokes those tokens even after the code has expired', async () => {
    const code = await service.code({ expiresAt: NOON + 1 });
    const { access_token } = await redeem(service, code);

    service.clock.time = NOON + 1;
    await service.send(form('/token', exchangeOf(code)));
    service.clock.time = NOON;

    expect(await opens(service, access_token)).toBe(false);
  });

  test('is logged as a security event of the user', async () => {
    const code = await service.code();
    await redeem(service, code);

    await service.send(form('/token', exchangeOf(code)));

    expect(service.lines).toContainEqual({
      ...EVENT_LINE,
      type: 'security',
      event: 'code_replayed',
      deployment_id: code.grant.deploymentId,
      slug: code.grant.slug,
      subject: code.grant.userId,
      why: 'code used before',
    });
  });

  test.each<[string, Record<string, string>]>([
    ['another verifier', { code_verifier: `${VERIFIER}x` }],
    ['another redirect URI', { redirect_uri: 'https://app.example.com/other' }],
  ])('revokes nothing with %s, since the sender never completed the flow', async (_, over) => {
    const code = await service.code();
    const { access_token } = await redeem(service, code);

    await service.send(form('/token', exchangeOf(code, over)));

    expect(await opens(service, access_token)).toBe(true);
  });

  test('succeeds exactly once among 200 concurrent requests, and then revokes its tokens', async () => {
    const code = await service.code();

    // More at once than one machine's store answers in time would only show that it is one machine.
    const replies = await inOrder(Array.from({ length: 200 }), 50, () =>
      service.send(form('/token', exchangeOf(code))),
    );

    const successes = replies.filter(({ statusCode }) => statusCode === 200);
    const refused = replies.filter(({ statusCode }) => statusCode === 400);
    expect(successes).toHaveLength(1);
    expect(refused).toHaveLength(199);
    expect(await opens(service, bodyOf(successes[0]!)['access_token'])).toBe(false);
  });
});
