import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  aStrictProvider,
  aTokenEndpoint,
  CLIENT_SECRET,
} from '../../../support/oauth/connections.ts';
import { aDescription } from '../../../support/openapi/descriptions.ts';
import {
  aManagementService,
  type Owner,
  type TestManagement,
} from '../../../support/service/management.ts';
import { anHttpServer, type TargetServer } from '../../../support/target/target-server.ts';

let service: TestManagement;
let owner: Owner;
let provider: Awaited<ReturnType<typeof aStrictProvider>>;
let api: TargetServer;
const closing: AsyncDisposable[] = [];
beforeAll(async () => {
  service = await aManagementService({ limits: { active_deployments_per_user: 100 } });
  owner = await service.owner();
  provider = await aStrictProvider();
  api = await anHttpServer(({ headers }, response) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ seen: headers.authorization })),
  );
});
afterAll(async () => {
  for (const one of [api, ...closing]) await one[Symbol.asyncDispose]();
  await provider.close();
  await service.stop();
});

let deployments = 0;
const deploy = async (authMethod = 'oauth'): Promise<string> => {
  deployments += 1;
  const slug = `orders-${deployments}`;
  const openapi = aDescription(['orders'], {
    servers: [{ url: api.url }],
    paths: { '/orders': { get: { operationId: 'orders', responses: {} } } },
  });
  const body = { openapi, slug, mcp_auth_method: authMethod };
  expect(await service.call('POST', '/deployments', { as: owner, body })).toMatchObject({
    status: 201,
  });
  return slug;
};
const set = (slug: string, body: object, name = 'main') =>
  service.call('PUT', `/deployments/${slug}/credentials/${name}`, { as: owner, body });
const test_ = (slug: string, name = 'main', as = owner) =>
  service.call('POST', `/deployments/${slug}/credentials/${name}/test`, { as });

const client = () => ({
  type: 'oauth_client',
  token_url: provider.tokenUrl,
  client_id: 'basic',
  client_secret: CLIENT_SECRET,
  scopes: ['orders:read'],
});

