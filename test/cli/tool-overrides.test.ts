import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { accountsIn } from '../../cli/accounts.ts';
import { settingsFile } from '../../cli/settings.ts';
import { GIVES_SECRETS } from '../../layers/openapi/tool-note.ts';
import { aMachineFor, type TestMachine } from '../support/cli/command-line.ts';

const SERVICE = 'https://mcp.example.com/v1';
const NOON = 1_800_000_000;
const TOOLS = [
  { name: 'get_a', method: 'GET', path: '/a', operation_id: 'getA' },
  { name: 'b', method: 'PUT', path: '/b' },
];

let machine: TestMachine;
beforeAll(async () => {
  machine = await aMachineFor(SERVICE);
  const { configFile, folder: home } = machine;
  const file = settingsFile({ environment: { HOSTED_MCP_CONFIG: configFile }, home });
  const session = { token: 't', email: 'ada@example.com', expiresAt: NOON + 1 };
  await accountsIn(file, { now: () => NOON }).keep(SERVICE, session);
});
afterAll(() => machine.remove());

/** What a change of a tool sends, to a deployment with these overrides. */
const changing = async (args: readonly string[], overrides: object = {}) => {
  const sent: { readonly body: unknown; readonly ifMatch: string | null }[] = [];
  const said = await machine.run(['tool', 'set', 'books', ...args], {
    now: NOON,
    fetch: async (url, { method, body, headers }) => {
      if (method === 'PATCH') {
        const ifMatch = new Headers(headers).get('if-match');
        sent.push({ body: JSON.parse(String(body)), ifMatch });
      }
      const items = { items: TOOLS, next_cursor: null };
      const answer = url.endsWith('/tools') ? items : { slug: 'books', overrides };
      return new Response(JSON.stringify(answer), { headers: { etag: '"7"' } });
    },
  });
  return { ...said, sent };
};

