import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { COMMANDS } from '../../cli/commands/index.ts';
import { nearest } from '../../cli/nearest.ts';
import { aMachineFor, type TestMachine } from '../support/cli/command-line.ts';
import { type SignedIn, signedIn } from '../support/service/signed-in.ts';
import { startWholeService, type WholeService } from '../support/service/whole-service.ts';

const { version } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as { version: string };

let machine: TestMachine;
let service: WholeService;
let owner: SignedIn;
beforeAll(async () => {
  [machine, service] = await Promise.all([aMachineFor(), startWholeService()]);
  owner = await signedIn(service);
});
afterAll(async () => {
  await machine.remove();
  await service.stop();
});

describe('the program', () => {
  test.each([['--version'], ['-v']])('tells its version for %s', async (option) => {
    expect(await machine.run([option])).toMatchObject({ code: 0, out: `${version}\n`, errors: '' });
    expect((await machine.run([option, '--json'])).json()).toEqual({ version });
  });

  test('shows the first steps without a command, and everything with --help', async () => {
    const bare = await machine.run([]);
    const whole = await machine.run(['--help']);
    expect(bare.code).toBe(0);
    expect(bare.out).toContain('deploy FILE-OR-URL');
    expect(bare.out.split('\n').length).toBeLessThan(20);
    expect(whole.out).toContain('admin publish');
  });
});

describe('a command that there is not', () => {
  test.each([
    ['deploi', 'deploy'],
    ['list', 'ls'],
    ['DELETE', 'rm'],
    ['creds', undefined],
    ['cred', 'credential'],
    ['verison', 'versions'],
    ['xyzzy', undefined],
    ['constructor', undefined],
    ['', undefined],
    ['a'.repeat(100_000), undefined],
  ])('%j is taken for %j', (typed, meant) => {
    expect(nearest(typed, [...new Set(COMMANDS.map(({ name }) => name.split(' ')[0]!))])).toBe(
      meant,
    );
  });

  test.each([
    [['deploi', 'api.yaml'], 'Did you mean npx --no-install hosted-mcp deploy?'],
    [['credential', 'sett', 'api'], 'Did you mean npx --no-install hosted-mcp credential set?'],
    [['xyzzy'], 'npx --no-install hosted-mcp --help shows all commands.'],
  ])('%j is refused with what may be meant', async (args, hint) => {
    const said = await machine.run(args);
    expect(said.code).toBe(2);
    expect(said.errors).toContain(hint);
  });
});

describe('HOSTED_MCP_TOKEN', () => {
  const session = async () => {
    const { email, password } = owner.person;
    const { body } = await owner.send('POST', '/sessions', { email, password });
    return String(body['access_token']);
  };

  test('signs in without a login, at the service that is named beside it', async () => {
    const HOSTED_MCP_TOKEN = await session();
    const environment = { HOSTED_MCP_TOKEN, HOSTED_MCP_URL: service.baseUrl };
    expect(await machine.run(['ls', '--json'], { environment })).toMatchObject({ code: 0 });
    const typed = await machine.run(['ls', '--json', '--url', service.baseUrl], {
      environment: { HOSTED_MCP_TOKEN },
    });
    expect(typed.code).toBe(0);
  });

  test('goes nowhere without a service that it is of', async () => {
    const sent: string[] = [];
    const said = await machine.run(['ls'], {
      environment: { HOSTED_MCP_TOKEN: 'CANARY' },
      fetch: async (url) => {
        sent.push(url);
        return new Response('{}');
      },
    });
    expect(said.code).toBe(2);
    expect(said.errors).toContain('HOSTED_MCP_URL');
    expect(said.errors).not.toContain('CANARY');
    expect(sent).toEqual([]);
  });
});

describe('somebody who is not signed in', () => {
  test('is told to sign in at the service that was named', async () => {
    const said = await machine.run(['ls', '--url', service.baseUrl]);
    expect(said.code).toBe(3);
    expect(said.errors).toContain(`npx --no-install hosted-mcp login --url ${service.baseUrl}`);
  });
});

describe('the doctor', () => {
  test('takes the name of a deployment at the service', async () => {
    const { slug } = await service.publish(await service.person(), { authMethod: 'none' });
    const said = await machine.run(['doctor', slug, '--url', service.baseUrl, '--json']);
    expect(said).toMatchObject({ code: 0, errors: '' });
    expect(said.json()['url']).toBe(`${service.baseUrl}/mcp-router/${slug}/messages`);
  });
});

describe('completion', () => {
  const completed = async (...words: readonly string[]): Promise<readonly string[]> => {
    const { out } = await machine.run(['completion', 'bash']);
    const script = [
      out,
      `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')})`,
      `COMP_CWORD=${words.length - 1}`,
      '_hosted_mcp',
      'printf "%s\\n" "${COMPREPLY[@]}"',
    ].join('\n');
    return execFileSync('bash', ['--norc', '-c', script], { encoding: 'utf8' })
      .split('\n')
      .filter(Boolean);
  };

  test.each([
    [['hosted-mcp', 'dep'], ['deploy']],
    [['npx', 'hosted-mcp', 'roll'], ['rollback']],
    [['npx', '--no-install', 'hosted-mcp', 'roll'], ['rollback']],
    [
      ['hosted-mcp', 'credential', ''],
      ['set', 'ls', 'show', 'test', 'rm'],
    ],
    [['hosted-mcp', 'credential', 'set', 'api', '--val'], ['--value-stdin']],
    [['hosted-mcp', 'deploy', 'api.yaml', '--sl'], ['--slug']],
    [['npx', 'eslint', ''], []],
  ])('of %j in bash is %j', async (words, found) => {
    expect(await completed(...words)).toEqual(found);
  });

  test.each(['zsh', 'fish'])('for %s names every command', async (shell) => {
    const { code, out } = await machine.run(['completion', shell]);
    expect(code).toBe(0);
    for (const { name } of COMMANDS)
      for (const word of name.split(' ')) expect(out).toContain(word);
  });

  test('of another shell is refused', async () => {
    const said = await machine.run(['completion', 'cmd']);
    expect(said).toMatchObject({ code: 2, errors: expect.stringContaining('bash, zsh, fish') });
  });
});
