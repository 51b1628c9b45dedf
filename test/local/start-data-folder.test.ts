import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openDataFolder } from '../../local/run/data-folder.ts';

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

  test('knows its owner, the same at every start', async () => {
    const first = await openDataFolder(path);
    first.release();
    const second = await openDataFolder(path);

    expect(first.owner).toEqual({
      email: 'owner@localhost',
      password: expect.stringMatching(/^[\w-]{24}$/),
    });
    expect(second.owner).toEqual(first.owner);
    expect((await stat(join(path, 'owner.json'))).mode & 0o777).toBe(0o600);
    expect(await readdir(path)).toEqual(['lock.json', 'owner.json']);
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

  test('cannot be used when its owner cannot be read, and is not kept then', async () => {
    (await openDataFolder(path)).release();
    await writeFile(join(path, 'owner.json'), '{');

    await expect(openDataFolder(path)).rejects.toThrow(`The data folder ${path} cannot be used`);
    expect(await readdir(path)).toEqual(['owner.json']);
  });
});
