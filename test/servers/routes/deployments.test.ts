import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { dynamoDeployments } from '../../../layers/deployments/store/deployments.ts';
import { findDeployment } from '../../../layers/deployments/steps/current-deployment.ts';
import { aDescription, aDescriptionOf } from '../../support/openapi/descriptions.ts';
import {
  aManagementService,
  type ApiCall,
  BASE_URL,
  NOON,
  type Owner,
  type TestManagement,
} from '../../support/service/management.ts';

let service: TestManagement;
let owner: Owner;
let stranger: Owner;
beforeAll(async () => {
  service = await aManagementService({ limits: { active_deployments_per_user: 100 } });
  owner = await service.owner({ plan: 'pro' });
  stranger = await service.owner();
});
afterAll(() => service.stop());

const call = (method: string, path: string, more: ApiCall = {}) =>
  service.call(method, path, { as: owner, ...more });
const create = (body: object, more: ApiCall = {}) =>
  call('POST', '/deployments', { body: { openapi: aDescription(), ...body }, ...more });
const created = async (body: object = {}): Promise<string> => {
  const answer = await create(body);
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return String(answer.body['slug']);
};

describe('POST /deployments', () => {
  test('creates a deployment from an OpenAPI description', async () => {
    const { status, headers, body } = await create({ slug: 'pets', name: 'My pets' });

    expect(status).toBe(201);
    expect(headers).toMatchObject({
      etag: expect.stringMatching(/^"1-[\w-]{8}"$/),
      location: `${BASE_URL}/mcp-management/deployments/pets`,
    });
    expect(body).toEqual({
      slug: 'pets',
      name: 'My pets',
      status: 'active',
      mcp_auth_method: 'oauth',
      mcp_url: `${BASE_URL}/mcp-router/pets/messages`,
      discovery_url: `${BASE_URL}/mcp-router/pets/.well-known/mcp-server`,
      docs_url: `${BASE_URL}/mcp-router/pets/docs`,
      docs: 'protected',
      trace_context: 'withheld',
      api_base_url: 'https://pets.example.com/v1',
      tool_count: 2,
      tool_mode: 'operations',
      tool_token_budget: 4000,
      answer_token_budget: 20_000,
      access_token_seconds: 3600,
      certificate_authorities: [],
      argument_checks: 'strict',
      request_headers: {},
      refresh: 'off',
      cases_right: null,
      fetch_with: 'nothing',
      structured_output: 'off',
      version: 1,
      access: { mode: 'owner' },
      allowed_origins: [],
      has_credential: false,
      warnings: [],
      created_at: '2026-11-20T12:00:00Z',
      updated_at: '2026-11-20T12:00:00Z',
    });
    expect(await service.ports.deploymentEditor.read('pets')).toMatchObject({
      ownerId: owner.user.id,
      ownerPlan: 'pro',
    });
  });

  test.each<[string, ApiCall]>([
    ['JSON in JSON', { body: { openapi: JSON.stringify(aDescription()), slug: 'form-a' } }],
    [
      'YAML in JSON',
      { body: { openapi: `# YAML\n${JSON.stringify(aDescription())}`, slug: 'form-b' } },
    ],
    ['a raw description', { body: aDescription(), query: 'slug=form-c' }],
    [
      'raw YAML that API Gateway encoded in base64',
      {
        body: JSON.stringify(aDescription()),
        headers: { 'content-type': 'application/yaml' },
        query: 'slug=form-d',
      },
    ],
    [
      'raw YAML compressed with gzip',
      {
        body: gzipSync(JSON.stringify(aDescription())),
        headers: { 'content-type': 'application/yaml', 'content-encoding': 'gzip' },
        query: 'slug=form-e',
      },
    ],
    [
      'raw Swagger 2.0',
      {
        body: {
          swagger: '2.0',
          info: { title: 'Pets', version: '1' },
          host: 'pets.example.com',
          paths: { '/pets': { get: { operationId: 'listPets', responses: {} } } },
        },
        query: 'slug=form-f',
      },
    ],
  ])('accepts %s', async (_, sent) => {
    expect(await call('POST', '/deployments', sent)).toMatchObject({
      status: 201,
      body: { slug: sent.query?.slice(5) ?? (sent.body as { slug: string }).slug },
    });
  });

  test('accepts every field in the query, with objects as JSON', async () => {
    const query = new URLSearchParams({
      slug: 'by-query',
      name: 'Named',
      mcp_auth_method: 'none',
      api_base_url: 'https://other.example.com',
      operations: '{"include":["getPet"]}',
      access: '{"mode":"allow_list","emails":["A@Example.com"]}',
    }).toString();

    const { body } = await call('POST', '/deployments', { body: aDescription(), query });

    expect(body).toMatchObject({
      name: 'Named',
      mcp_auth_method: 'none',
      api_base_url: 'https://other.example.com/v1',
      tool_count: 1,
      access: { mode: 'allow_list', emails: ['a@example.com'], domains: [] },
    });
  });

  test('derives the slug from the title, with a random ending if it is taken', async () => {
    const openapi = aDescription(['a'], { info: { title: 'Häuser & Co', version: '1' } });
    const first = await create({ openapi });
    const second = await create({ openapi });

    expect(first.body['slug']).toBe('hauser-co');
    expect(second.body['slug']).toMatch(/^hauser-co-[0-9a-f]{8}$/);
  });

  test.each<[string, ApiCall, number, string, string | undefined]>([
    ['malformed JSON', { body: '{' }, 400, 'malformed_request', undefined],
    [
      'a body that is not UTF-8',
      { body: Buffer.from([0x22, 0xff, 0x22]) },
      400,
      'malformed_request',
      undefined,
    ],
    [
      'JSON that is nested too deep',
      { body: '['.repeat(3000) },
      400,
      'malformed_request',
      undefined,
    ],
    ['an array', { body: [] }, 422, 'invalid_request', ''],
    ['no description', { body: { slug: 'abc' } }, 422, 'invalid_request', '/openapi'],
    [
      'two descriptions',
      { body: { openapi: '', openapi_url: 'https://a.example' } },
      422,
      'invalid_request',
      '/openapi',
    ],
    ['an unknown field', { body: { openapi: {}, colour: 1 } }, 422, 'invalid_request', '/colour'],
    ['a bad slug', { body: { openapi: {}, slug: 'A' } }, 422, 'invalid_request', '/slug'],
    ['a slug of "ab"', { body: { openapi: {}, slug: 'ab' } }, 422, 'invalid_request', '/slug'],
    [
      'an unknown auth method',
      { body: { openapi: {}, mcp_auth_method: 'basic' } },
      422,
      'invalid_request',
      '/mcp_auth_method',
    ],
    [
      'an unknown access',
      { body: { openapi: {}, access: { mode: 'all' } } },
      422,
      'invalid_request',
      '/access/mode',
    ],
    [
      'a base URL with another scheme',
      { body: { openapi: {}, api_base_url: 'ftp://a' } },
      422,
      'invalid_request',
      '/api_base_url',
    ],
    [
      'a bad e-mail',
      { body: { openapi: {}, access: { mode: 'allow_list', emails: ['a'] } } },
      422,
      'invalid_request',
      '/access/emails/0',
    ],
    [
      'an unknown operation',
      { body: { openapi: aDescription(), operations: { include: ['nothing'] } } },
      422,
      'invalid_request',
      '/operations/include/0',
    ],
    [
      'a field in the query beside a JSON body',
      { body: { openapi: {} }, query: 'slug=abc' },
      422,
      'invalid_request',
      '/slug',
    ],
    [
      'no media type',
      { body: '{}', headers: { 'content-type': '' } },
      415,
      'unsupported_media_type',
      undefined,
    ],
    [
      'another media type',
      { body: '{}', headers: { 'content-type': 'text/html' } },
      415,
      'unsupported_media_type',
      undefined,
    ],
    [
      'another content encoding',
      { body: '{}', headers: { 'content-encoding': 'br' } },
      415,
      'unsupported_media_type',
      undefined,
    ],
    [
      'a body that is not compressed',
      { body: '{}', headers: { 'content-type': 'application/gzip' } },
      400,
      'malformed_request',
      undefined,
    ],
    [
      'an empty gzip body',
      { body: '', headers: { 'content-type': 'application/gzip' } },
      400,
      'malformed_request',
      undefined,
    ],
    [
      'a truncated gzip body',
      {
        body: gzipSync('{"a":1}').subarray(0, 12),
        headers: { 'content-type': 'application/gzip' },
      },
      400,
      'malformed_request',
      undefined,
    ],
    [
      'a packed body that is declared as JSON, which the gateway spoils',
      { body: gzipSync('{"a":1}'), headers: { 'content-encoding': 'gzip' } },
      415,
      'unsupported_media_type',
      undefined,
    ],
    [
      'a truncated description',
      {
        body: JSON.stringify(aDescription()).slice(0, 100),
        headers: { 'content-type': 'text/yaml' },
      },
      422,
      'description_not_parseable',
      'line 1, column 101',
    ],
    ['another document', { body: { openapi: { a: 1 } } }, 422, 'description_not_openapi', ''],
    [
      'a reference to another document',
      {
        body: {
          openapi: aDescription(['a'], {
            components: { schemas: { A: { $ref: 'https://a.example/b' } } },
            paths: { '/a': { $ref: './b.yaml' } },
          }),
        },
      },
      422,
      'external_reference',
      '/paths/~1a',
    ],
    ['no operation', { body: { openapi: aDescription([]) } }, 422, 'no_operations', '/paths'],
    [
      'no server',
      { body: { openapi: aDescription(['a'], { servers: [] }) } },
      422,
      'no_server_url',
      '/paths/~1a/get',
    ],
  ])('refuses %s', async (_, sent, status, code, where) => {
    const answer = await call('POST', '/deployments', sent);

    expect(answer).toMatchObject({
      status,
      headers: { 'content-type': 'application/problem+json' },
      body: { code, status },
    });
    const findings = answer.body['findings'] as readonly { where: string }[] | undefined;
    expect(findings?.[0]?.where).toBe(where);
  });

  test('refuses a slug that is taken by any user', async () => {
    await created({ slug: 'taken' });

    for (const as of [owner, stranger]) {
      expect(await create({ slug: 'taken' }, { as })).toMatchObject({
        status: 409,
        body: { code: 'slug_taken', findings: [{ where: '/slug' }] },
      });
    }
  });

  test('refuses more operations than the plan allows and names the limit', async () => {
    const openapi = aDescription(Array.from({ length: 51 }, (_, number) => `op${number}`));

    expect(await create({ openapi, slug: 'many' })).toMatchObject({
      status: 422,
      body: { code: 'too_many_operations', limit: 'endpoints_per_deployment' },
    });
    expect(
      await create({ openapi, slug: 'many', operations: { exclude: ['op50'] } }),
    ).toMatchObject({ status: 201, body: { tool_count: 50 } });
  });

  describe('accepts a description of 5,242,880 bytes and not one more', () => {
    const raw = { 'content-type': 'application/yaml' };
    const packed = { ...raw, 'content-encoding': 'gzip' };

    test.each<[string, (text: string) => ApiCall]>([
      ['as raw YAML', (text) => ({ body: text, headers: raw })],
      ['as compressed YAML', (text) => ({ body: gzipSync(text), headers: packed })],
      ['as raw JSON', (text) => ({ body: text })],
      [
        'as compressed JSON with fields',
        (text) => ({
          body: gzipSync(JSON.stringify({ openapi: text })),
          headers: { 'content-type': 'application/gzip' },
        }),
      ],
      ['as a string in JSON', (text) => ({ body: { openapi: text } })],
    ])('when it is sent %s', async (_, sent) => {
      expect(await call('POST', '/deployments', sent(aDescriptionOf(5_242_880)))).toMatchObject({
        status: 201,
      });
      expect(await call('POST', '/deployments', sent(aDescriptionOf(5_242_881)))).toMatchObject({
        status: 413,
        body: { code: 'description_too_large' },
      });
    });
  });

  test('refuses a decompression bomb', async () => {
    const body = gzipSync(Buffer.alloc(60_000_000, ' '));
    const headers = { 'content-type': 'application/yaml', 'content-encoding': 'gzip' };

    expect(await call('POST', '/deployments', { body, headers })).toMatchObject({
      status: 413,
    });
  });
});

