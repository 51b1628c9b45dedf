import { describe, expect, test } from '@jest/globals';
import { aDeployment } from '../../../support/aws/dynamodb-fixtures.ts';
import type { ApiCall } from '../../../support/service/management.ts';
import { owner, serveTwoOwners, service, stranger } from '../../../support/service/two-owners.ts';

serveTwoOwners();

let deployments = 0;
const aPath = async (): Promise<string> => {
  const slug = `issuer-${(deployments += 1)}`;
  const deployment = aDeployment({ id: slug, slug, ownerId: owner.user.id, authMethod: 'jwt' });
  await service.ports.deploymentEditor.create(deployment);
  return `/deployments/${slug}/jwt-issuer`;
};
const call = (method: string, path: string, body?: unknown, more: ApiCall = {}) =>
  service.call(method, path, { as: owner, ...(body !== undefined && { body }), ...more });

const ISSUER = {
  issuer: 'https://issuer.example.com/',
  jwks_uri: 'https://issuer.example.com/keys',
  audience: 'api://pets',
  algorithms: ['RS256', 'ES256'],
};
const NONE = { status: 404, body: { detail: 'The deployment trusts no external issuer.' } };

describe('the external JWT issuer of a deployment', () => {
  test('can be set, shown, changed and removed', async () => {
    const path = await aPath();
    expect(await call('GET', path)).toMatchObject(NONE);

    const set = await call('PUT', path, ISSUER);
    expect(set.status).toBe(200);
    const etag = set.headers['etag'];
    expect(etag).toMatch(/^"2-/);
    expect(set.body).toEqual(ISSUER);
    expect(await call('GET', path)).toMatchObject({ body: ISSUER, headers: { etag } });

    const other = { ...ISSUER, audience: 'api://cats' };
    expect((await call('PUT', path, other)).body).toEqual(other);
    expect(await call('DELETE', path)).toMatchObject({ status: 204 });
    expect(await call('GET', path)).toMatchObject(NONE);
    expect(await call('DELETE', path)).toMatchObject({ status: 204 });
  });

  test('is stored where the router reads it', async () => {
    const path = await aPath();
    await call('PUT', path, ISSUER);
    const { jwks_uri: jwksUri, ...rest } = ISSUER;

    expect(await service.ports.deploymentEditor.read(path.split('/')[2]!)).toMatchObject({
      jwtIssuer: { ...rest, jwksUri },
    });
  });

  test('changes only if If-Match names the current revision', async () => {
    const path = await aPath();
    const given = (tag: string | undefined) => ({ headers: { 'if-match': tag ?? '' } });
    const { etag: first } = (await call('GET', path.replace(/\/[^/]*$/, ''))).headers;
    const set = await call('PUT', path, ISSUER, given(first));
    expect(set).toMatchObject({ status: 200 });
    expect(await call('PUT', path, ISSUER, given(first))).toMatchObject({
      status: 412,
      body: { code: 'stale' },
    });
    expect(await call('DELETE', path, undefined, given(first))).toMatchObject({ status: 412 });
    const { etag } = set.headers;
    expect(await call('DELETE', path, undefined, given(etag))).toMatchObject({ status: 204 });
  });

  test.each<[string, object, string]>([
    ['no issuer', { issuer: undefined }, '/issuer'],
    ['an empty issuer', { issuer: '' }, '/issuer'],
    ['no jwks_uri', { jwks_uri: undefined }, '/jwks_uri'],
    ['a jwks_uri that is not a URL', { jwks_uri: 'keys' }, '/jwks_uri'],
    ['a jwks_uri of a file', { jwks_uri: 'file:///etc/passwd' }, '/jwks_uri'],
    [
      'a jwks_uri that is not encrypted',
      { jwks_uri: 'http://issuer.example.com/keys' },
      '/jwks_uri',
    ],
    ['no audience', { audience: undefined }, '/audience'],
    ['no algorithms', { algorithms: [] }, '/algorithms'],
    ['algorithm none', { algorithms: ['none'] }, '/algorithms/0'],
    ['an algorithm with a shared secret', { algorithms: ['RS256', 'HS256'] }, '/algorithms/1'],
    ['an unknown field', { keys: [] }, '/keys'],
  ])('is refused with %s', async (_, over, where) => {
    const path = await aPath();
    const { status, body } = await call('PUT', path, { ...ISSUER, ...over });
    expect([status, body['code']]).toEqual([422, 'invalid_request']);
    expect(body['findings']).toMatchObject([{ where }]);
    expect(await call('GET', path)).toMatchObject(NONE);
  });

  test.each(['PUT', 'GET', 'DELETE'])('is hidden from another user: %s', async (method) => {
    const path = await aPath();
    await call('PUT', path, ISSUER);
    const body = method === 'PUT' ? ISSUER : undefined;
    expect(await call(method, path, body, { as: stranger })).toMatchObject({
      status: 404,
      body: { detail: 'There is no deployment of this name.' },
    });
    expect(await call('GET', path)).toMatchObject({ status: 200 });
  });
});
