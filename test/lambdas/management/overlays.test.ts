import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { aDescription } from '../../support/descriptions.ts';
import {
  aManagementService,
  type ApiCall,
  type Owner,
  type TestManagement,
} from '../../support/management.ts';

let service: TestManagement;
let owner: Owner;
beforeAll(async () => {
  service = await aManagementService();
  owner = await service.owner();
});
afterAll(() => service.stop());

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
});
