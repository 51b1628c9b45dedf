import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { aMachineFor, type TestMachine } from '../support/cli/command-line.ts';
import { startWholeService, type WholeService } from '../support/service/whole-service.ts';

const answering = (operationId: string, member: string) => ({
  operationId,
  responses: {
    200: {
      description: 'It.',
      content: {
        'application/json': {
          schema: { type: 'object', properties: { [member]: { type: 'string' } } },
        },
      },
    },
  },
});

let service: WholeService;
let machine: TestMachine;
let folder: string;
beforeAll(async () => {
  service = await startWholeService();
  machine = await aMachineFor(service.baseUrl);
  folder = await mkdtemp(join(tmpdir(), 'hosted-mcp-secrets-'));
  const { email, password: input } = await service.person();
  await machine.run(['login', email, '--password-stdin'], { input });
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await machine.remove();
  await service.stop();
});

const fileOf = async (paths: object): Promise<string> => {
  const file = join(folder, 'api.json');
  const info = { title: 'Keys', version: '1' };
  const servers = [{ url: 'https://api.example.com' }];
  await writeFile(file, JSON.stringify({ openapi: '3.1.0', info, servers, paths }));
  return file;
};
const PATHS = {
  '/keys': { get: answering('listKeys', 'access_token') },
  '/books': { get: answering('listBooks', 'title') },
};
const deploy = async (paths: object, ...more: readonly string[]) =>
  machine.run(['deploy', await fileOf(paths), '--slug', 'keys', ...more, '--json']);
const toolsOf = async () =>
  ((await machine.run(['tools', 'keys', '--json'])).json()['items'] as { name: string }[]).map(
    ({ name }) => name,
  );

describe('deploy --hide-secret-tools', () => {
  test('never offers a tool whose answers hold secrets, not in the first version either', async () => {
    const said = await deploy(PATHS, '--hide-secret-tools');

    expect(said.code).toBe(0);
    expect(said.json()).toMatchObject({ version: 1, overrides: { listKeys: { hidden: true } } });
    expect(await toolsOf()).toEqual(['listBooks']);
  });

  test('hides those of the next version as well, and leaves what was said of them', async () => {
    const overrides = join(folder, 'overrides.json');
    await writeFile(overrides, JSON.stringify({ getKey: { title: 'A key' } }));
    const paths = { ...PATHS, '/keys/one': { get: answering('getKey', 'client_secret') } };
    const said = await deploy(paths, '--hide-secret-tools', '--overrides', overrides);

    expect(said.code).toBe(0);
    expect(said.json()).toMatchObject({
      overrides: { listKeys: { hidden: true }, getKey: { title: 'A key', hidden: true } },
    });
    expect(await toolsOf()).toEqual(['listBooks']);
  });

  test('changes nothing where no answer holds a secret', async () => {
    const said = await machine.run([
      'deploy',
      await fileOf({ '/books': PATHS['/books'] }),
      '--slug',
      'books',
      '--hide-secret-tools',
      '--json',
    ]);

    expect(said.code).toBe(0);
    expect(said.json()['overrides'] ?? {}).toEqual({});
  });
});