test('a description in UTF-16 can be compiled again by PATCH', async () => {
  const body = gzipSync(Buffer.from(JSON.stringify(aDescription()), 'utf16le'));
  const headers = { 'content-type': 'application/yaml', 'content-encoding': 'gzip' };
  const more = { body, headers, query: 'slug=wide' };

  expect(await call('POST', '/deployments', more)).toMatchObject({ status: 201 });
  expect(
    await call('PATCH', '/deployments/wide', { body: { tool_token_budget: 500 } }),
  ).toMatchObject({ status: 200, body: { tool_token_budget: 500 } });
});

describe('the Idempotency-Key header', () => {
  const withKey = (key: string, body: object) =>
    create(body, { headers: { 'idempotency-key': key } });

  test('repeats the first response for a repeated request', async () => {
    const first = await withKey('key-1', { slug: 'once' });
    const again = await withKey('key-1', { slug: 'once' });

    expect(first.headers).not.toHaveProperty('idempotency-replayed');
    expect(again).toMatchObject({
      status: 201,
      body: first.body,
      headers: { 'idempotency-replayed': 'true', etag: first.headers['etag'] },
    });
  });

  test('refuses a different request with the same key', async () => {
    await withKey('key-2', { slug: 'first' });

    expect(await withKey('key-2', { slug: 'second' })).toMatchObject({
      status: 422,
      body: { code: 'idempotency_key_reused' },
    });
    expect(await service.ports.deploymentEditor.read('second')).toBeUndefined();
  });

  test('is separate for each user', async () => {
    await withKey('key-3', { slug: 'mine' });
    const headers = { 'idempotency-key': 'key-3' };

    expect(await create({ slug: 'theirs' }, { as: stranger, headers })).toMatchObject({
      status: 201,
    });
  });

  test('may be reused after a refusal', async () => {
    expect(await withKey('key-4', { slug: 'A' })).toMatchObject({ status: 422 });

    expect(await withKey('key-4', { slug: 'mended' })).toMatchObject({ status: 201 });
  });

  test('executes one of several concurrent requests', async () => {
    const all = await Promise.all(
      Array.from({ length: 8 }, () => withKey('key-5', { slug: 'racing' })),
    );

    const statuses = all.map(({ status }) => status).sort();
    expect(statuses.filter((status) => status === 201).length).toBeGreaterThanOrEqual(1);
    expect(new Set(statuses)).toEqual(new Set([201, 409].filter((one) => statuses.includes(one))));
    for (const { status, body } of all) {
      expect(body).toMatchObject(
        status === 201 ? { slug: 'racing', version: 1 } : { code: 'idempotency_key_in_use' },
      );
    }
  });

  test.each(['', 'a b', 'ü', 'x'.repeat(256)])('cannot be %p', async (key) => {
    expect(await withKey(key, { slug: 'no-key' })).toMatchObject({
      status: 400,
      body: { code: 'malformed_request' },
    });
  });

  test('is forgotten after a day', async () => {
    await withKey('key-6', { slug: 'dayly' });
    service.clock.time = NOON + 86_400;
    try {
      expect(await withKey('key-6', { slug: 'dayly' })).toMatchObject({ status: 401 });
      const as = await service.owner();
      expect(
        await create({ slug: 'dayly-2' }, { as, headers: { 'idempotency-key': 'key-6' } }),
      ).toMatchObject({ status: 201 });
    } finally {
      service.clock.time = NOON;
    }
  });
});

