import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { accountsIn } from '../../cli/accounts.ts';
import { settingsFile } from '../../cli/settings.ts';
import { here } from '../support/cli/command-line.ts';

const SERVICE = 'https://mcp.example.com/v1';
const NOON = 1_800_000_000;
const SESSION = { token: 'eyJ.a.b', email: 'ada@example.com', expiresAt: NOON };

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'hosted-mcp-settings-'));
});
afterEach(() => rm(home, { recursive: true }));

const fileIn = (environment: Readonly<Record<string, string>> = {}) =>
  settingsFile({ environment, home });

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

describe('the file of sessions', () => {
  test.each([
    [{}, '.config/hosted-mcp/config.json'],
    [{ XDG_CONFIG_HOME: '' }, '.config/hosted-mcp/config.json'],
    [{ XDG_CONFIG_HOME: 'HOME/xdg' }, 'xdg/hosted-mcp/config.json'],
    [{ XDG_CONFIG_HOME: 'HOME/xdg', HOSTED_MCP_CONFIG: 'HOME/mine.json' }, 'mine.json'],
  ])('with %j is %s', (environment, path) => {
    const at = Object.entries(environment).map(([name, value]) => [
      name,
      value.replace('HOME', home),
    ]);

    expect(fileIn(Object.fromEntries(at)).path).toBe(join(home, path));
  });

  test('may have a byte order mark, as an editor adds it', async () => {
    const file = fileIn();
    await mkdir(dirname(file.path), { recursive: true });
    await writeFile(file.path, `\uFEFF${JSON.stringify({ url: SERVICE })}`);

    expect((await file.read()).url).toBe(SERVICE);
  });

  test('can be read by its owner only, and so can its folder', async () => {
    const file = fileIn();
    await file.write({ url: SERVICE, sessions: { [SERVICE]: SESSION } });

    expect(await modeOf(file.path)).toBe('600');
    expect(await modeOf(dirname(file.path))).toBe('700');
    expect(await file.read()).toEqual({ url: SERVICE, sessions: { [SERVICE]: SESSION } });
  });

  test('is closed by the next login if others could read it', async () => {
    const file = fileIn();
    await mkdir(dirname(file.path), { recursive: true });
    await writeFile(file.path, '{}');
    await chmod(file.path, 0o666);
    await accountsIn(file, { now: () => NOON }).keep(SERVICE, SESSION);

    expect(await modeOf(file.path)).toBe('600');
    expect(await readdir(dirname(file.path))).toEqual(['config.json']);
  });

  test.each(['', '{', '[]', 'null', '{"sessions":7}', '{"url":7,"sessions":{"x":null}}'])(
    'that holds %j means that nobody is signed in',
    async (damaged) => {
      const file = fileIn({ HOSTED_MCP_CONFIG: join(home, 'config.json') });
      await writeFile(file.path, damaged);

      expect(await file.read()).toEqual({ sessions: {} });
    },
  );

  test('that cannot be used ends the command with the reason', async () => {
    await writeFile(join(home, 'a-file'), '');
    const file = fileIn({ HOSTED_MCP_CONFIG: join(home, 'a-file', 'config.json') });

    await expect(file.read()).rejects.toMatchObject({ code: 'config_unusable', exitCode: 1 });
    await expect(file.write({ sessions: {} })).rejects.toThrow('config.json cannot be used: ');
  });
});

describe('a session', () => {
  const signedIn = async (now: number) => {
    const accounts = accountsIn(fileIn(), { now: () => now });
    await accounts.keep(SERVICE, SESSION);
    return accounts;
  };

  test('is good until the second it ends', async () => {
    await expect((await signedIn(NOON - 1)).session(SERVICE)).resolves.toEqual(SESSION);
    await expect((await signedIn(NOON)).session(SERVICE)).rejects.toMatchObject({
      exitCode: 3,
      message: `Your session at ${SERVICE} ended at ${here('2027-01-15T08:00:00Z')}.`,
    });
  });

  test('is good at its own service only', async () => {
    const accounts = await signedIn(NOON - 1);

    await expect(accounts.session('https://other.example.com/v1')).rejects.toMatchObject({
      exitCode: 3,
      code: 'not_signed_in',
    });
  });

  test('leaves the sessions at other services alone when it is forgotten', async () => {
    const accounts = await signedIn(NOON - 1);
    const other = 'https://other.example.com/v1';
    await accounts.keep(other, SESSION);

    expect(await accounts.forget(SERVICE)).toBe(true);
    expect(await accounts.forget(SERVICE)).toBe(false);
    await expect(accounts.session(other)).resolves.toEqual(SESSION);
    expect(await readFile(fileIn().path, 'utf8')).not.toContain(`"${SERVICE}":`);
  });
});
