import { afterAll, describe, expect, test } from '@jest/globals';
import { COMMANDS } from '../../cli/commands/index.ts';
import { aMachineFor } from '../support/cli/command-line.ts';

const machine = await aMachineFor();
afterAll(() => machine.remove());

describe('a command line that cannot be understood', () => {
  test.each([
    [['nope'], 'There is no command "nope".'],
    [['credential'], '"credential" needs a subcommand: set, ls, show, test, rm.'],
    [['show'], 'The slug is missing.'],
    [['ls', 'everything'], 'Unexpected argument "everything".'],
    [['apply', '-'], 'Did you mean --file -? See npx'],
    [['plan', 'servers.yaml'], 'Did you mean --file servers.yaml?'],
    [['ls', '--colour'], "Unknown option '--colour'."],
    [['ls', '--json=yes'], "Option '--json' does not take an argument."],
    [['deploy', 'x.yaml', '--slug'], "Option '--slug <value>' argument missing."],
    [['call', 'api', 'tool', '--arg', '-5'], "Option '--arg' argument is ambiguous."],
    [['ls', '--url', 'ftp://example.com'], '--url must be an http or https URL'],
    [
      ['ls', '--url', 'https://me:secret@example.com'],
      '--url takes only scheme, host, port and path',
    ],
    [['ls', '--url', 'http://example.com/v1'], '--url must be https'],
    [['show', '..'], '".." is not a valid name.'],
    [['call', 'api', 'tool', '--arg', 'name'], '--arg needs NAME=VALUE, not "name".'],
    [['call', 'api', 'tool', '--arg-json', 'n={'], '--arg-json n: "{" is not JSON.'],
    [['rollback', 'api', 'first'], 'The version must be a whole number from 1 on, not "first".'],
    [['logs', 'api', '--since', 'yesterday'], '--since must be a time'],
    [['token', 'mint', 'api', '--expires-in', 'soon'], '--expires-in must be a time'],
    [['credential', 'set', 'api', '--type', 'oauth2'], '--type must be one of'],
    [['credential', 'set', 'api', '--type', 'basic'], '--username is missing'],
    [['issuer', 'set', 'api', '--issuer', 'me'], '--jwks-uri is missing.'],
    [['resource', 'add', 'api', 'guide', '--file', '-'], '--uri is missing.'],
    [['prompt', 'add', 'api', 'ask'], '--file is missing'],
    [['doctor', 'https://example.com/mcp'], 'is not the address of a server'],
    [['personal-token', 'add', 'ci'], '--scope must be one of read, logs, declare, all.'],
    [['rm', 'api'], 'pass --yes to remove the server api permanently'],
    [['login', 'ada@example.com'], 'pass the secret to --password-stdin'],
    [['login'], 'Not a terminal'],
  ])('hosted-mcp %j ends with 2 and says why', async (args, why) => {
    const said = await machine.run(args);

    expect(said.errors).toContain(why);
    expect(said.code).toBe(2);
    expect(said.out).toBe('');
  });

  test('is one JSON document with --json', async () => {
    const said = await machine.run(['show', '--json']);

    expect(said.json()).toEqual({
      error: {
        code: 'usage',
        message: 'The slug is missing.',
        findings: [],
        hint: 'See npx --no-install hosted-mcp show --help',
      },
    });
    expect(said.errors).toBe('');
  });
});

describe('help', () => {
  test.each([
    [[], 'usage: npx --no-install hosted-mcp COMMAND [options]'],
    [['--help'], 'usage: npx --no-install hosted-mcp COMMAND [options]'],
    [['help'], 'usage: npx --no-install hosted-mcp COMMAND [options]'],
    [['deploy', '--help'], 'usage: npx --no-install hosted-mcp deploy FILE-OR-URL [options]'],
    [
      ['help', 'credential', 'set'],
      'usage: npx --no-install hosted-mcp credential set SLUG [options]',
    ],
    [['credential', '--help'], 'credential show SLUG'],
    [['--json', 'signup', '--help'], 'usage: npx --no-install hosted-mcp signup [EMAIL]'],
  ])('of hosted-mcp %j goes to standard output', async (args, line) => {
    const said = await machine.run(args);

    expect(said.out).toContain(line);
    expect(said.code).toBe(0);
  });

  test('names every command', async () => {
    const { out } = await machine.run(['--help']);

    expect(
      COMMANDS.filter(({ name, isHidden }) => (isHidden === true) === out.includes(`  ${name}`)),
    ).toEqual([]);
  });
});

describe('the commands', () => {
  test('mean the same by an option of one name: a value, or none', () => {
    const kinds = Map.groupBy(
      COMMANDS.flatMap(({ options }) => Object.entries(options)),
      ([name]) => name,
    );
    const torn = [...kinds].filter(
      ([, uses]) => new Set(uses.map(([, { value }]) => value === undefined)).size > 1,
    );

    expect(torn).toEqual([]);
  });

  test.each(['password', 'token', 'secret', 'value', 'key'])(
    'take no %s from the command line',
    (name) => {
      expect(COMMANDS.filter(({ options }) => Object.hasOwn(options, name))).toEqual([]);
    },
  );
});