describe('a credential that is an OAuth client', () => {
  test('is set without being shown, tried without a token being told, and carried by calls', async () => {
    const slug = await deploy();
    const answer = await set(slug, client());
    expect(answer).toMatchObject({
      status: 200,
      body: {
        type: 'oauth_client',
        token_url: provider.tokenUrl,
        client_id: 'basic',
        scopes: ['orders:read'],
        origins: [api.url],
        warnings: [],
      },
    });
    const tried = await test_(slug);
    expect(tried).toMatchObject({ status: 200, body: { works: true, scopes: ['orders:read'] } });
    expect(tried.body).toEqual({
      works: true,
      scopes: ['orders:read'],
      expires_at: expect.any(String),
      client_auth: 'basic',
      called: { operation: 'GET /orders', status: 200 },
    });

    const trial = await service.call('POST', `/deployments/${slug}/tools/orders/test`, {
      as: owner,
      body: {},
    });
    const [, token = ''] =
      /^Bearer (.+)$/.exec(api.requests.at(-1)?.headers.authorization ?? '') ?? [];
    expect(await provider.introspect(token)).toMatchObject({ active: true, client_id: 'basic' });
    expect(trial.body).toMatchObject({
      request: { headers: { authorization: 'Bearer [masked]' } },
    });
    const shown = JSON.stringify([answer, tried, trial, service.lines]);
    expect(shown).not.toContain(token);
    expect(shown).not.toContain('CANARY');
    expect(await provider.asked()).toBe(1);
  });

  test('is found by its issuer, whose metadata have to be of that very issuer', async () => {
    const slug = await deploy();
    const { token_url: _, ...rest } = client();
    expect(await set(slug, { ...rest, issuer: provider.issuer })).toMatchObject({ status: 200 });
    expect(await test_(slug)).toMatchObject({ body: { works: true } });

    const another = await aTokenEndpoint(() => ({
      body: { issuer: provider.issuer, token_endpoint: provider.tokenUrl },
    }));
    closing.push(another);
    const refused = await set(slug, { ...rest, issuer: new URL(another.url).origin });
    expect(refused).toMatchObject({
      status: 422,
      body: { findings: [{ where: '/issuer', what: expect.stringContaining('another issuer') }] },
    });
  });

  test('sends its secret nowhere but where it was meant for when it was set, whatever metadata say', async () => {
    const slug = await deploy();
    const thief = await aTokenEndpoint(() => ({
      body: { access_token: 'stolen', token_type: 'bearer' },
    }));
    let endpoint = provider.tokenUrl;
    const issuer = await anHttpServer((_, response) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ issuer: issuer.url, token_endpoint: endpoint })),
    );
    closing.push(thief, issuer);
    const { token_url: _, ...rest } = client();
    expect(await set(slug, { ...rest, issuer: issuer.url })).toMatchObject({ status: 200 });
    endpoint = thief.url;
    expect(await test_(slug)).toMatchObject({
      body: { works: false, problem: { reason: 'token_endpoint_refused' } },
    });
    expect(thief.asked()).toBe(0);
  });

  test('tells its owner what the server refuses, by its code and its words without what is secret', async () => {
    const slug = await deploy();
    await set(slug, { ...client(), client_secret: 'CANARY-wrong-secret' });
    const tried = await test_(slug);
    expect(tried.body).toEqual({
      works: false,
      problem: {
        reason: 'token_refused',
        error: 'invalid_client',
        message: expect.stringMatching(
          /refuses the client.* It says: client authentication failed$/,
        ),
      },
    });
    expect(JSON.stringify(tried)).not.toContain('CANARY');
  });

  test.each([
    [401, '{"message":"key CANARY-key is unknown"}', false, 'api_refused', 'It says: key [masked]'],
    [403, '<html>no</html>', false, 'api_refused', 'set the right one.'],
    [404, '{}', true, undefined, ''],
  ])(
    'is found out by a call of the API, which answers HTTP %d',
    async (status, body, works, reason, said) => {
      const other = await anHttpServer((_, response) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(body),
      );
      closing.push(other);
      deployments += 1;
      const slug = `orders-${deployments}`;
      const openapi = aDescription([], {
        servers: [{ url: other.url }],
        paths: {
          '/orders/{id}': { get: { responses: {} } },
          '/open': { get: { security: [], responses: {} } },
          '/orders/all': { get: { responses: {} }, post: { responses: {} } },
        },
        security: [{ key: [] }],
        components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
      });
      await service.call('POST', '/deployments', { as: owner, body: { openapi, slug } });
      await set(slug, { type: 'bearer', token: 'CANARY-key' });
      const tried = await test_(slug);
      expect(tried.body).toMatchObject({ works, called: { operation: 'GET /orders/all', status } });
      expect((tried.body['problem'] as { reason?: string } | undefined)?.reason).toBe(reason);
      expect(JSON.stringify(tried.body)).toContain(said);
      expect(JSON.stringify(tried.body)).not.toContain('CANARY');
      expect(other.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
        'GET /orders/all',
      ]);
    },
  );

  test('is not known to work where the API does not answer', async () => {
    const gone = await anHttpServer((_, response) => response.end());
    await gone[Symbol.asyncDispose]();
    deployments += 1;
    const slug = `orders-${deployments}`;
    const openapi = aDescription([], {
      servers: [{ url: gone.url }],
      paths: { '/orders': { get: { responses: {} } } },
    });
    await service.call('POST', '/deployments', { as: owner, body: { openapi, slug } });
    await set(slug, { type: 'bearer', token: 'CANARY-key' });
    expect((await test_(slug)).body).toMatchObject({
      works: false,
      called: { operation: 'GET /orders' },
      problem: { reason: 'api_unanswered' },
    });
  });

  test('is warned of on a server that anybody may call, when it is set and whenever it is looked at', async () => {
    const slug = await deploy('none');
    const what = expect.stringContaining('anybody on the internet calls with the identity');
    const { body } = await set(slug, client());
    expect(body['warnings']).toEqual([expect.objectContaining({ what })]);
    const shown = await service.call('GET', `/deployments/${slug}`, { as: owner });
    expect(shown.body['warnings']).toContainEqual(expect.objectContaining({ what }));
  });

  test('is nobody else’s to try, and there is none of another name', async () => {
    const slug = await deploy();
    await set(slug, client());
    const other = await service.owner({ id: 'other', email: 'other@example.com' });
    expect(await test_(slug, 'main', other)).toMatchObject({ status: 404 });
    expect(await test_(slug, 'another')).toMatchObject({ status: 404 });
  });

  test.each<[string, object, string]>([
    ['no place that gives tokens', { token_url: undefined }, '/token_url'],
    ['two of them', { issuer: 'https://login.example.com' }, '/issuer'],
    ['a place without encryption', { token_url: 'http://login.example.com/token' }, '/token_url'],
    ['a place with a password', { token_url: 'https://a:b@login.example.com' }, '/token_url'],
    ['a place that is none', { token_url: 'CANARY' }, '/token_url'],
    [
      'another origin than the endpoint has',
      { token_origin: 'https://a.example' },
      '/token_origin',
    ],
    ['no secret', { client_secret: undefined }, '/client_secret'],
    ['a key that nobody uses', { private_jwk: { kty: 'EC' } }, '/private_jwk'],
    [
      'a public key',
      {
        client_auth: 'private_key_jwt',
        client_secret: undefined,
        private_jwk: { kty: 'EC', crv: 'P-256', x: 'x', y: 'y' },
      },
      '/private_jwk',
    ],
    ['two scopes in one', { scopes: ['a b'] }, '/scopes/0'],
    ['a field that is sent anyway', { extra: { grant_type: 'password' } }, '/extra/grant_type'],
    [
      'too many fields',
      { extra: Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`f${n}`, 'v'])) },
      '/extra',
    ],
    ['a line break', { audience: 'a\nb' }, '/audience'],
    ['a resource that is no URI', { resource: 'orders' }, '/resource'],
  ])('is refused with %s', async (_, over, where) => {
    const slug = deployments === 0 ? await deploy() : `orders-${deployments}`;
    const refused = await set(slug, JSON.parse(JSON.stringify({ ...client(), ...over })));
    expect(refused).toMatchObject({ status: 422, body: { findings: [{ where }] } });
    expect(JSON.stringify(refused)).not.toContain('CANARY');
  });
});
