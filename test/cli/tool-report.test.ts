import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { accountsIn } from '../../cli/accounts.ts';
import { settingsFile } from '../../cli/settings.ts';
import { aMachineFor, type TestMachine } from '../support/cli/command-line.ts';

const SERVICE = 'https://mcp.example.com/v1';
const NOON = 1_800_000_000;

let machine: TestMachine;
beforeAll(async () => {
  machine = await aMachineFor(SERVICE);
  const file = settingsFile({
    environment: { HOSTED_MCP_CONFIG: machine.configFile },
    home: machine.folder,
  });
  const session = { token: 't', email: 'ada@example.com', expiresAt: NOON + 1 };
  await accountsIn(file, { now: () => NOON }).keep(SERVICE, session);
});
afterAll(() => machine.remove());

const ALL = ['claude', 'openai', 'gemini', 'bedrock'];

const TOOLS = [
  {
    name: 'getPet',
    method: 'GET',
    path: '/pets/{id}',
    annotations: { readOnlyHint: true, destructiveHint: false },
    tokens: 90,
    accepted_by: ALL,
    refused_by: [],
    notes: [],
  },
  {
    name: 'addPet',
    method: 'POST',
    path: '/pets',
    annotations: { readOnlyHint: false },
    tokens: 1210,
    accepted_by: ['claude', 'gemini', 'bedrock'],
    refused_by: [{ api: 'openai', complaints: ['a description of 1025 characters'] }],
    notes: [
      { what: 'allOf is merged', why: 'models fill one schema' },
      { what: 'oneOf has become\u001B[31m anyOf', why: 'so', arguments: ['kind', 'owner.kind'] },
    ],
  },
];

const tools = (args: readonly string[], items: readonly object[] = TOOLS) =>
  machine.run(['tools', 'pets', ...args], {
    now: NOON,
    fetch: async () => new Response(JSON.stringify({ items })),
  });

describe('hosted-mcp tools --report', () => {
  test('is a table, the largest tool first, with sums and reasons', async () => {
    const { out, code } = await tools(['--report']);

    expect(code).toBe(0);
    expect(out).toBe(
      [
        'TOOL    TOKENS  EFFECT       CLAUDE  OPENAI  GEMINI  BEDROCK  CHANGES',
        'addPet  1210    may destroy  yes     NO      yes     yes      2',
        'getPet  90      reads        yes     yes     yes     yes      -',
        '',
        'Hints for clients: 1 reads, 0 adds, 1 may destroy. --overrides changes them.',
        "2 tools, about 1300 tokens of a model's context in all.",
        'Claude accepts 2, OpenAI accepts 1, Gemini accepts 2, Bedrock accepts 2 of 2.',
        '',
        'May be refused',
        'addPet',
        '  OpenAI: a description of 1025 characters',
        '',
        'What was changed, and why',
        'addPet',
        '  allOf is merged (models fill one schema)',
        '  kind, owner.kind: oneOf has become\uFFFD[31m anyOf (so)',
        '',
      ].join('\n'),
    );
  });

  test('says nothing of refusals and changes where there are none', async () => {
    const { out } = await tools(['--report'], TOOLS.slice(0, 1));

    expect(out).toContain(
      'Claude accepts 1, OpenAI accepts 1, Gemini accepts 1, Bedrock accepts 1 of 1.',
    );
    expect(out).not.toMatch(/refused|changed/);
  });

  test('is one JSON document with --json', async () => {
    const said = await tools(['--report', '--json']);

    expect(said.json()).toEqual({
      items: TOOLS,
      total: {
        tools: 2,
        tokens: 1300,
        accepted_by: { claude: 2, openai: 1, gemini: 2, bedrock: 2 },
      },
    });
  });

  test('says so where there is no tool', async () => {
    const { out, errors } = await tools(['--report'], []);

    expect(out).toBe('');
    expect(errors).toContain('pets has no tool.');
  });
});

test('hosted-mcp tools lists what each tool calls, and takes', async () => {
  const { out } = await tools([]);

  expect(out.split('\n').slice(0, 2)).toEqual([
    'TOOL    METHOD  PATH        TOKENS',
    'getPet  GET     /pets/{id}  90',
  ]);
});

/** What `set` sends of an option. */
const setting = (option: string) => async (value: string) => {
  let sent: unknown;
  const said = await machine.run(['set', 'pets', option, value], {
    now: NOON,
    fetch: async (_, { body, method }) => {
      if (method === 'PATCH') sent = JSON.parse(String(body));
      return new Response(JSON.stringify({ slug: 'pets' }));
    },
  });
  return { ...said, sent };
};

describe('--structured-output', () => {
  const sentBy = setting('--structured-output');

  test.each(['on', 'off'])('%s is sent', async (choice) => {
    expect((await sentBy(choice)).sent).toEqual({ structured_output: choice });
  });

  test.each(['yes', 'ON', ''])('cannot be %j', async (choice) => {
    const { code, sent, errors } = await sentBy(choice);

    expect([code, sent]).toEqual([2, undefined]);
    expect(errors).toContain('--structured-output must be one of off, on');
  });
});

describe('--token-budget', () => {
  const sentBy = setting('--token-budget');

  test.each([
    ['2500', 2500],
    ['none', null],
  ])('%s is sent as %j', async (budget, value) => {
    expect((await sentBy(budget)).sent).toEqual({ tool_token_budget: value });
  });

  test.each(['0', '-1', '1.5', 'all', ''])('cannot be %j', async (budget) => {
    const { code, sent } = await sentBy(budget);

    expect(code).toBe(2);
    expect(sent).toBeUndefined();
  });
});
