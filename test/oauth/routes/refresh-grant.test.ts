import { afterAll, describe, expect, test } from '@jest/globals';
import { dynamoGrants } from '../../../layers/oauth/store/grants.ts';
import { fingerprint } from '../../../layers/platform/rules/fingerprint.ts';
import { inOrder } from '../../../layers/mcp/steps/answer-rpc.ts';
import { anOAuthService, BASE_URL, NOON, type TestCode } from '../../support/oauth/oauth.ts';
import { dyingBefore } from '../../support/aws/flaky-dynamo.ts';
import {
  answered,
  basic,
  bodyOf,
  exchangeOf,
  form,
  jsonPost,
  opens,
  redeem,
  refreshOf,
  type Tokens,
} from '../../support/oauth/oauth-requests.ts';
import { committed } from '../../support/aws/committed.ts';
import { EVENT_LINE } from '../../support/event-line.ts';

const service = await anOAuthService();
afterAll(() => service.stop());

/** A public client with its first tokens. */
const begun = async (): Promise<[TestCode, Tokens]> => {
  const code = await service.code();
  return [code, await redeem(service, code)];
};

/** A confidential client with its first tokens. */
const begunWithSecret = async (): Promise<[TestCode, Tokens]> => {
  const { id } = await service.client({
    authMethod: 'client_secret_basic',
    secret: fingerprint('secret_1'),
  });
  const code = await service.code({}, { clientId: id });
  const reply = await service.send(form('/token', exchangeOf(code), basic(id, 'secret_1')));
  return [code, bodyOf(reply) as unknown as Tokens];
};

const refresh = (code: TestCode, tokens: Pick<Tokens, 'refresh_token'>, over = {}) =>
  service.send(form('/token', refreshOf(code, tokens, over)));

const refreshed = async (code: TestCode, tokens: Pick<Tokens, 'refresh_token'>, over = {}) =>
  bodyOf(await refresh(code, tokens, over)) as unknown as Tokens;

describe('POST /token with a refresh token', () => {
  test('returns a new access token and a new refresh token to a public client', async () => {
    const [code, tokens] = await begun();

    const reply = await refresh(code, tokens);

    expect(reply).toMatchObject({ statusCode: 200, headers: { 'cache-control': 'no-store' } });
    expect(bodyOf(reply)).toEqual({
      access_token: expect.stringMatching(/^mcp_access_/),
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^mcp_refresh_/),
      scope: tokens.scope,
    });
    expect(bodyOf(reply)).not.toMatchObject({ refresh_token: tokens.refresh_token });
    expect(await opens(service, bodyOf(reply)['access_token'])).toBe(true);
  });

  test('returns its own refresh token to a confidential client, which keeps it', async () => {
    const [code, tokens] = await begunWithSecret();
    const again = () =>
      service.send(form('/token', refreshOf(code, tokens), basic(code.grant.clientId, 'secret_1')));

    const { refresh_token, scope } = tokens;
    expect(bodyOf(await again())).toMatchObject({ refresh_token, scope });
    expect(bodyOf(await again())).toMatchObject({ refresh_token, scope });
  });

  test('accepts a JSON body', async () => {
    const [code, tokens] = await begun();

    const reply = await service.send(jsonPost('/token', refreshOf(code, tokens)));

    expect(reply.statusCode).toBe(200);
  });

  test('never extends the 90 days of the first refresh token', async () => {
    const [code, tokens] = await begun();

    service.clock.time = NOON + 7_775_999;
    const late = await refreshed(code, tokens);
    service.clock.time = NOON + 7_776_000;
    const tooLate = await refresh(code, late);
    service.clock.time = NOON;

    expect(answered(tooLate)).toEqual({ status: 400, error: 'invalid_grant' });
    expect(service.lines.at(-1)).toMatchObject({ why: 'refresh token expired' });
  });

  test('puts the current plan of the user into the access token', async () => {
    const [code, tokens] = await begun();
    const user = (await service.ports.users.find(code.grant.userId))!;
    await service.ports.users.replace({ ...user, plan: 'pro', revision: user.revision + 1 });

    const { access_token } = await refreshed(code, tokens);

    expect(await service.ports.accessTokens.find(fingerprint(access_token))).toMatchObject({
      plan: 'pro',
    });
  });

  test('accepts the granted resource in any form', async () => {
    const [code, tokens] = await begun();
    const resource = `${BASE_URL}/mcp-router/${code.grant.slug}/messages`;

    expect((await refresh(code, tokens, { resource })).statusCode).toBe(200);
  });

  test('narrows the scope of this access token only', async () => {
    const [code, tokens] = await begun();

    const narrow = await refreshed(code, tokens, { scope: 'mcp.tools.read' });
    const wide = await refreshed(code, narrow);

    expect(narrow.scope).toBe('mcp.tools.read');
    expect(await service.ports.accessTokens.find(fingerprint(narrow.access_token))).toMatchObject({
      scopes: ['mcp.tools.read'],
    });
    expect(wide.scope).toBe(tokens.scope);
  });
});

