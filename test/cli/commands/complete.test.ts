import { execFileSync } from 'node:child_process';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { aMachineFor } from '../../support/cli/command-line.ts';

const machine = await aMachineFor('https://mcp.example.com/v1');
afterAll(() => machine.remove());

const ANSWERS: readonly (readonly [end: string, body: object])[] = [
  ['/deployments', { items: [{ slug: 'books' }, { slug: 'boats' }, { slug: 'orders' }] }],
  ['/books/tools', { items: [{ name: 'listBooks' }, { name: '$(touch gone)' }, { name: 'a b' }] }],
  ['/books/versions', { items: [{ version: 12 }, { version: 3 }] }],
  ['/books/credentials', { credentials: { main: { type: 'bearer' }, app: { type: 'api_key' } } }],
];

const completed = async (
  words: readonly string[],
  send: (url: string) => Promise<Response> = async (url) => {
    const found = ANSWERS.find(([end]) => new URL(url).pathname.endsWith(end));
    return found ? Response.json(found[1]) : new Response('', { status: 404 });
  },
) => {
  const said = await machine.run(['complete', '--', ...words], {
    environment: { HOSTED_MCP_TOKEN: 'hmt_token' },
    fetch: send,
  });
  expect({ code: said.code, errors: said.errors }).toEqual({ code: 0, errors: '' });
  return said.out.split('\n').filter(Boolean);
};

describe('what a shell completes with', () => {
  test.each<[readonly string[], readonly string[]]>([
    [
      ['show', 'bo'],
      ['books', 'boats'],
    ],
    [
      ['show', ''],
      ['books', 'boats', 'orders'],
    ],
    [['show', 'books', ''], []],
    [['call', 'books', ''], ['listBooks']],
    [
      ['rollback', 'books', ''],
      ['12', '3'],
    ],
    [
      ['credential', 'show', 'books', '--credential', ''],
      ['main', 'app'],
    ],
    [['logs', 'books', '--calls', '--tool', 'l'], ['listBooks']],
    [
      ['set', 'books', '--structured-output', ''],
      ['off', 'on'],
    ],
    [['config', 'books', '--client', 'claude-c'], ['claude-code']],
    [['personal-token', 'add', 'CI', '--scope', 'l'], ['logs']],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [
      ['grants', ''],
      ['rm', 'books', 'boats', 'orders'],
    ],
    [['no-command', ''], []],
    [[''], []],
  ])('of %j is %j', async (words, names) => {
    expect(await completed(words)).toEqual(names);
  });

  test.each<[string, () => Promise<Response>]>([
    ['nobody is signed in', async () => Response.json({ code: 'x' }, { status: 401 })],
    ['nobody answers', () => Promise.reject(new TypeError('fetch failed'))],
    ['it answers something else', async () => new Response('<html>')],
  ])('is nothing where %s, without a word', async (_, send) => {
    expect(await completed(['show', ''], send)).toEqual([]);
  });

  test('does not wait for a service that is slow', async () => {
    const slow = (_: string, { signal }: RequestInit) =>
      new Promise<Response>((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason as Error));
      });
    const begun = Date.now();
    const said = await machine.run(['complete', '--', 'show', ''], {
      environment: { HOSTED_MCP_TOKEN: 'hmt_token' },
      fetch: slow,
    });

    expect(said).toMatchObject({ code: 0, out: '', errors: '' });
    expect(Date.now() - begun).toBeLessThan(5000);
  });

  test('comes from the program itself in bash, and nothing of it is carried out', async () => {
    const program = join(machine.folder, 'hosted-mcp');
    await writeFile(program, '#!/bin/sh\n[ "$1" = complete ] && echo "books $4"\n');
    await chmod(program, 0o755);
    const { out } = await machine.run(['completion', 'bash']);
    const script = `${out}\nCOMP_WORDS=(${program} show '')\nCOMP_CWORD=2\n_hosted_mcp\necho "\${COMPREPLY[@]}"`;

    expect(execFileSync('bash', ['--norc', '-c', script], { encoding: 'utf8' })).toBe('books\n');
  });
});

test('help names --override-manager where it means something, and nowhere else', async () => {
  const says = async (command: string): Promise<boolean> =>
    (await machine.run([...command.split(' '), '--help'])).out.includes('--override-manager');

  expect(await says('set')).toBe(true);
  expect(await says('credential rm')).toBe(true);
  expect(await says('ls')).toBe(false);
  expect(await says('credential set')).toBe(false);
});

test.each([
  [['deploy', 'x.yaml', '--slugg', 'a'], 'Did you mean --slug? '],
  [['logs', 'books', '--sinc', '2h'], 'Did you mean --since? '],
  [['ls', '--override-manager'], "Unknown option '--override-manager'."],
])('an option that there is not is answered with the nearest: %j', async (args, hint) => {
  expect(await machine.run(args)).toMatchObject({ code: 2, errors: expect.stringContaining(hint) });
});
