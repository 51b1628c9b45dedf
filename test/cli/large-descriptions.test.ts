import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { aMachineFor, type TestMachine } from '../support/cli/command-line.ts';
import { type SignedIn, signedIn } from '../support/service/signed-in.ts';
import { startWholeService, type WholeService } from '../support/service/whole-service.ts';

const description = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Many', version: '1' },
  servers: [{ url: 'https://api.example.com' }],
  paths: Object.fromEntries(
    ['one', 'two', 'three'].map((operationId) => [
      `/${operationId}`,
      { get: { operationId, responses: { 200: { description: 'Done.' } } } },
    ]),
  ),
});

let service: WholeService;
let machine: TestMachine;
let owner: SignedIn;
let file: string;
beforeAll(async () => {
  service = await startWholeService({
    endpoints_per_deployment: 2,
    free_searchable_operations: 3,
    active_deployments_per_user: 1000,
  });
  machine = await aMachineFor(service.baseUrl);
  owner = await signedIn(service);
  file = join(machine.folder, 'many.json');
  await writeFile(file, description);
  const { email, password } = owner.person;
  await machine.run(['login', email, '--password-stdin'], { input: password });
});
afterAll(async () => {
  await machine.remove();
  await service.stop();
});

const stateOf = async (slug: string) => owner.send('GET', `/deployments/${slug}`);

describe('a description with more operations than a list of tools may have', () => {
  test('is deployed in search mode, which is said with how to choose instead', async () => {
    const checked = await machine.run(['check', file, '--slug', 'searched']);
    expect(checked).toMatchObject({
      code: 0,
      out: expect.stringContaining('It can be published as searched.'),
      errors: expect.stringContaining('clients get three tools that search'),
    });
    const deployed = await machine.run(['deploy', file, '--slug', 'searched']);
    expect(deployed).toMatchObject({
      code: 0,
      errors: expect.stringMatching(/three tools that search[^]*--include or --exclude/),
    });
    expect((await stateOf('searched')).body).toMatchObject({ tool_mode: 'search', tool_count: 3 });
  });

  test.each([
    ['a mode is chosen', ['--tool-mode', 'operations']],
    ['operations are chosen', ['--include', '* *']],
  ])('is refused where %s', async (_case, options) => {
    const args = [...options, '--slug', 'refused'];
    const deployed = await machine.run(['deploy', file, ...args]);
    expect(deployed).toMatchObject({ code: 1 });
    expect(deployed.errors).not.toContain('clients get three tools');
    expect((await stateOf('refused')).status).toBe(404);
  });

  test('is a list of tools where fewer operations are chosen', async () => {
    await machine.run(['deploy', file, '--slug', 'listed', '--exclude', 'one']);
    expect((await stateOf('listed')).body).toMatchObject({
      tool_mode: 'operations',
      tool_count: 2,
    });
  });

  test('is refused with the first reason where the plan does not let so many be searched', async () => {
    const more = join(machine.folder, 'more.json');
    const wider = description.replace('"/one"', '"/four":{"get":{"responses":{}}},"/one"');
    await writeFile(more, wider);
    const deployed = await machine.run(['deploy', more, '--slug', 'more']);
    expect(deployed).toMatchObject({
      code: 1,
      errors: expect.stringContaining('4 operations, at most 2 are allowed'),
    });
    expect((await machine.run(['check', more, '--slug', 'more'])).code).toBe(1);
  });
});
