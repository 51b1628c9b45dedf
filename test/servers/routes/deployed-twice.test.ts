import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { aDescription } from '../../support/openapi/descriptions.ts';
import {
  FIXTURE_DESCRIPTIONS,
  fixtureDescriptions,
} from '../../support/openapi/fixture-descriptions.ts';
import {
  aManagementService,
  type ApiAnswer,
  type Owner,
  type TestManagement,
} from '../../support/service/management.ts';

let service: TestManagement;
let owner: Owner;
beforeAll(async () => {
  service = await aManagementService({
    limits: { endpoints_per_deployment: 200, active_deployments_per_user: 20 },
  });
  owner = await service.owner();
});
afterAll(() => service.stop());

const call = async (method: string, path: string, sent: object): Promise<ApiAnswer['body']> => {
  const [place = '', query] = path.split('?');
  const body = method === 'GET' ? {} : { body: sent };
  const answer = await service.call(method, place, { as: owner, ...body, ...(query && { query }) });
  expect([200, 201]).toContain(answer.status);
  return answer.body;
};

const SECURED = JSON.stringify(
  aDescription(['listPets', 'getPet'], {
    security: [{ bearer: [] }],
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
  }),
);

const NOTHING = { added: [], removed: [], changed: [], breaking: false };

describe.each<readonly [string, string]>([
  ['secured', SECURED],
  ...fixtureDescriptions.map(
    (name) => [name, readFileSync(new URL(name, FIXTURE_DESCRIPTIONS), 'utf8')] as const,
  ),
])('the description %s, deployed once more, differs in nothing', (name, openapi) => {
  const slug = name.replace(/[^a-z]+/g, '-');
  const at = `/deployments/${slug}`;
  const base = name === 'secured' ? {} : { api_base_url: 'https://api.example.com' };
  beforeAll(async () => {
    await call('POST', '/deployments', { openapi, slug, name, ...base });
  });

  test('where it is looked at before', async () => {
    const { difference } = await call('POST', '/descriptions', { openapi, deployment: slug });

    expect(difference).toEqual(NOTHING);
  });

  test('where a version of it is published, and the one before is returned to', async () => {
    // Another text of the same tools.
    const { version, tools } = await call('PUT', `${at}/openapi`, { openapi: `${openapi}\n` });
    expect([version, tools]).toEqual([2, NOTHING]);
    expect(await call('GET', `${at}/versions/1/difference?from=2`, {})).toEqual(NOTHING);
    expect((await call('POST', `${at}/rollback`, { version: 1 }))['tools']).toEqual(NOTHING);
    expect((await call('POST', `${at}/rollback`, { version: 1 }))['tools']).toEqual(NOTHING);
  });

  test('where a declaration has it', async () => {
    const declaration = { name, openapi: `${openapi}\n\n`, ...base };
    const planned = await call('POST', `${at}/declaration/plan`, { declaration });
    const applied = await call('PUT', `${at}/declaration`, {
      declaration,
      managed_by: 'servers.yaml',
      adopt: true,
    });

    expect([planned['tools'], applied['tools']]).toEqual([NOTHING, NOTHING]);
  });
});