describe('an invalid request to /token with a refresh token', () => {
  test.each<[string, Record<string, string | undefined>, string]>([
    ['without a token', { refresh_token: undefined }, 'invalid_request'],
    ['with an empty token', { refresh_token: '' }, 'invalid_request'],
    ['with an unknown token', { refresh_token: 'mcp_refresh_x' }, 'invalid_grant'],
    ['for more scopes', { scope: 'openid email' }, 'invalid_scope'],
    ['for more scopes and an unknown one', { scope: 'repo profile' }, 'invalid_scope'],
    ['for another resource', { resource: `${BASE_URL}/mcp-router/other` }, 'invalid_target'],
  ])('is refused %s and leaves the token valid', async (_, over, error) => {
    const [code, tokens] = await begun();

    expect(answered(await refresh(code, tokens, over))).toEqual({ status: 400, error });
    expect((await refresh(code, tokens)).statusCode).toBe(200);
  });

  test('is refused from another client and leaves the token valid', async () => {
    const [code, tokens] = await begun();
    const { id } = await service.client();

    const refused = await refresh(code, tokens, { client_id: id });

    expect(answered(refused)).toEqual({ status: 400, error: 'invalid_grant' });
    expect(service.lines.at(-1)).toMatchObject({ why: 'refresh token of another client' });
    expect((await refresh(code, tokens)).statusCode).toBe(200);
  });

  test('is refused with an access token in place of the refresh token', async () => {
    const [code, tokens] = await begun();

    const refused = await refresh(code, { refresh_token: tokens.access_token });

    expect(answered(refused)).toEqual({ status: 400, error: 'invalid_grant' });
  });

  test('is refused after the user has reset the password', async () => {
    const [code, tokens] = await begun();
    const user = (await service.ports.users.find(code.grant.userId))!;
    await service.ports.users.replace({
      ...user,
      signedOutAt: NOON + 1,
      revision: user.revision + 1,
    });

    await refresh(code, tokens);

    expect(service.lines.at(-1)).toMatchObject({
      outcome: 'invalid_grant',
      why: 'user signed out since',
    });
  });

  test('is refused once the access policy excludes the user', async () => {
    const user = await service.user();
    const { id: deploymentId, slug } = await service.deployment({ ownerId: 'somebody-else' });
    const code = await service.code({}, { userId: user.id, deploymentId, slug });
    const token = { grantId: code.grant.id, clientId: code.grant.clientId, generation: 0 };
    const noted = { fingerprint: fingerprint('mcp_access_1'), expiresAt: NOON + 3600 };
    await committed(service.store.instance(), service.ports.grants.beginning(code.grant, noted));
    await service.ports.refreshTokens.put(fingerprint('mcp_refresh_1'), {
      ...token,
      expiresAt: NOON + 100,
    });

    await refresh(code, { refresh_token: 'mcp_refresh_1' });

    expect(service.lines.at(-1)).toMatchObject({
      outcome: 'invalid_grant',
      why: 'not in the access policy',
    });
  });

  test('completes the revocation of a grant that was interrupted, and is refused', async () => {
    const [code, tokens] = await begun();
    const { store, ports } = service;
    const { limits } = ports.settings;
    const dying = dyingBefore(store.instance(), 2);
    const ending = dynamoGrants(dying, store.tableName('oauth'), limits).end(code.grant.id, NOON);
    await expect(ending).rejects.toThrow('Killed');
    const token = () => ports.accessTokens.find(fingerprint(tokens.access_token));
    expect(await token()).toMatchObject({ revoked: false });

    expect(answered(await refresh(code, tokens))).toEqual({ status: 400, error: 'invalid_grant' });
    expect(await token()).toMatchObject({ revoked: true });
  });

  test('is refused after the grant was revoked', async () => {
    const [code, tokens] = await begun();
    await service.ports.grants.end(code.grant.id, NOON);

    await refresh(code, tokens);

    expect(service.lines.at(-1)).toMatchObject({ outcome: 'invalid_grant', why: 'grant ended' });
  });
});

