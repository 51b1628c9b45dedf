import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { aDescription } from '../../support/openapi/descriptions.ts';
import {
  aManagementService,
  type ApiCall,
  type Owner,
  type TestManagement,
} from '../../support/service/management.ts';
import { anHttpServer, type TargetServer } from '../../support/target/target-server.ts';

let service: TestManagement;
let owner: Owner;
let target: TargetServer;
let fetched = 0;
beforeAll(async () => {
  [service, target] = await Promise.all([
    aManagementService({ limits: { description_fetches_per_hour_per_user: 6 } }),
    anHttpServer(({ url }, response) => {
      fetched += 1;
      response.statusCode = url === '/gone' ? 404 : 200;
      response.end(url === '/large' ? ' '.repeat(70_000) : JSON.stringify(renaming));
    }),
  ]);
  owner = await service.owner();
});
afterAll(() => Promise.all([service.stop(), target[Symbol.asyncDispose]()]));

const OPENAPI = aDescription([], {
  paths: {
    '/pets': { get: { operationId: 'badly_named', responses: {} } },
    '/secret': { get: { operationId: 'secret', responses: {} } },
  },
});

const renaming = {
  overlay: '1.1.0',
  info: { title: 'Mended', version: '1' },
  actions: [
    { target: "$.paths['/pets'].get", update: { operationId: 'listPets' } },
    { target: "$.paths['/secret']", remove: true },
    { target: '$.nowhere', remove: true },
  ],
};

const call = (method: string, path: string, more: ApiCall = {}) =>
  service.call(method, path, { as: owner, ...more });

const names = async (slug: string) => {
  const { body } = await call('GET', `/deployments/${slug}/tools`);
  return (body['items'] as { name: string }[]).map(({ name }) => name);
};

describe('the overlays of a deployment', () => {
  test('are counted in a look before publication, action by action', async () => {
    const { body } = await call('POST', '/descriptions', {
      body: { openapi: OPENAPI, overlays: [renaming, JSON.stringify(renaming)] },
    });

    // What the first has removed is not there for the second.
    expect(body['overlays']).toEqual([
      { title: 'Mended', actions: 3, applied: 2 },
      { title: 'Mended', actions: 3, applied: 1 },
    ]);
  });

  test('change its description at every publication until they are taken away', async () => {
    const made = await call('POST', '/deployments', {
      body: { slug: 'mended', openapi: OPENAPI, overlays: [renaming] },
    });
    expect(made).toMatchObject({
      status: 201,
      body: {
        overlays: [JSON.stringify(renaming)],
        warnings: expect.arrayContaining([
          expect.objectContaining({ where: '/overlays/0/actions/2' }),
        ]),
      },
    });
    expect(await names('mended')).toEqual(['listPets']);

    await call('PUT', '/deployments/mended/openapi', {
      body: { openapi: { ...OPENAPI, info: { title: 'Newer', version: '2' } } },
    });
    expect(await names('mended')).toEqual(['listPets']);

    const changed = await call('PATCH', '/deployments/mended', { body: { overlays: null } });
    expect(changed).toMatchObject({ status: 200 });
    expect(changed.body).not.toHaveProperty('overlays');
    expect(await names('mended')).toEqual(['badly_named', 'secret']);
  });

  test('count in a look before publication', async () => {
    const { body } = await call('POST', '/descriptions', {
      body: { openapi: OPENAPI, overlays: [renaming] },
    });

    expect(body).toMatchObject({ tools: [{ name: 'listPets' }] });
  });

  test.each([
    [[{ ...renaming, overlay: '3.0' }], '/overlays/0/overlay'],
    [[renaming, 'overlay: ['], '/overlays/1 line 1, column 11'],
    [Array.from({ length: 11 }, () => renaming), '/overlays'],
    [['x'.repeat(65_537)], '/overlays'],
  ])('are refused with their place', async (overlays, where) => {
    const { status, body } = await call('POST', '/deployments', {
      body: { openapi: OPENAPI, overlays },
    });

    expect(status).toBeGreaterThanOrEqual(400);
    expect(body).toMatchObject({ findings: [{ where }] });
  });

  test('are fetched once where their address is sent, and stored as texts', async () => {
    const made = await call('POST', '/deployments', {
      body: { slug: 'fetched', openapi: OPENAPI, overlays: [{ url: target.url }] },
    });
    expect(made).toMatchObject({ status: 201, body: { overlays: [JSON.stringify(renaming)] } });
    expect(await names('fetched')).toEqual(['listPets']);

    await call('PUT', '/deployments/fetched/openapi', {
      body: { openapi: { ...OPENAPI, info: { title: 'Newer', version: '2' } } },
    });
    expect(await names('fetched')).toEqual(['listPets']);
    expect(fetched).toBe(1);

    const changed = await call('PATCH', '/deployments/fetched', {
      body: { overlays: [{ url: target.url }, renaming] },
    });
    expect(changed).toMatchObject({ status: 200, body: { overlays: { length: 2 } } });
    const looked = await call('POST', '/descriptions', {
      body: { openapi: OPENAPI, overlays: [{ url: target.url }] },
    });
    expect(looked.body).toMatchObject({ tools: [{ name: 'listPets' }] });
    expect(fetched).toBe(3);
  });

  test.each([
    ['/gone', 422, '/overlays/1/url', 'it answered HTTP 404'],
    ['/large', 422, '/overlays/1/url', 'larger than 65536 bytes'],
  ])(
    'are refused with their place where they cannot be fetched: %s',
    async (path, code, where, what) => {
      const overlays = [renaming, { url: new URL(path, target.url).href }];
      const { status, body } = await call('PATCH', '/deployments/fetched', { body: { overlays } });

      expect(status).toBe(code);
      expect(body).toMatchObject({ findings: [{ where, what }] });
    },
  );

  test('are no addresses of other schemes', async () => {
    const { status, body } = await call('PATCH', '/deployments/fetched', {
      body: { overlays: [{ url: 'file:///etc/passwd' }] },
    });

    expect(status).toBe(422);
    expect(JSON.stringify(body)).toContain('/overlays/0');
    expect(JSON.stringify(body)).toContain('http or https');
  });

  test('are fetched as often as descriptions may be', async () => {
    const overlays = [{ url: target.url }, { url: target.url }];
    const { status } = await call('PATCH', '/deployments/fetched', { body: { overlays } });

    expect(status).toBe(429);
  });
});
