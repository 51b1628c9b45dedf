import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { aMachineFor, type TestMachine } from '../../support/cli/command-line.ts';
import { type ScriptedModel, startScriptedModel } from '../../support/cli/scripted-model.ts';
import { aDescription } from '../../support/openapi/descriptions.ts';
import {
  aManagementService,
  type Owner,
  type TestManagement,
} from '../../support/service/management.ts';
import { fetchFrom } from '../../support/service/service-fetch.ts';

const SERVICE = 'https://mcp.example.com/v1';
const OPERATIONS = [
  'listPets',
  'getPet',
  'addPet',
  'listOwners',
  'getOwner',
  'listVisits',
  'getVisit',
];

let service: TestManagement;
let owner: Owner;
let machine: TestMachine;
let model: ScriptedModel;
beforeAll(async () => {
  service = await aManagementService();
  owner = await service.owner({ plan: 'pro' });
  for (const [slug, mode] of [
    ['pets', 'operations'],
    ['searching', 'search'],
  ]) {
    const body = { openapi: aDescription(OPERATIONS), slug, tool_mode: mode };
    await service.call('POST', '/deployments', { as: owner, body });
  }
  model = await startScriptedModel();
  machine = await aMachineFor(SERVICE);
});
afterAll(async () => {
  await model.stop();
  await service.stop();
});

const run = async (slug: string, ...more: readonly string[]) => {
  const file = join(machine.folder, 'cases.yaml');
  const cases = [{ wish: 'Which visits were there?', tool: 'listVisits' }];
  await writeFile(file, JSON.stringify({ version: 1, server: slug, cases }));
  const url = model.hostUrl;
  return machine.run(['eval', file, '--model', 'openai/one', '--model-url', url, ...more], {
    fetch: (at, request) =>
      at.startsWith(SERVICE) ? fetchFrom(service)(at, request) : fetch(at, request),
    environment: { HOSTED_MCP_TOKEN: owner.token, OPENAI_API_KEY: 'key' },
  });
};

/** The tools that the model was shown, each time that it was asked. */
const shown = (): readonly (readonly string[])[] =>
  model
    .asked()
    .map(({ body }) =>
      (body['tools'] as readonly { function: { name: string } }[]).map((one) => one.function.name),
    );

describe('eval --defer', () => {
  test('shows the model a search first, then what it finds, and counts what it calls of that', async () => {
    model.script(
      { calls: [['tool_search', { query: 'visits' }]] },
      { calls: [['listVisits', { limit: 5 }]] },
    );

    const said = await run('pets', '--defer');

    expect(said).toMatchObject({ code: 0 });
    expect(said.out).toContain('1 of 1 case right');
    const [first, second = []] = shown();
    expect(first).toEqual(['tool_search']);
    expect(second.toSorted()).toEqual(['listVisits', 'tool_search']);
  });

  test('takes no call of a tool that no search has found', async () => {
    model.script({ calls: [['listVisits', { limit: 5 }]] }, { text: 'There is no such tool.' });

    const said = await run('pets', '--defer');

    expect(said.code).not.toBe(0);
    expect(said.out + said.errors).toContain('0 of 1 case right');
    expect(JSON.stringify(model.asked()[1]?.body)).toContain('listVisits is not loaded');
  });

  test('gives up a model that searches on and on', async () => {
    model.script({ calls: [['tool_search', { query: 'nothing of the kind' }]] });

    const said = await run('pets', '--defer');

    expect(said.code).not.toBe(0);
    expect(said.out + said.errors).toContain('still searching after 12 answers');
  });

  test('shows the three of search mode from the start, and all tools where it is not asked for', async () => {
    model.script({ text: 'No.' });
    await run('searching', '--defer');
    expect(shown()[0]).toEqual(['search_operations', 'describe_operation', 'call_operation']);

    model.script({ text: 'No.' });
    await run('pets');
    expect(shown()[0]?.toSorted()).toEqual(OPERATIONS.toSorted());
  });
});