describe('a refresh token that was exchanged for a successor', () => {
  test('works until the successor is used, since the answer may have been lost', async () => {
    const [code, tokens] = await begun();

    await refresh(code, tokens);
    const again = await refresh(code, tokens);

    expect(again.statusCode).toBe(200);
  });

  test('is given another in its place, which revokes the grant if it is used by who has it', async () => {
    const [code, tokens] = await begun();
    const stolen = await refreshed(code, tokens);
    service.clock.time = NOON + 61;
    const own = await refreshed(code, tokens);

    const reuse = await refresh(code, stolen);
    service.clock.time = NOON;

    expect(answered(reuse)).toEqual({ status: 400, error: 'invalid_grant' });
    expect(await opens(service, own.access_token)).toBe(false);
    expect(answered(await refresh(code, own))).toEqual({ status: 400, error: 'invalid_grant' });
  });

  test.each(['the one', 'the other'])(
    'has two successors for two requests at once, of which %s is used and the other is not',
    async (which) => {
      const [code, tokens] = await begun();
      const both = await Promise.all([refreshed(code, tokens), refreshed(code, tokens)]);
      const [own, other] = which === 'the one' ? both : both.toReversed();

      expect((await refresh(code, own!)).statusCode).toBe(200);
      expect(answered(await refresh(code, other!))).toEqual({
        status: 400,
        error: 'invalid_grant',
      });
    },
  );

  test('revokes the grant with all its tokens if it is sent after its successor was used', async () => {
    const [code, tokens] = await begun();
    const second = await refreshed(code, tokens);
    const third = await refreshed(code, second);

    const reuse = await refresh(code, tokens);

    expect(answered(reuse)).toEqual({ status: 400, error: 'invalid_grant' });
    expect(await opens(service, third.access_token)).toBe(false);
    expect(answered(await refresh(code, third))).toEqual({ status: 400, error: 'invalid_grant' });
  });

  test('is logged as a security event when it is sent after its successor was used', async () => {
    const [code, tokens] = await begun();
    await refreshed(code, await refreshed(code, tokens));

    await refresh(code, tokens);

    expect(service.lines).toContainEqual({
      ...EVENT_LINE,
      type: 'security',
      event: 'refresh_token_reused',
      deployment_id: code.grant.deploymentId,
      slug: code.grant.slug,
      subject: code.grant.userId,
      why: 'refresh token used after another took its place',
    });
  });

  test('revokes nothing when another client sends it', async () => {
    const [code, tokens] = await begun();
    const third = await refreshed(code, await refreshed(code, tokens));
    const { id } = await service.client();

    await refresh(code, tokens, { client_id: id });

    expect(await opens(service, third.access_token)).toBe(true);
  });
});

test('two hundred concurrent refreshes all yield valid tokens', async () => {
  const [code, tokens] = await begun();

  const many = Array.from({ length: 200 });
  const replies = await inOrder(many, 50, () => refreshed(code, tokens));

  const alive = await inOrder(replies, 50, (one) => opens(service, one.access_token));
  expect(alive.filter(Boolean)).toHaveLength(200);
  // Whichever answer the client keeps, its refresh token goes on.
  expect((await refresh(code, replies[137]!)).statusCode).toBe(200);
});
