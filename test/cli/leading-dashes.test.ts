import { afterAll, describe, expect, test } from '@jest/globals';
import { COMMANDS } from '../../cli/commands/index.ts';
import { lineOf } from '../../cli/parse.ts';
import { aMachineFor } from '../support/cli/command-line.ts';

const machine = await aMachineFor();
afterAll(() => machine.remove());

/** What one of the commands reads of a line. */
const read = (line: string) => {
  const args = line.split(' ');
  const named = (name: string) => COMMANDS.find((one) => one.name === name);
  const command = named(args.slice(0, 2).join(' ')) ?? named(args[0] ?? '');
  if (!command) throw new Error(`there is no command in ${line}`);
  const { places, values, named: service } = lineOf(args, command);
  return { places, values, url: service.url };
};

describe('a value that begins with a dash', () => {
  test.each([
    ['verify -vF8xQ', { token: '-vF8xQ' }],
    ['verify --vF8xQ', { token: '--vF8xQ' }],
    ['verify --vF8=xQ', { token: '--vF8=xQ' }],
    ['verify -json --json', { token: '-json' }],
    ['verify --url https://mcp.example.com/v1 -vF8xQ', { token: '-vF8xQ' }],
    ['show -', { slug: '-' }],
    ['token rm -a -b', { slug: '-a', 'name-or-id': '-b' }],
    ['token rm books -b', { slug: 'books', 'name-or-id': '-b' }],
    ['token rm -a --json b', { slug: '-a', 'name-or-id': 'b' }],
    ['call -a -- -b', { slug: '-a', tool: '-b', 'name=value': [] }],
  ])('is taken where the command expects one: %s', (line, places) => {
    expect(read(line).places).toEqual(places);
  });

  test.each([
    ['verify -- -vF8xQ', { token: '-vF8xQ' }],
    ['verify -- --json', { token: '--json' }],
    ['verify -- -h', { token: '-h' }],
    ['verify -- --', { token: '--' }],
    ['login -- -ada@example.com', { email: '-ada@example.com' }],
    ['grants rm books -- -7Q', { slug: 'books', 'email-or-id': '-7Q' }],
  ])('is always taken after two dashes: %s', (line, places) => {
    expect(read(line).places).toEqual(places);
  });

  test.each(
    COMMANDS.map(({ name, places }) => ({
      name,
      needed: places.filter((place) => !/[?*]$/.test(place)),
    })).filter(({ needed }) => needed.length > 0),
  )('is taken by every command that needs one: $name', ({ name, needed }) => {
    const given = needed.map((_, at) => `-v${at}`);

    expect(
      Object.values(read(`${name} ${given.join(' ')}`).places).slice(0, needed.length),
    ).toEqual(given);
  });

  test('leaves the options beside it as they are', () => {
    const { places, values, url } = read(
      'call -a --arg n=-5 -b --arg m=1 --url https://mcp.example.com/v1',
    );

    expect(places).toMatchObject({ slug: '-a', tool: '-b' });
    expect(values).toMatchObject({ arg: ['n=-5', 'm=1'] });
    expect(url).toBe('https://mcp.example.com/v1');
  });

  test.each([
    ['show books --colour', "Unknown option '--colour'"],
    ['show -a -b', "Unknown option '-a'"],
    ['login -ada@example.com', "Unknown option '-a'"],
    ['--colour verify token', "Unknown option '--colour'"],
    ['verify --colour token', "Unknown option '--colour'"],
  ])('is an unknown option where the command expects no more: %s', async (line, why) => {
    const said = await machine.run(line.split(' '));

    expect(said.errors).toContain(why);
    expect(said.code).toBe(2);
  });

  test('is sent to the service as it is', async () => {
    const sent: unknown[] = [];
    const said = await machine.run(['verify', '-vF8xQ', '--password-stdin'], {
      input: 'kestrel umbrella fog',
      fetch: async (_, { body }) => {
        sent.push(JSON.parse(String(body)));
        return new Response('{}');
      },
    });

    expect(said.code).toBe(0);
    expect(sent).toMatchObject([{ token: '-vF8xQ' }]);
  });

  test.each(['verify -h', 'token rm books -h', '-h'])(
    'asks for help where it is -h: %s',
    async (line) => {
      const said = await machine.run(line.split(' '));

      expect(said.code).toBe(0);
      expect(said.out).toContain('usage: npx --no-install hosted-mcp');
    },
  );
});