describe('a deployment of another owner', () => {
  beforeAll(() => created({ slug: 'private' }));

  test.each<[string, string, ApiCall]>([
    ['GET', '', {}],
    ['PATCH', '', { body: { name: 'x' } }],
    ['DELETE', '', {}],
    ['PUT', '/openapi', { body: aDescription() }],
    ['GET', '/versions', {}],
    ['POST', '/rollback', { body: { version: 1 } }],
    ['GET', '/versions/1/difference', { query: 'from=1' }],
    ['GET', '/tools', {}],
    ['GET', '/server.json', {}],
  ])('is answered like an unknown one: %s %s', async (method, path, more) => {
    const theirs = await call(method, `/deployments/private${path}`, { ...more, as: stranger });
    const none = await call(method, `/deployments/nothing${path}`, { ...more, as: stranger });

    expect(theirs.status).toBe(404);
    expect(theirs).toEqual(none);
  });
});

describe('GET /deployments/{slug}/server.json', () => {
  test('is what registries list, under a name of the owner', async () => {
    const slug = await created({ slug: 'listed', name: 'Listed', mcp_auth_method: 'jwt' });
    const path = `/deployments/${slug}/server.json`;

    expect((await call('GET', path)).body).toMatchObject({
      $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
      name: 'com.example.mcp/listed',
      description: 'Listed: 2 tools',
      version: '0.1.1',
      remotes: [{ url: `${BASE_URL}/mcp-router/listed/messages`, headers: [{ isSecret: true }] }],
    });
    expect((await call('GET', path, { query: 'name=com.acme/pets' })).body['name']).toBe(
      'com.acme/pets',
    );
  });

  test('refuses a name that no registry takes', async () => {
    const path = `/deployments/${await created({ slug: 'unlisted' })}/server.json`;

    expect(await call('GET', path, { query: 'name=pets' })).toMatchObject({
      status: 422,
      body: { findings: [{ where: '/name' }] },
    });
  });
});

