import { describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import { aDeployment, NOON } from '../../../support/aws/dynamodb-fixtures.ts';
import type { ApiCall } from '../../../support/service/management.ts';
import { owner, serveTwoOwners, service, stranger } from '../../../support/service/two-owners.ts';

serveTwoOwners();

let deployments = 0;
const aPath = async (authMethod: 'jwt' | 'none' | 'oauth' = 'jwt'): Promise<string> => {
  const slug = `tokens-${(deployments += 1)}`;
  const deployment = aDeployment({ id: slug, slug, ownerId: owner.user.id, authMethod });
  await service.ports.deploymentEditor.create(deployment);
  return `/deployments/${slug}/tokens`;
};
const call = (method: string, path: string, body?: unknown, more: ApiCall = {}) =>
  service.call(method, path, { as: owner, ...(body !== undefined && { body }), ...more });

describe('POST /deployments/{slug}/tokens', () => {
  test('returns a token once, with its expiry, scope and name', async () => {
    const path = await aPath();
    const wanted = { expires_in: 3600, scope: 'mcp.tools.read', name: 'CI' };
    const { status, body } = await call('POST', path, wanted);

    expect(status).toBe(201);
    expect(body).toEqual({
      token: expect.any(String),
      jti: expect.any(String),
      name: 'CI',
      scope: 'mcp.tools.read',
      expires_at: '2026-11-20T13:00:00Z',
    });
    expect(decodeJwt(String(body['token']))).toMatchObject({
      jti: body['jti'],
      exp: NOON + 3600,
      scope: 'mcp.tools.read',
    });

    const list = await call('GET', path);
    expect(list.body).toEqual({
      items: [
        {
          jti: body['jti'],
          name: 'CI',
          scope: 'mcp.tools.read',
          revoked: false,
          created_at: '2026-11-20T12:00:00Z',
          expires_at: '2026-11-20T13:00:00Z',
        },
      ],
    });
    expect(JSON.stringify(list.body)).not.toContain(String(body['token']));
  });

  test('defaults to one day and both scopes', async () => {
    expect((await call('POST', await aPath(), {})).body).toMatchObject({
      scope: 'mcp.tools.read mcp.tools.execute',
      expires_at: '2026-11-21T12:00:00Z',
    });
  });

  test.each<[string, object, string]>([
    ['a lifetime of zero', { expires_in: 0 }, '/expires_in'],
    ['a lifetime of more than a day', { expires_in: 86_401 }, '/expires_in'],
    ['a lifetime of half a second', { expires_in: 0.5 }, '/expires_in'],
    ['an unknown scope', { scope: 'admin' }, '/scope'],
    ['a name of two lines', { name: 'a\nb' }, '/name'],
    ['an unknown field', { sub: 'me' }, '/sub'],
  ])('is refused with %s', async (_, wanted, where) => {
    const path = await aPath();
    const { status, body } = await call('POST', path, wanted);
    expect([status, body['code']]).toEqual([422, 'invalid_request']);
    expect(body['findings']).toMatchObject([{ where }]);
    expect((await call('GET', path)).body).toEqual({ items: [] });
  });

  test('is of an hour where people sign in, and no longer', async () => {
    const path = await aPath('oauth');
    expect((await call('POST', path, {})).body).toMatchObject({
      expires_at: '2026-11-20T13:00:00Z',
    });
    expect((await call('POST', path, { expires_in: 3600 })).status).toBe(201);
    const refused = await call('POST', path, { expires_in: 3601 });
    expect([refused.status, refused.body['findings']]).toMatchObject([
      422,
      [{ where: '/expires_in', hint: 'Choose a whole number of seconds from 1 to 3600.' }],
    ]);
  });

  test('is refused for a deployment that is public', async () => {
    expect(await call('POST', await aPath('none'), {})).toMatchObject({
      status: 422,
      body: { code: 'invalid_request', findings: [{ where: '/slug', what: 'public' }] },
    });
  });
});

describe('the minted tokens of a deployment', () => {
  test('are listed in pages with the newest first, without those of others', async () => {
    const path = await aPath();
    await call('POST', await aPath(), { name: 'elsewhere' });
    for (const name of ['first', 'second', 'third']) {
      await call('POST', path, { name });
      service.clock.time += 1;
    }
    service.clock.time = NOON;

    const first = await call('GET', path, undefined, { query: 'limit=2' });
    expect(first.body.items?.map(({ name }) => name)).toEqual(['third', 'second']);
    const query = `limit=2&cursor=${String(first.body['next_cursor'])}`;
    const last = await call('GET', path, undefined, { query });
    expect(last.body.items?.map(({ name }) => name)).toEqual(['first']);
    expect(last.body).not.toHaveProperty('next_cursor');
    const all = await call('GET', path, undefined, { query: 'limit=3' });
    expect(all.body.items).toHaveLength(3);
    expect(all.body).not.toHaveProperty('next_cursor');
  });

  test('can be revoked any number of times', async () => {
    const path = await aPath();
    const { jti } = (await call('POST', path, {})).body;

    for (let times = 0; times < 2; times += 1) {
      expect(await call('DELETE', `${path}/${String(jti)}`)).toMatchObject({ status: 204 });
    }
    expect((await call('GET', path)).body).toMatchObject({ items: [{ jti, revoked: true }] });
    expect(await service.ports.mintedTokens.find(String(jti))).toMatchObject({ revoked: true });
  });

  test('cannot be revoked through another deployment', async () => {
    const path = await aPath();
    const { jti } = (await call('POST', path, {})).body;

    expect(await call('DELETE', `${await aPath()}/${String(jti)}`)).toMatchObject({
      status: 404,
      body: { detail: 'The deployment has no token of this jti.' },
    });
    expect(await service.ports.mintedTokens.find(String(jti))).toMatchObject({ revoked: false });
  });

  test.each([
    ['POST', ''],
    ['GET', ''],
    ['DELETE', 'jti'],
  ])('are hidden from other users: %s %s', async (method, end) => {
    const path = await aPath();
    const { jti } = (await call('POST', path, {})).body;
    const at = end === '' ? path : `${path}/${String(jti)}`;
    const body = method === 'POST' ? {} : undefined;

    expect(await call(method, at, body, { as: stranger })).toMatchObject({
      status: 404,
      body: { detail: 'There is no deployment of this name.' },
    });
    expect((await call('GET', path)).body).toMatchObject({ items: [{ revoked: false }] });
  });

  test.each(['bm8', 'WyJncmFudHMiLCIxI0pUSSN4Il0', 'x'.repeat(3000)])(
    'are not listed for the invalid cursor %s',
    async (cursor) => {
      const query = `cursor=${cursor}`;
      expect(await call('GET', await aPath(), undefined, { query })).toMatchObject({
        status: 422,
        body: { code: 'invalid_request', findings: [{ where: '/cursor' }] },
      });
    },
  );

  test.each(['nonsense', '12#', '99999999999999999999#JTI#x', '1#GRANT#x'])(
    'are an empty page for the forged cursor position %j',
    async (position) => {
      const cursor = Buffer.from(JSON.stringify(['tokens', position])).toString('base64url');
      const answer = await call('GET', await aPath(), undefined, { query: `cursor=${cursor}` });
      expect(answer).toMatchObject({ status: 200, body: { items: [] } });
    },
  );
});
