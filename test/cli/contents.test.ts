import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { accountsIn } from '../../cli/accounts.ts';
import { settingsFile } from '../../cli/settings.ts';
import { aMachineFor, type TestMachine } from '../support/cli/command-line.ts';

const SERVICE = 'https://mcp.example.com/v1';
const NOON = 1_800_000_000;

let machine: TestMachine;
beforeAll(async () => {
  machine = await aMachineFor(SERVICE);
  const { configFile, folder: home } = machine;
  const file = settingsFile({ environment: { HOSTED_MCP_CONFIG: configFile }, home });
  const session = { token: 't', email: 'ada@example.com', expiresAt: NOON + 1 };
  await accountsIn(file, { now: () => NOON }).keep(SERVICE, session);
  await writeFile(`${home}/cities.txt`, 'Prague\r\n\n  Brno \n');
});
afterAll(() => machine.remove());

/** What adding something sends, with a text on standard input. */
const adding = async (args: readonly string[]) => {
  const sent: unknown[] = [];
  const said = await machine.run(
    args.map((text) => text.replace('FOLDER', machine.folder)),
    {
      now: NOON,
      input: 'text',
      fetch: async (_, { body }) => {
        sent.push(JSON.parse(String(body)));
        return new Response('{}');
      },
    },
  );
  return { ...said, sent };
};

describe('a file', () => {
  const given = async (name: string, bytes: Uint8Array) => {
    await writeFile(`${machine.folder}/${name}`, bytes);
    return adding(['prompt', 'add', 'books', 'ask', '--file', `FOLDER/${name}`]);
  };

  test.each([
    ['UTF-8', Buffer.from('\uFEFFGrüße')],
    ['UTF-16, as PowerShell writes it,', Buffer.from('\uFEFFGrüße', 'utf16le')],
    ['big-endian UTF-16', Buffer.from('\uFEFFGrüße', 'utf16le').swap16()],
  ])('in %s with a byte order mark is read', async (_, bytes) => {
    const { sent } = await given('marked.txt', bytes);

    expect(sent).toMatchObject([{ template: 'Grüße' }]);
  });

  test('in another encoding is refused, with what to do', async () => {
    const { code, errors } = await given('latin.txt', Buffer.from('Grüße', 'latin1'));

    expect(code).toBe(2);
    expect(errors).toContain('is not UTF-8 text.\nSave it as UTF-8 in your editor.');
  });

  test('that is a folder is refused, with what to do', async () => {
    const { code, errors } = await adding(['prompt', 'add', 'books', 'ask', '--file', 'FOLDER']);

    expect(code).toBe(1);
    expect(errors).toContain(`${machine.folder} is a folder.\nName a file in it.`);
  });
});

describe('adding a prompt', () => {
  const PROMPT = ['prompt', 'add', 'books', 'ask', '--file', '-'];

  test('sends titles and values of its arguments', async () => {
    const { sent } = await adding([
      ...PROMPT,
      '--required',
      'city=Which',
      '--argument',
      'day',
      '--argument-title',
      'city=City',
      '--completions',
      'city=FOLDER/cities.txt',
      '--completion',
      'city=Ostrava, Old Town',
      '--completion',
      'day=today',
    ]);

    expect(sent).toEqual([
      {
        name: 'ask',
        arguments: [
          {
            name: 'city',
            required: true,
            description: 'Which',
            title: 'City',
            values: ['Prague', 'Brno', 'Ostrava, Old Town'],
          },
          { name: 'day', required: false, values: ['today'] },
        ],
        template: 'text',
      },
    ]);
  });

  test.each([
    [['--argument-title', 'city=City'], '"city" is no argument of the prompt'],
    [['--completion', 'city=Prague'], '"city" is no argument of the prompt'],
    [['--completion', 'Prague'], '--completion needs NAME=VALUE'],
  ])('refuses %j', async (more, why) => {
    const { code, errors, sent } = await adding([...PROMPT, ...more]);

    expect([code, sent]).toEqual([2, []]);
    expect(errors).toContain(why);
  });
});

describe('adding a resource', () => {
  const RESOURCE = ['resource', 'add', 'books', 'guide', '--file', '-', '--uri', 'docs://{city}'];

  test('sends its audience, its priority, and values of its variables', async () => {
    const { sent } = await adding([
      ...RESOURCE,
      '--audience',
      'user',
      '--audience',
      'assistant',
      '--priority',
      '0.5',
      '--completion',
      'city=Prague',
    ]);

    expect(sent).toEqual([
      {
        name: 'guide',
        uri: 'docs://{city}',
        audience: ['user', 'assistant'],
        priority: 0.5,
        variables: [{ name: 'city', values: ['Prague'] }],
        content: 'text',
      },
    ]);
  });

  test.each(['-1', '1.5', 'high', '0x1', '1.'])('refuses the priority %s', async (priority) => {
    const { code, errors, sent } = await adding([...RESOURCE, `--priority=${priority}`]);

    expect([code, sent]).toEqual([2, []]);
    expect(errors).toContain('--priority must be a number from 0 to 1');
  });
});