describe('GET /deployments', () => {
  test('lists the deployments of the owner in pages with the newest first', async () => {
    const as = await service.owner();
    for (const [number, slug] of ['page-a', 'page-b', 'page-c'].entries()) {
      service.clock.time = NOON + number;
      await create({ slug }, { as });
    }
    service.clock.time = NOON;
    const slugsOf = (items: readonly object[] = []) =>
      items.map((one) => (one as { slug: string }).slug);

    const first = await call('GET', '/deployments', { as, query: 'limit=2' });
    const cursor = String(first.body['next_cursor']);
    const second = await call('GET', '/deployments', { as, query: `limit=2&cursor=${cursor}` });

    expect(slugsOf(first.body.items)).toEqual(['page-c', 'page-b']);
    expect(slugsOf(second.body.items)).toEqual(['page-a']);
    expect(second.body).not.toHaveProperty('next_cursor');
  });

  test('lists no deployments of others for a forged cursor', async () => {
    await created({ slug: 'not-yours' });
    const as = await service.owner();
    const cursor = Buffer.from(
      JSON.stringify(['deployments', JSON.stringify([NOON + 100, 'not-yours'])]),
    ).toString('base64url');

    const { body } = await call('GET', '/deployments', { as, query: `cursor=${cursor}` });

    expect(body).toEqual({ items: [] });
  });

  test.each([
    ['limit=0', '/limit'],
    ['limit=101', '/limit'],
    ['limit=two', '/limit'],
    ['limit=1.5', '/limit'],
    ['cursor=nonsense', '/cursor'],
    ['cursor=', '/cursor'],
    [`cursor=${Buffer.from('["tools","1"]').toString('base64url')}`, '/cursor'],
  ])('refuses %s', async (query, where) => {
    expect(await call('GET', '/deployments', { query })).toMatchObject({
      status: 422,
      body: { code: 'invalid_request', findings: [{ where }] },
    });
  });
});