describe('changing one tool', () => {
  test('says what is changed of its operation, to the deployment as it was', async () => {
    const { code, sent } = await changing([
      'get_a',
      '--title',
      'The As',
      '--read-only',
      'no',
      '--destructive',
      'yes',
    ]);

    const annotations = { read_only_hint: false, destructive_hint: true };
    expect(sent).toEqual([
      { body: { overrides: { getA: { title: 'The As', annotations } } }, ifMatch: '"7"' },
    ]);
    expect(code).toBe(0);
  });

  test('names an operation without an id by method and path', async () => {
    const { sent } = await changing(['b', '--name', 'put_b']);

    expect(sent[0]?.body).toEqual({ overrides: { 'PUT /b': { name: 'put_b' } } });
  });

  test('keeps what was said of it before, under the key that counts', async () => {
    const before = {
      getA: { description: 'Both count.' },
      'GET /a': { title: 'Old', arguments: { x: { hidden: true } }, annotations: { a: true } },
    };
    const { sent } = await changing(['get_a', '--title', 'New', '--idempotent', 'yes'], before);

    const annotations = { a: true, idempotent_hint: true };
    expect(sent[0]?.body).toEqual({
      overrides: { 'GET /a': { ...before['GET /a'], title: 'New', annotations } },
    });
  });

  test.each([
    [{ title: 'Old', annotations: { open_world_hint: false } }, { title: 'Old' }],
    [{ annotations: { open_world_hint: false } }, null],
  ])('takes a hint of %j away, and the override where nothing is left', async (before, after) => {
    const { sent } = await changing(['get_a', '--open-world', 'default'], { getA: before });

    expect(sent[0]?.body).toEqual({ overrides: { getA: after } });
  });

  test.each([
    [['/items/*/id', '/total'], { getA: { name: 'a', answer_fields: ['/items/*/id', '/total'] } }],
    [['none'], { getA: { name: 'a' } }],
    [[''], { getA: { name: 'a' } }],
  ])('chooses the members %j of its answers', async (pointers, overrides) => {
    const options = pointers.flatMap((pointer) => ['--answer-fields', pointer]);
    const { sent } = await changing(['get_a', ...options], {
      getA: { name: 'a', answer_fields: ['/old'] },
    });

    expect(sent[0]?.body).toEqual({ overrides });
  });

  test.each([
    [['x-total-*', 'server'], { getA: { name: 'a', answer_headers: ['x-total-*', 'server'] } }],
    [['none'], { getA: { name: 'a', answer_headers: [] } }],
    [['default'], { getA: { name: 'a' } }],
  ])('chooses the headers %j of its answers', async (names, overrides) => {
    const options = names.flatMap((name) => ['--answer-headers', name]);
    const { sent } = await changing(['get_a', ...options], {
      getA: { name: 'a', answer_headers: ['old'] },
    });

    expect(sent[0]?.body).toEqual({ overrides });
  });

  test.each([
    [
      ['--keywords', 'buy, purchase', '--keywords', 'order'],
      { keywords: ['buy', 'purchase', 'order'] },
    ],
    [['--keywords', 'none'], {}],
    [['--keywords', ''], {}],
    [['--argument-checks', 'lenient'], { keywords: ['old'], argument_checks: 'lenient' }],
    [['--argument-checks', 'default'], { keywords: ['old'] }],
    [['--always-load', 'yes'], { keywords: ['old'], argument_checks: 'strict', always_load: true }],
    [['--always-load', 'default'], { keywords: ['old'], argument_checks: 'strict' }],
  ])(
    'sets keywords, checks of arguments and whether it is there from the start: %j',
    async (options, after) => {
      const argument_checks = 'strict';
      const before = { getA: { name: 'a', keywords: ['old'], argument_checks } };
      const { sent } = await changing(['get_a', ...options], before);

      const stays = options[0] === '--keywords' ? { argument_checks } : {};
      expect(sent[0]?.body).toEqual({ overrides: { getA: { name: 'a', ...stays, ...after } } });
    },
  );

  test('refuses members that are no pointers', async () => {
    const { code, errors, sent } = await changing(['get_a', '--answer-fields', 'items']);

    expect(code).toBe(2);
    expect(errors).toContain('must be JSON pointers, as /items/*/id, not "items"');
    expect(sent).toEqual([]);
  });

  test('takes a text away that is given as an empty one', async () => {
    const before = { getA: { title: 'Old', name: 'a' } };
    const { sent } = await changing(['get_a', '--title', ''], before);

    expect(sent[0]?.body).toEqual({ overrides: { getA: { name: 'a' } } });
  });

  test('hides it, and says how it is shown again', async () => {
    const before = { getA: { title: 'The As' } };
    const { code, sent, errors } = await changing(['get_a', '--hide'], before);

    expect(sent[0]?.body).toEqual({ overrides: { getA: { title: 'The As', hidden: true } } });
    expect(errors).toContain('npx --no-install hosted-mcp tool set books getA --show undoes it.');
    expect(code).toBe(0);
  });

  test('writes an operation without an id as one word of a shell', async () => {
    const { errors } = await changing(['b', '--hide']);

    expect(errors).toContain(
      "npx --no-install hosted-mcp tool set books 'PUT /b' --show undoes it.",
    );
  });

  test.each([
    ['an operationId', 'getC', { getC: { hidden: true } }, { getC: null }],
    ['method and path', 'GET /c', { 'GET /c': { hidden: true } }, { 'GET /c': null }],
    [
      'the name that it was given',
      'all_cs',
      { getC: { name: 'all_cs', hidden: true } },
      { getC: { name: 'all_cs' } },
    ],
  ])('shows a hidden one again by %s', async (_, tool, before, after) => {
    const { code, sent } = await changing([tool, '--show'], before);

    expect(sent[0]?.body).toEqual({ overrides: after });
    expect(code).toBe(0);
  });

  test('names the hidden ones where it knows no such tool', async () => {
    const before = { getC: { hidden: true }, getD: { title: 'D' } };
    const { code, sent, errors } = await changing(['c', '--show'], before);

    expect(code).toBe(4);
    expect(errors).toContain('lists all. Hidden operations: getC.\n');
    expect(sent).toEqual([]);
  });

  test.each([
    [['get_a', '--hide', '--show'], 2, 'contradict each other'],
    [['get_a'], 2, 'Nothing to change: pass at least one option.'],
    [['get_a', '--argument-checks', 'loose'], 2, 'must be strict, lenient or default'],
    [['get_a', '--destructive', 'maybe'], 2, 'must be yes, no or default'],
    [['get_b', '--title', 'B'], 4, 'books has no tool get_b'],
  ])('refuses %j, and sends nothing', async (args, code, words) => {
    const said = await changing(args);

    expect(said.code).toBe(code);
    expect(said.errors).toContain(words);
    expect(said.sent).toEqual([]);
  });
});

describe('hiding the tools that give out secrets', () => {
  const hiding = async (notes: readonly object[]) => {
    const sent: unknown[] = [];
    const said = await machine.run(['tool', 'hide-secrets', 'books'], {
      now: NOON,
      fetch: async (url, { method, body }) => {
        if (method === 'PATCH') sent.push(JSON.parse(String(body)));
        const [first, second] = TOOLS;
        const items = {
          items: [
            { ...first, notes },
            { ...second, notes: [] },
          ],
          next_cursor: null,
        };
        const overrides = { getA: { title: 'The As' } };
        const answer = url.endsWith('/tools') ? items : { slug: 'books', overrides };
        return new Response(JSON.stringify(answer), { headers: { etag: '"7"' } });
      },
    });
    return { ...said, sent };
  };

  test('hides those alone, and leaves what was said of them before', async () => {
    const { code, sent } = await hiding([{ what: GIVES_SECRETS, why: 'its answers have "token"' }]);
    expect(sent).toEqual([{ overrides: { getA: { title: 'The As', hidden: true } } }]);
    expect(code).toBe(0);
  });

  test('changes nothing where there are none', async () => {
    const { code, sent, out } = await hiding([{ what: 'shortened', why: 'its budget' }]);
    expect(sent).toEqual([]);
    expect(out).toContain('No tool gives out secrets.');
    expect(code).toBe(0);
  });
});
