import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { aDescription } from '../../support/openapi/descriptions.ts';
import {
  aManagementService,
  type Owner,
  type TestManagement,
} from '../../support/service/management.ts';

let service: TestManagement;
let owner: Owner;
let accepts: ValidateFunction;
beforeAll(async () => {
  service = await aManagementService();
  owner = await service.owner({ plan: 'pro' });
  const { status, body } = await service.call('GET', '/overrides.schema.json');
  expect(status).toBe(200);
  accepts = new Ajv2020({ strict: false }).compile(body);
});
afterAll(() => service.stop());

const takenByApi = async (overrides: unknown): Promise<boolean> => {
  const { status, body } = await service.call('POST', '/descriptions', {
    as: owner,
    body: { openapi: aDescription(), overrides },
  });
  expect([200, 422]).toContain(status);
  return status === 200 && body['publishable'] === true;
};

describe('the JSON Schema of overrides', () => {
  test.each<[string, object]>([
    ['nothing', {}],
    ['a file that names it', { $schema: 'https://mcp.example.com/overrides.schema.json' }],
    ['each member', { listPets: everything() }],
    ['an override taken away', { listPets: null }],
    ['what holds everywhere', { '*': { arguments: { limit: { value: 5 } } } }],
    ['nothing that holds everywhere', { '*': null }],
    ['any number of tokens', { listPets: { answer_token_budget: null } }],
  ])('takes %s, as the service does', async (_, overrides) => {
    expect(accepts(overrides)).toBe(true);
    expect(await takenByApi(overrides)).toBe(true);
  });

  test.each<[string, unknown]>([
    ['a list', []],
    ['a text', { listPets: 'hidden' }],
    ['a member that there is not', { listPets: { hide: true } }],
    ['a hint of MCP in its own spelling', { listPets: { annotations: { readOnlyHint: true } } }],
    ['an argument as a bare value', { listPets: { arguments: { limit: 5 } } }],
    [
      'an argument both hidden and fixed',
      { listPets: { arguments: { a: { hidden: true, value: 1 } } } },
    ],
    ['an argument that is not hidden', { listPets: { arguments: { limit: { hidden: false } } } }],
    ['a budget below the least', { listPets: { answer_token_budget: 5 } }],
    ['a choice that there is not', { listPets: { argument_checks: 'none' } }],
    ['a description that is too long', { listPets: { description: 'x'.repeat(1025) } }],
    ['a name for all tools', { '*': { name: 'x' } }],
  ])('refuses %s, as the service does', async (_, overrides) => {
    expect(accepts(overrides)).toBe(false);
    expect(await takenByApi(overrides)).toBe(false);
  });

  test('says what each member is for', async () => {
    const { body } = await service.call('GET', '/overrides.schema.json');
    const { additionalProperties } = body as {
      additionalProperties: { anyOf: { properties?: Record<string, { description?: string }> }[] };
    };
    const members =
      additionalProperties.anyOf.find(({ properties }) => properties)?.properties ?? {};

    expect(Object.keys(members)).toContain('keywords');
    for (const member of Object.values(members)) expect(member.description).toMatch(/\.$/);
  });
});

function everything() {
  return {
    name: 'pets_list',
    title: 'Pets',
    description: 'All pets.',
    annotations: { read_only_hint: true, destructive_hint: false },
    keywords: ['animals'],
    always_load: true,
    structured_output: 'on',
    answer_token_budget: 500,
    answer_fields: ['/items/*/id'],
    answer_headers: ['x-total-*'],
    argument_checks: 'lenient',
    arguments: { limit: { value: 5 } },
  };
}