describe('PATCH /deployments/{slug}', () => {
  test('changes the given fields without a new version of the tools', async () => {
    const slug = await created({ slug: 'patched' });

    const { status, headers, body } = await call('PATCH', `/deployments/${slug}`, {
      body: { name: 'New', access: { mode: 'any_user' }, mcp_auth_method: 'none' },
    });

    expect(status).toBe(200);
    expect(headers['etag']).toMatch(/^"2-/);
    expect(body).toMatchObject({
      name: 'New',
      access: { mode: 'any_user' },
      mcp_auth_method: 'none',
      version: 1,
      tools: { added: [], removed: [], changed: [], breaking: false },
    });
  });

  test('sets the texts on the server for people and models, and removes them', async () => {
    const slug = await created({ slug: 'told', instructions: ' Ask first.\nThen call. ' });
    const said = { description: 'Pets', website_url: 'https://pets.example' };

    const { body } = await call('PATCH', `/deployments/${slug}`, { body: said });
    expect(body).toMatchObject({ ...said, instructions: 'Ask first.\nThen call.', version: 1 });

    const none = { instructions: null, description: null, website_url: null };
    const bare = await call('PATCH', `/deployments/${slug}`, { body: none });
    for (const name of Object.keys(none)) expect(bare.body).not.toHaveProperty(name);
    expect(await service.ports.deploymentEditor.read(slug)).not.toHaveProperty('websiteUrl');
  });

  test.each([
    ['instructions of 2,000 characters', { instructions: 'x'.repeat(2000) }, 200],
    ['instructions of 2,001 characters', { instructions: 'x'.repeat(2001) }, 422],
    ['instructions of blanks', { instructions: ' \n' }, 422],
    ['instructions that command a terminal', { instructions: 'a\u001b[2J' }, 422],
    ['a description of 500 characters', { description: 'x'.repeat(500) }, 200],
    ['a description of 501 characters', { description: 'x'.repeat(501) }, 422],
    ['a description of two lines', { description: 'a\nb' }, 422],
    ['a website of another scheme', { website_url: 'javascript:alert(1)' }, 422],
  ])('takes or refuses %s', async (_, body, status) => {
    const { slug } = (await service.ports.deploymentEditor.read('texts')) ?? {
      slug: await created({ slug: 'texts' }),
    };

    expect(await call('PATCH', `/deployments/${slug}`, { body })).toMatchObject({ status });
  });

  test('keeps what a description says of its API with the version that says it', async () => {
    const slug = await created({ slug: 'about' });
    const textsOf = async () => (await service.ports.deploymentEditor.read(slug))?.apiTexts;
    const first = await textsOf();
    const info = { title: 'Pets', version: '1', description: 'All **pets**.' };

    await call('PUT', `/deployments/${slug}/openapi`, { body: aDescription(['a'], { info }) });
    expect(await textsOf()).toEqual({
      instructions: 'Pets\n\nAll pets.\n\nLists come in pages: limit.',
      description: 'All pets.',
    });

    await call('POST', `/deployments/${slug}/rollback`, { body: { version: 1 } });
    expect(await textsOf()).toEqual(first);
  });

  test('makes a new version where tools change and keeps the choice of operations', async () => {
    const slug = await created({ slug: 'chosen' });

    const patched = await call('PATCH', `/deployments/${slug}`, {
      body: { operations: { include: ['getPet'] } },
    });
    expect(patched.body).toMatchObject({
      version: 2,
      tools: { removed: ['listPets'], breaking: true },
    });

    const put = await call('PUT', `/deployments/${slug}/openapi`, {
      body: aDescription(['getPet', 'other']),
    });
    expect(put.body).toMatchObject({
      tool_count: 1,
      version: 3,
      operations: { include: ['getPet'] },
    });

    const cleared = await call('PATCH', `/deployments/${slug}`, { body: { operations: null } });
    expect(cleared.body).toMatchObject({ tool_count: 2, version: 4, tools: { added: ['other'] } });
    expect(cleared.body).not.toHaveProperty('operations');
  });

  test('publishes a version without what was chosen by name, with a warning, and refuses other names', async () => {
    const slug = await created({
      slug: 'renamed',
      operations: { include: ['getPet', 'listPets'] },
    });
    const openapi = aDescription(['getPet', 'findPets']);
    const gone = {
      where: '/operations/include/1',
      what: '"listPets" names no operation of this version any more',
    };

    const look = await call('POST', '/descriptions', { body: { deployment: slug, openapi } });
    expect(look.body).toMatchObject({ publishable: true, problems: [] });
    expect(look.body['warnings']).toContainEqual(expect.objectContaining(gone));

    const put = await call('PUT', `/deployments/${slug}/openapi`, { body: openapi });
    expect(put).toMatchObject({ status: 200, body: { version: 2, tool_count: 1 } });
    expect(put.body['warnings']).toContainEqual(expect.objectContaining(gone));

    const patched = await call('PATCH', `/deployments/${slug}`, {
      body: { operations: { include: ['getPet', 'listPets', 'listCats'] } },
    });
    expect(patched).toMatchObject({
      status: 422,
      body: { code: 'invalid_request', findings: [{ where: '/operations/include/2' }] },
    });
    const other = aDescription(['listCats']);
    expect(await call('PUT', `/deployments/${slug}/openapi`, { body: other })).toMatchObject({
      status: 422,
      body: { code: 'no_operations' },
    });
  });

  test('are looked at with the tools that could not be called, by where their calls would go', async () => {
    const slug = await created({ slug: 'moved' });
    await call('PUT', `/deployments/${slug}/credential`, {
      body: { type: 'bearer', token: 'aeT3zah9Ohsh7' },
    });
    const openapi = aDescription(['getPet', 'listPets']);
    const refusedAt = async (servers: readonly string[], deployment?: string) => {
      const [first, second] = servers.map((url) => [{ url }]);
      const [here, ...others] = Object.entries(
        openapi['paths'] as Readonly<Record<string, object>>,
      );
      const paths = Object.fromEntries([
        ...(here ? [[here[0], { ...here[1], servers: first }]] : []),
        ...others.map(([path, item]) => [path, { ...item, servers: second ?? first }]),
      ]);
      const body = {
        openapi: { ...openapi, paths },
        ...(deployment !== undefined && { deployment }),
      };
      return (await call('POST', '/descriptions', { body })).body['refused_calls'];
    };
    const elsewhere = 'https://other.example.net';
    const plain = 'http://pets.example.com';
    const forHost = { reason: 'credential_not_for_this_host', origin: elsewhere };
    const forPlain = { reason: 'not_encrypted', origin: plain };

    expect(await refusedAt([elsewhere], slug)).toEqual([{ ...forHost, tools: 2 }]);
    expect(await refusedAt([elsewhere])).toEqual([]);
    expect(await refusedAt([plain])).toEqual([{ ...forPlain, tools: 2 }]);
    expect(await refusedAt([plain, elsewhere], slug)).toEqual([
      { ...forPlain, tools: 1 },
      { ...forHost, tools: 1 },
    ]);
    expect(await refusedAt(['http://127.0.0.1:9'])).toEqual([]);
  });

  test('without a change keeps the revision', async () => {
    const slug = await created({ slug: 'same' });

    const { headers } = await call('PATCH', `/deployments/${slug}`, { body: { name: 'Pets' } });

    expect(headers['etag']).toMatch(/^"1-/);
  });

  test.each<[string, object, number, string]>([
    ['a new slug', { slug: 'other-slug' }, 422, '/slug'],
    ['an unknown status', { status: 'removing' }, 422, '/status'],
    ['a malformed base URL', { api_base_url: 'x' }, 422, '/api_base_url'],
  ])('refuses %s', async (_, body, status, where) => {
    const slug = await created();

    expect(await call('PATCH', `/deployments/${slug}`, { body })).toMatchObject({
      status,
      body: { findings: [{ where }] },
    });
  });
});

describe('the If-Match header', () => {
  const patch = (slug: string, tag: string, name = 'x') =>
    call('PATCH', `/deployments/${slug}`, { body: { name }, headers: { 'if-match': tag } });

  const tagOf = async (slug: string): Promise<string> =>
    (await call('GET', `/deployments/${slug}`)).headers['etag'] ?? '';

  test.each<[string, (tag: string) => string]>([
    ['that of another revision', (tag) => tag.replace('"1-', '"2-')],
    ['that of another deployment', (tag) => tag.replace(/-.*/, '-00000000"')],
    ['the number of the revision alone', () => '"1"'],
    ['a weak one', (tag) => `W/${tag}`],
    ['one without quotes', (tag) => tag.replaceAll('"', '')],
    ['an empty one', () => '""'],
    ['any other', () => '"x"'],
  ])('does not match with %s', async (_, sent) => {
    const slug = await created();

    expect(await patch(slug, sent(await tagOf(slug)))).toMatchObject({
      status: 412,
      body: { code: 'stale' },
    });
  });

  test.each<[string, (tag: string) => string]>([
    ['what was read', (tag) => tag],
    ['anything', () => '*'],
    ['one of several', (tag) => `"7", ${tag}`],
  ])('matches with %s', async (_, sent) => {
    const slug = await created();

    expect(await patch(slug, sent(await tagOf(slug)))).toMatchObject({
      status: 200,
      headers: { etag: expect.stringMatching(/^"2-/) },
    });
  });

  test('does not match what was made under the same slug since', async () => {
    const slug = await created({ slug: 'made-again' });
    const tag = await tagOf(slug);
    await call('DELETE', `/deployments/${slug}`);
    await created({ slug });

    expect(await tagOf(slug)).toMatch(/^"1-/);
    expect(await patch(slug, tag)).toMatchObject({ status: 412, body: { code: 'stale' } });
    const headers = { 'if-match': tag };
    expect(await call('DELETE', `/deployments/${slug}`, { headers })).toMatchObject({
      status: 412,
    });
    expect((await patch(slug, await tagOf(slug))).status).toBe(200);
  });

  test('allows one of two concurrent changes', async () => {
    const slug = await created();
    const tag = await tagOf(slug);

    const answers = await Promise.all([patch(slug, tag, 'one'), patch(slug, tag, 'two')]);

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
  });

  test('also protects DELETE', async () => {
    const slug = await created();
    const headers = { 'if-match': '"7"' };

    expect(await call('DELETE', `/deployments/${slug}`, { headers })).toMatchObject({
      status: 412,
    });
    expect(await call('GET', `/deployments/${slug}`)).toMatchObject({ status: 200 });
  });
});

describe('two concurrent changes without If-Match', () => {
  test('both take effect', async () => {
    const slug = await created();

    const answers = await Promise.all([
      call('PATCH', `/deployments/${slug}`, { body: { name: 'Named' } }),
      call('PUT', `/deployments/${slug}/openapi`, { body: aDescription(['c']) }),
    ]);

    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect((await call('GET', `/deployments/${slug}`)).body).toMatchObject({
      name: 'Named',
      tool_count: 1,
    });
  });
});

describe('a deployment that is paused or removed', () => {
  test.each<[string, (path: string) => Promise<unknown>]>([
    ['paused', (path) => call('PATCH', path, { body: { status: 'paused' } })],
    ['removed', (path) => call('DELETE', path)],
  ])('is unknown to the router 15 seconds later: %s', async (what, end) => {
    const slug = await created({ slug: `ends-${what}` });
    const { clock, store } = service;
    const deployments = dynamoDeployments(store.instance(), store.tableName('deployments'), clock);
    await findDeployment({ deployments }, slug);

    await end(`/deployments/${slug}`);

    clock.time = NOON + 14;
    expect(await findDeployment({ deployments }, slug)).toMatchObject({ slug });
    clock.time = NOON + 15;
    await expect(findDeployment({ deployments }, slug)).rejects.toMatchObject({
      code: 'not_found',
    });
    clock.time = NOON;
  });
});

describe('PUT /deployments/{slug}/openapi', () => {
  test('publishes a new version and reports the difference in tools', async () => {
    const slug = await created({ slug: 'put' });

    const { body } = await call('PUT', `/deployments/${slug}/openapi`, {
      body: aDescription(['getPet', 'addPet']),
    });

    expect(body).toMatchObject({
      version: 2,
      tools: { added: ['addPet'], removed: ['listPets'], changed: [], breaking: true },
    });
  });

  test('with an invalid description changes nothing', async () => {
    const slug = await created({ slug: 'kept' });
    const before = await call('GET', `/deployments/${slug}`);

    expect(
      await call('PUT', `/deployments/${slug}/openapi`, { body: { openapi: '{' } }),
    ).toMatchObject({ status: 422, body: { code: 'description_not_parseable' } });
    expect(await call('GET', `/deployments/${slug}`)).toEqual(before);
  });

  test('with the same description changes nothing', async () => {
    const slug = await created({ slug: 'twice' });

    expect(
      await call('PUT', `/deployments/${slug}/openapi`, { body: { openapi: aDescription() } }),
    ).toMatchObject({ body: { version: 1 }, headers: { etag: expect.stringMatching(/^"1-/) } });
  });
});

describe('the versions of a deployment', () => {
  test('are compared with each other, whichever is served', async () => {
    const slug = await created({ slug: 'compared' });
    await call('PUT', `/deployments/${slug}/openapi`, { body: aDescription(['a']) });
    await call('PUT', `/deployments/${slug}/openapi`, { body: aDescription(['a', 'b']) });
    const from = (before: string, after: string) =>
      call('GET', `/deployments/${slug}/versions/${after}/difference`, { query: `from=${before}` });

    expect(await from('2', '3')).toMatchObject({
      status: 200,
      body: { added: ['b'], removed: [], changed: [], breaking: false },
    });
    expect(await from('3', '2')).toMatchObject({ body: { removed: ['b'], breaking: true } });
    expect(await from('2', '2')).toMatchObject({ body: { added: [], removed: [], changed: [] } });
  });

  test.each([
    ['1', '7'],
    ['7', '1'],
    ['x', '1'],
    ['1', '01'],
  ])('are not compared where there is none: %s with %s', async (before, after) => {
    const slug = await created();

    const path = `/deployments/${slug}/versions/${after}/difference`;
    expect(await call('GET', path, { query: `from=${before}` })).toMatchObject({
      status: 404,
      body: { detail: 'The deployment has no such version.' },
    });
  });

  test('are listed with the latest first and can be rolled back to', async () => {
    const slug = await created({ slug: 'rolling' });
    await call('PUT', `/deployments/${slug}/openapi`, { body: aDescription(['b']) });

    const rolled = await call('POST', `/deployments/${slug}/rollback`, { body: { version: 1 } });

    expect(rolled.body).toMatchObject({
      version: 1,
      tool_count: 2,
      tools: { added: ['listPets', 'getPet'], removed: ['b'], breaking: true },
    });
    expect((await call('GET', `/deployments/${slug}/versions`)).body.items).toEqual([
      {
        version: 2,
        served: false,
        tool_count: 1,
        warning_count: 0,
        created_at: '2026-11-20T12:00:00Z',
        created_by: 'owner',
      },
      {
        version: 1,
        served: true,
        tool_count: 2,
        warning_count: 0,
        created_at: '2026-11-20T12:00:00Z',
        created_by: 'owner',
      },
    ]);
  });

  test('carry what their owner says of them, and what is said of no version is not stored', async () => {
    const slug = await created({ slug: 'commented', comment: 'The first one.' });
    const openapi = aDescription(['b']);
    await call('PUT', `/deployments/${slug}/openapi`, { body: { openapi, comment: 'Mended.' } });
    await call('PATCH', `/deployments/${slug}`, {
      body: { name: 'Other', comment: 'No version.' },
    });
    await call('PATCH', `/deployments/${slug}`, {
      body: { overrides: { b: { name: 'c' } }, comment: '  Renamed <b>. ' },
    });
    const { items } = (await call('GET', `/deployments/${slug}/versions`)).body;

    expect(items).toMatchObject([
      { version: 3, created_by: 'owner', comment: 'Renamed <b>.' },
      { version: 2, comment: 'Mended.' },
      { version: 1, comment: 'The first one.' },
    ]);
    expect(JSON.stringify(items)).not.toContain('No version.');
  });

  test.each([
    ['control characters', 'a\u0007b'],
    ['more than 500 characters', 'x'.repeat(501)],
    ['nothing', ''],
    ['no text', 7],
  ])('take no comment of %s', async (_, comment) => {
    const slug = `refused-${randomUUID().slice(0, 8)}`;
    const sent = { openapi: aDescription(['b']), slug, comment };
    const { status, body } = await call('POST', '/deployments', { body: sent });

    expect(status).toBe(422);
    expect(body).toMatchObject({ findings: [{ where: '/comment' }] });
    expect((await call('GET', `/deployments/${slug}`)).status).toBe(404);
  });

  test('are numbered onwards after a rollback', async () => {
    const slug = await created({ slug: 'forward' });
    await call('PUT', `/deployments/${slug}/openapi`, { body: aDescription(['b']) });
    await call('POST', `/deployments/${slug}/rollback`, { body: { version: 1 } });

    const { body } = await call('PUT', `/deployments/${slug}/openapi`, {
      body: aDescription(['c']),
    });

    expect(body).toMatchObject({ version: 3 });
  });

  test('are deleted once twenty newer ones exist', async () => {
    const slug = await created({ slug: 'old' });
    for (let number = 2; number <= 21; number += 1) {
      await call('PUT', `/deployments/${slug}/openapi`, { body: aDescription([`v${number}`]) });
    }
    const { id = '' } = (await service.ports.deploymentEditor.read(slug)) ?? {};

    const { body } = await call('GET', `/deployments/${slug}/versions`, { query: 'limit=100' });

    expect(body.items?.map(({ version }) => version)).toEqual(
      Array.from({ length: 20 }, (_, index) => 21 - index),
    );
    expect(await service.ports.versions.notes(id, 1)).toBeUndefined();
    expect(await service.ports.versions.description(id, 1)).toBeUndefined();
  });

  test.each([{ version: 7 }, { version: 0 }, { version: '1' }, {}])(
    'refuse a rollback to %j',
    async (body) => {
      const slug = await created();

      expect(await call('POST', `/deployments/${slug}/rollback`, { body })).toMatchObject({
        status: 422,
        body: { code: 'invalid_request', findings: [{ where: '/version' }] },
      });
    },
  );
});

describe('GET /deployments/{slug}/tools', () => {
  test('lists each tool with its request and how it was derived', async () => {
    const openapi = aDescription(['a'], {
      paths: {
        '/search': {
          get: {
            operationId: 'find it',
            parameters: [{ name: 'filter[x]', in: 'query', schema: { type: 'string' } }],
            responses: {},
          },
        },
      },
    });
    const slug = await created({ slug: 'tooled', openapi });

    const { body } = await call('GET', `/deployments/${slug}/tools`);

    expect(body.items).toEqual([
      expect.objectContaining({
        name: 'find_it',
        method: 'GET',
        path: '/search',
        server_url: 'https://pets.example.com/v1',
        operation_id: 'find it',
        tokens: expect.any(Number),
        accepted_by: ['claude', 'openai', 'gemini', 'bedrock'],
        refused_by: [],
        notes: [
          { what: 'named find_it for "find it"', why: expect.any(String) },
          {
            what: 'sent as query parameter "filter[x]"',
            why: expect.any(String),
            arguments: ['filter_x'],
          },
        ],
      }),
    ]);
  });

  test('returns pages', async () => {
    const slug = await created();

    const first = await call('GET', `/deployments/${slug}/tools`, { query: 'limit=1' });
    const query = `limit=1&cursor=${String(first.body['next_cursor'])}`;
    const second = await call('GET', `/deployments/${slug}/tools`, { query });

    expect(first.body.items).toMatchObject([{ name: 'listPets' }]);
    expect(second.body).toEqual({ items: [expect.objectContaining({ name: 'getPet' })] });
  });
});
