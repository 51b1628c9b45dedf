import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openDataFolder, startFault } from '../../local/run/data-folder.ts';
import { StartRefused } from '../../local/run/start-refused.ts';
import { aMachine } from './fixtures/start.ts';

let parent: string;
let path: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'hosted-mcp-data-'));
  path = join(parent, 'some', 'data');
});
afterEach(() => rm(parent, { recursive: true }));

const aDeadProcess = (): number => spawnSync(process.execPath, ['--version']).pid;

describe('the data folder', () => {
  test('is made where there is none, for its owner only', async () => {
    await openDataFolder(path);

    expect((await stat(path)).mode & 0o777).toBe(0o700);
  });

  test('keeps the same owner at every start', async () => {
    const first = await openDataFolder(path);
    first.release();
    const second = await openDataFolder(path);

    expect(first.owner).toEqual({
      email: 'owner@localhost',
      password: expect.stringMatching(/^[\w-]{24}$/),
    });
    expect(second.owner).toEqual(first.owner);
    expect((await stat(join(path, 'owner.json'))).mode & 0o777).toBe(0o600);
    expect(await readdir(path)).toEqual(['format', 'lock.json', 'owner.json']);
  });

  test('is for one process at a time', async () => {
    await openDataFolder(path);

    await expect(openDataFolder(path)).rejects.toThrow(
      `Hosted MCP runs already on the data folder ${path} (process ${process.pid}): stop that one`,
    );
  });

  test('is free again after its release', async () => {
    (await openDataFolder(path)).release();

    await expect(openDataFolder(path)).resolves.toMatchObject({ path });
  });

  test.each([
    ['by a process that is gone', () => JSON.stringify({ pid: aDeadProcess(), since: '1' })],
    [
      'by an earlier process of the same number',
      () => JSON.stringify({ pid: process.pid, since: '1' }),
    ],
    ['half written', () => '{"pi'],
  ])('is taken over when its lock was left %s', async (_, left) => {
    (await openDataFolder(path)).release();
    await writeFile(join(path, 'lock.json'), left());
    await openDataFolder(path);

    expect(JSON.parse(await readFile(join(path, 'lock.json'), 'utf8'))).toMatchObject({
      pid: process.pid,
    });
  });

  test.each([
    ['is a file', 'file', 'it is a file'],
    ['lies below a file', 'file/data', 'a part of its path is a file'],
  ])('cannot be used when it %s', async (_, place, why) => {
    await writeFile(join(parent, 'file'), '');
    path = join(parent, place);

    await expect(openDataFolder(path)).rejects.toThrow(
      `The data folder ${path} cannot be used: ${why}. Set HOSTED_MCP_DATA to a folder`,
    );
  });

  test('cannot be used when its owner cannot be read, and is unlocked then', async () => {
    (await openDataFolder(path)).release();
    await writeFile(join(path, 'owner.json'), '{');

    await expect(openDataFolder(path)).rejects.toThrow(`The data folder ${path} cannot be used`);
    expect(await readdir(path)).toEqual(['format', 'owner.json']);
  });
});

describe('a start that failed', () => {
  const failing = (code: string, syscall?: string) =>
    Object.assign(new Error(`${code}: it failed`), { code, ...(syscall && { syscall }) });

  test.each<[string, Error]>([
    ['a file that may not be read', failing('EACCES', 'open')],
    ['a full disk', failing('ENOSPC', 'write')],
    ['tables that cannot be opened', failing('LEVEL_DATABASE_NOT_OPEN')],
    ['a file that is cut off', new SyntaxError('Unexpected end of JSON input')],
  ])('for %s says so of the data folder', (_, error) => {
    expect(startFault(path, error)).toMatchObject({
      message: expect.stringContaining(`The data folder ${path} cannot be used: `),
    });
  });

  test.each<[string, Error]>([
    ['a port that is taken', failing('EADDRINUSE', 'listen')],
    ['a variable that nothing sets', new Error('router asks for X, which nothing sets')],
    ['an error of our own', new TypeError('x is not a function')],
    ['a module that is not there', failing('ERR_MODULE_NOT_FOUND')],
    ['a sentence of its own', new StartRefused('Move it away.')],
  ])('for %s says just that', (_, error) => {
    expect(startFault(path, error)).toBe(error);
  });
});

describe('a data folder of another version', () => {
  const refusal = () =>
    `The data folder ${path} was written by another version of Hosted MCP: ` +
    'move it away and run this command again, or set HOSTED_MCP_DATA to another folder.';
  const folders: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    ['that has tables and no format', { 'dynamodb/level/CURRENT': 'x', 'owner.json': '{}' }],
    ['that has an earlier format', { format: '2\n' }],
    ['that has a later format', { format: '4\n', 'dynamodb/level/CURRENT': 'x' }],
    ['whose format cannot be read', { format: '' }],
  ];

  /** Every file and folder, with its content and the time it was changed. */
  const snapshot = async () => {
    const names = ['', ...(await readdir(path, { recursive: true }))].sort();
    return Promise.all(
      names.map(async (name) => {
        const found = await stat(join(path, name));
        const content = found.isFile() && (await readFile(join(path, name), 'utf8'));
        return { name, content, changedAt: found.ctimeMs };
      }),
    );
  };
  const write = async (files: Readonly<Record<string, string>>) => {
    for (const [name, content] of Object.entries(files)) {
      await mkdir(join(path, name, '..'), { recursive: true });
      await writeFile(join(path, name), content);
    }
  };

  test.each(folders)('%s is refused and left as it is', async (_, files) => {
    await write(files);
    const before = await snapshot();

    await expect(openDataFolder(path)).rejects.toThrow(refusal());
    expect(await snapshot()).toEqual(before);
  });

  test('ends npm start with one sentence and exit code 1, and is left as it is', async () => {
    await write({ 'dynamodb/level/CURRENT': 'x', 'logs/router.log': '{}' });
    const before = await snapshot();
    const machine = aMachine();

    const started = machine.start({ HOSTED_MCP_DATA: path });

    expect(await started.ended()).toBe(1);
    expect(started.errors()).toBe(`${refusal()}\n`);
    expect(started.out()).toBe('');
    expect(await snapshot()).toEqual(before);
    await machine.cleanUp();
  });

  test('is used once it holds nothing of the service but an owner', async () => {
    await write({ 'owner.json': '{"email":"owner@localhost","password":"known"}' });

    expect((await openDataFolder(path)).owner.password).toBe('known');
    expect(await readFile(join(path, 'format'), 'utf8')).toBe('3\n');
  });
});

describe('a data folder of this version', () => {
  test('is used again with all its tables', async () => {
    (await openDataFolder(path)).release();
    await mkdir(join(path, 'dynamodb'));

    await expect(openDataFolder(path)).resolves.toMatchObject({ path });
  });
});
