import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { aMachineFor, type TestMachine } from '../../support/cli/command-line.ts';
import { signedIn } from '../../support/service/signed-in.ts';
import { startWholeService, type WholeService } from '../../support/service/whole-service.ts';

let service: WholeService;
let machine: TestMachine;
beforeAll(async () => {
  service = await startWholeService();
  machine = await aMachineFor(service.baseUrl);
  const { email, password } = (await signedIn(service)).person;
  await machine.run(['login', email, '--password-stdin'], { input: password });
});
afterAll(async () => {
  await machine.remove();
  await service.stop();
});

const description = async (schema: object): Promise<string> => {
  const path = join(machine.folder, 'limits.json');
  const post = {
    operationId: 'addPet',
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: { 200: { description: 'Done.' } },
  };
  const openapi = {
    openapi: '3.1.0',
    info: { title: 'Limits', version: '1' },
    servers: [{ url: 'https://api.example.com' }],
    paths: { '/pets': { post } },
  };
  await writeFile(path, JSON.stringify(openapi));
  return path;
};

const properties = { name: { type: ['string', 'integer'] }, more: { type: 'object' } };

test('check says of clients what the doctor says once it is published', async () => {
  const path = await description({ type: 'object', properties });

  const checked = await machine.run(['check', path, '--slug', 'limits']);
  await machine.run(['deploy', path, '--slug', 'limits', '--yes']);
  const examined = await machine.run(['doctor', 'limits', '--json']);

  const said = examined.json() as { service: readonly { step: string; what: string }[] };
  const limits = said.service.filter(({ step }) => step === 'Clients').map(({ what }) => what);
  expect(limits).toEqual([
    expect.stringMatching(/^Copilot Studio cuts the arguments of 1 tool \(addPet\): /),
    expect.stringMatching(/^OpenAI, with strict functions, refuses 1 tool \(addPet\): /),
  ]);
  expect(checked.out).toContain(['What some clients do with them', ...limits, ''].join('\n'));
});

test('check says nothing of them where there is nothing to say, or models search', async () => {
  const path = await description({ type: 'object', properties: { name: { type: 'string' } } });
  expect((await machine.run(['check', path])).out).not.toContain('some clients');

  const broken = await description({ type: 'object', properties });
  const { out } = await machine.run(['check', broken, '--tool-mode', 'search']);
  expect(out).not.toContain('some clients');
});
