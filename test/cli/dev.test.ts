import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { openDataFolder } from '../../local/run/data-folder.ts';
import { provisionOwner } from '../../local/run/owner.ts';
import { type Service, startService } from '../../local/run/service.ts';
import { bundlesOfThisRun } from '../support/aws/bundles.ts';
import { aMachineFor, type TestMachine } from '../support/cli/command-line.ts';
import { COMPILE_CACHE } from '../support/run/compile-cache.ts';

const PROGRAM = new URL('../../bin/hosted-mcp.mjs', import.meta.url).pathname;

let dataFolder: string;
let service: Service;
let machine: TestMachine;
let api: string;
beforeAll(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'hosted-mcp-dev-'));
  const { path, owner } = await openDataFolder(dataFolder);
  service = await startService({
    port: 0,
    dataFolder: path,
    settings: { LIMITS: JSON.stringify({ free_requests_per_hour: 1000 }) },
    ...(await bundlesOfThisRun()),
  });
  await provisionOwner(service, owner);
  machine = await aMachineFor();
  const login = ['login', owner.email, '--password-stdin', '--url', service.baseUrl];
  expect(await machine.run(login, { input: owner.password })).toMatchObject({ code: 0 });
  api = join(machine.folder, 'api.yaml');
  await mkdir(join(machine.folder, 'parts'));
});
afterAll(async () => {
  await machine.remove();
  await service.close();
  await rm(dataFolder, { recursive: true });
});

const written = (name: string, text: string) => writeFile(join(machine.folder, name), text);

const descriptionWith = (...paths: readonly string[]): string =>
  [
    'openapi: 3.0.3',
    'info: { title: Pets, version: "1" }',
    'servers: [{ url: https://api.example.com }]',
    'paths:',
    ...paths.map((path) => `  /${path}: { get: { operationId: ${path}, responses: {} } }`),
    '  /owners: { $ref: parts/owners.yaml }',
    '',
  ].join('\n');

const ownersBy = (operationId: string): string =>
  `get: { operationId: ${operationId}, responses: {} }\n`;

/** Started with `dev`; what it says is read up to the next time that it waits for a save. */
const developing = (args: readonly string[]) => {
  const program = spawn(process.execPath, [PROGRAM, 'dev', ...args], {
    cwd: machine.folder,
    env: { PATH: process.env['PATH'], HOSTED_MCP_CONFIG: machine.configFile, ...COMPILE_CACHE },
  });
  program.stdin.end();
  const ended = once(program, 'close').then(([code]) => code as number);
  let unread = '';
  let look = (): void => undefined;
  for (const stream of [program.stdout, program.stderr]) {
    stream.on('data', (chunk) => {
      unread += chunk;
      look();
    });
  }
  const WAITS = /^Watching \d+ files?; Ctrl-C ends it\.\n/m;
  return {
    program,
    ended,
    rest: () => unread,
    heard: () =>
      new Promise<string>((resolve, reject) => {
        void ended.then((code) => reject(new Error(`ended with ${code}: ${unread}`)));
        look = () => {
          const end = WAITS.exec(unread);
          if (!end) return;
          const text = unread.slice(0, end.index + end[0].length);
          unread = unread.slice(text.length);
          look = () => undefined;
          resolve(text);
        };
        look();
      }),
  };
};

const toolsOf = async (slug: string): Promise<readonly unknown[]> => {
  const { items } = (await machine.run(['tools', slug, '--json'])).json();
  return (items as { name: string }[]).map(({ name }) => name).toSorted();
};

describe('hosted-mcp dev', () => {
  let running: ReturnType<typeof developing> | undefined;
  afterEach(() => void running?.program.kill('SIGKILL'));

  test('publishes at each save of any of its files, goes on after errors, and ends on Ctrl-C', async () => {
    await written('api.yaml', descriptionWith('pets'));
    await written('parts/owners.yaml', ownersBy('owners'));
    running = developing(['api.yaml', '--slug', 'pets']);

    const first = await running.heard();
    expect(first).toContain('/mcp-router/pets/messages');
    expect(first).toContain('Watching 2 files');
    expect(await toolsOf('pets')).toEqual(['owners', 'pets']);

    await written('api.yaml', descriptionWith('cats'));
    const second = await running.heard();
    expect(second).toContain('pets is at version 2. Tools: 1 added, 1 removed, 0 changed.');
    expect(second).toMatch(/ {2}- pets\n {2}\+ cats\n/);
    expect(await toolsOf('pets')).toEqual(['cats', 'owners']);

    // As editors save: another file takes its place.
    await written('parts/owners.new', ownersBy('people'));
    await rename(
      join(machine.folder, 'parts/owners.new'),
      join(machine.folder, 'parts/owners.yaml'),
    );
    const third = await running.heard();
    expect(third).toContain('pets is at version 3.');
    expect(third).toContain('~ owners is people now');

    await rm(join(machine.folder, 'parts/owners.yaml'));
    const broken = await running.heard();
    expect(broken).toContain('there is no such file');
    expect(broken).toContain('Version 3 stays.');
    expect(await toolsOf('pets')).toEqual(['cats', 'people']);

    await written('parts/owners.yaml', ownersBy('people'));
    const mended = await running.heard();
    expect(mended).toContain('Nothing differs.');

    await written('api.yaml', 'openapi: 3.0.3\npaths: [\n');
    const refused = await running.heard();
    expect(refused).toContain('hosted-mcp: ');
    expect(refused).toContain('Version 3 stays.');
    expect(await toolsOf('pets')).toEqual(['cats', 'people']);

    running.program.kill('SIGINT');
    expect(await running.ended).toBe(0);
    expect(running.rest()).toBe('Ended; version 3 stays.\n');
  }, 60_000);

  test('watches a file of overrides, and makes one server of a description without --slug', async () => {
    await written('api.yaml', descriptionWith('dogs'));
    await written('parts/owners.yaml', ownersBy('owners'));
    await written('overrides.json', '{}');
    running = developing(['api.yaml', '--name', 'Dogs', '--overrides', 'overrides.json']);

    const first = await running.heard();
    const slug = /^Slug +(\S+)$/m.exec(first)?.[1] ?? '';
    expect(first).toContain('Watching 3 files');

    await written('overrides.json', '{"dogs":{"hidden":true}}');
    expect(await running.heard()).toContain(`${slug} is at version 2.`);
    expect(await toolsOf(slug)).toEqual(['owners']);
  }, 60_000);

  test.each([
    [['gone.yaml'], 1, 'The file gone.yaml cannot be read'],
    [['https://api.example.com/openapi.json'], 2, 'dev wants a file'],
    [['-'], 2, 'dev wants a file'],
    [['api.yaml', '--json'], 2, 'has no --json'],
    [['api.yaml', '--tool-mode', 'all'], 2, '--tool-mode must be'],
  ])('does not begin with %j', async (args, code, why) => {
    await written('api.yaml', descriptionWith('pets'));
    const said = await machine.run(['dev', ...args.map((one) => (one === 'api.yaml' ? api : one))]);

    expect(said.code).toBe(code);
    expect(`${said.out}${said.errors}`).toContain(why);
  });
});
