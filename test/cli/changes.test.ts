import { writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { accountsIn } from '../../cli/accounts.ts';
import { settingsFile } from '../../cli/settings.ts';
import { aMachineFor, type Said, type TestMachine } from '../support/cli/command-line.ts';

const SERVICE = 'https://mcp.example.com/v1';
const NOON = 1_800_000_000;

let machine: TestMachine;
let file: string;
beforeEach(async () => {
  machine = await aMachineFor(SERVICE);
  file = `${machine.folder}/some.txt`;
  await writeFile(file, '{}');
  const place = { environment: { HOSTED_MCP_CONFIG: machine.configFile }, home: machine.folder };
  const session = { token: 'token', email: 'ada@example.com', expiresAt: NOON + 1 };
  await accountsIn(settingsFile(place), { now: () => NOON }).keep(SERVICE, session);
});
afterEach(() => machine.remove());

interface Sent {
  readonly what: string;
  readonly ifMatch: string | null;
  readonly key: string | null;
  readonly body: unknown;
}

type Answer = () => Response;

const running = async (
  args: readonly string[],
  ...answers: readonly Answer[]
): Promise<Said & { readonly sent: readonly Sent[] }> => {
  const sent: Sent[] = [];
  const said = await machine.run(args, {
    now: NOON,
    input: 'secret',
    fetch: async (url, { method, headers, body }) => {
      const given = new Headers(headers);
      sent.push({
        what: `${method} ${url.replace(`${SERVICE}/mcp-management`, '')}`,
        ifMatch: given.get('if-match'),
        key: given.get('idempotency-key'),
        body,
      });
      return answers[sent.length - 1]?.() ?? new Response('{}');
    },
  });
  return { ...said, sent };
};

const tagged: Answer = () => new Response('{}', { headers: { etag: '"7"' } });
const problem =
  (status: number, code: string, headers: Record<string, string> = {}): Answer =>
  () =>
    new Response(JSON.stringify({ status, code, detail: 'No.' }), { status, headers });
const cut: Answer = () => {
  throw new TypeError('fetch failed', { cause: { code: 'UND_ERR_SOCKET' } });
};

describe('set', () => {
  const owner = { slug: 'books', version: 1, access: { mode: 'owner' }, name: 'Books' };
  const tools = { added: [], removed: [], changed: [], breaking: false };
  const said = async (options: string, after: object) => {
    const answers = [owner, { ...owner, tools, ...after }].map((body) => () => Response.json(body));
    return (await running(['set', 'books', '--yes', ...options.split(' ')], ...answers)).out;
  };
  const stay = 'books is at version 1. The tools stay as they are.\n';

  test.each<[string, object, string]>([
    ['--access any_user', { access: { mode: 'any_user' } }, 'access: any_user (before: owner)\n'],
    [
      '--allow ada@example.com',
      { access: { mode: 'allow_list', emails: ['ada@example.com'], domains: [] } },
      'access: ada@example.com (before: owner)\nada@example.com: this address\n',
    ],
    [
      '--website https://a.example',
      { website_url: 'https://a.example' },
      'website url: https://a.example (before: none)\n',
    ],
    ['--instructions x', { instructions: 'x'.repeat(61) }, 'instructions: changed\n'],
    ['--name Books', {}, 'The settings were so before.\n'],
  ])('says what changed: %s', async (options, after, lines) => {
    expect(await said(options, after)).toBe(stay + lines);
  });

  test('names no setting of a new version that is none of the server, as its comment', async () => {
    const out = await said('--comment mended', { version: 2 });
    expect(out).toBe('books is at version 2. The tools stay as they are.\n');
  });
});

describe('a change', () => {
  const changes: readonly [args: string, looksAt: string, change: string][] = [
    ['set books --name Books', '/deployments/books', 'PATCH /deployments/books'],
    ['deploy FILE --slug books', '/deployments/books', 'PUT /deployments/books/openapi'],
    ['deploy FILE --slug books --name B', '/deployments/books', 'PATCH /deployments/books'],
    ['rm books --yes', '/deployments/books', 'DELETE /deployments/books'],
    ['call books getBook', '/deployments/books', 'POST /deployments/books/tools/getBook/test'],
    ['rollback books 2', '/deployments/books', 'POST /deployments/books/rollback'],
    [
      'credential set books --type bearer --value-stdin --yes',
      '/deployments/books',
      'PUT /deployments/books/credentials/main',
    ],
    [
      'issuer set books --issuer i --jwks-uri https://i/k --audience a --algorithm RS256',
      '/deployments/books',
      'PUT /deployments/books/jwt-issuer',
    ],
    [
      'resource add books guide --uri docs://g --file FILE --replace',
      '/deployments/books/resources/guide',
      'PUT /deployments/books/resources/guide',
    ],
    [
      'prompt add books ask --file FILE --replace',
      '/deployments/books/prompts/ask',
      'PUT /deployments/books/prompts/ask',
    ],
  ];
  const words = (args: string) => args.replace('FILE', file).split(' ');

  test.each(changes)('is made to what is there: hosted-mcp %s', async (args, looksAt, change) => {
    const { sent, code } = await running(words(args), tagged);

    expect(sent).toMatchObject([{ what: `GET ${looksAt}` }, { what: change, ifMatch: '"7"' }]);
    expect(code).toBe(0);
  });

  test.each(changes)('overwrites nobody else’s: hosted-mcp %s', async (args) => {
    const said = await running(words(args), tagged, problem(412, 'stale'));

    expect(said.code).toBe(1);
    expect(said.errors).toContain('hosted-mcp: No.\nIt was changed from somewhere else');
    expect(said.sent).toHaveLength(2);
  });

  test('to a version that there is not ends as not found', async () => {
    const findings = [{ where: '/version', what: 'no such version', hint: 'Choose one.' }];
    const refusal = () =>
      Response.json({ code: 'invalid_request', detail: 'No.', findings }, { status: 400 });
    const said = await running(['rollback', 'books', '99'], tagged, refusal);

    expect(said.code).toBe(4);
    expect(said.errors).toBe(
      'hosted-mcp: books has no version 99.\n' +
        'npx --no-install hosted-mcp versions books lists those that it can return to.\n',
    );
  });

  test('to a version that is refused for another reason ends as refused', async () => {
    const findings = [{ where: '/credential', what: 'is gone', hint: '' }];
    const refusal = () =>
      Response.json({ code: 'invalid_request', detail: 'No.', findings }, { status: 400 });
    const said = await running(['rollback', 'books', '2'], tagged, refusal);

    expect(said.code).toBe(1);
    expect(said.errors).toContain('is gone');
  });

  test('of something missing is reported before anything is sent', async () => {
    const said = await running(['set', 'books', '--name', 'B'], problem(404, 'not_found'));

    expect(said).toMatchObject({ code: 4, sent: [{}] });
  });
});

describe('a deployment that is made', () => {
  const made: Answer = () => new Response('{"slug":"books"}', { status: 201 });
  const deploy = (...answers: readonly Answer[]) => running(['deploy', file], ...answers);

  test('is requested under a key of its own', async () => {
    const [first, second] = [(await deploy(made)).sent, (await deploy(made)).sent];

    expect(first[0]).toMatchObject({ what: 'POST /deployments', key: expect.any(String) });
    expect(second[0]?.key).not.toBe(first[0]?.key);
  });

  test('is requested once more, by the same request, where the connection was cut', async () => {
    const said = await deploy(cut, made);

    expect(said.code).toBe(0);
    expect(said.sent[1]).toEqual(said.sent[0]);
    expect(said.out).toContain('books');
  });

  test('is not requested a third time', async () => {
    const said = await deploy(cut, cut, made);

    expect(said.sent).toHaveLength(2);
    expect(said.code).toBe(5);
    expect(said.errors).toContain('the connection was cut');
  });

  test('is not requested again where the service refuses', async () => {
    const said = await deploy(problem(422, 'description_invalid'));

    expect(said.sent).toHaveLength(1);
  });

  test('may still come where the first try goes on, as the message says', async () => {
    const said = await deploy(cut, problem(409, 'idempotency_key_in_use', { 'retry-after': '2' }));

    expect(said.code).toBe(1);
    expect(said.errors).toContain('hosted-mcp ls shows what came of it');
  });

  test('is made once of the gallery, too', async () => {
    const said = await running(['gallery', 'deploy', 'nasa'], cut, made);

    expect(said.sent[1]).toEqual(said.sent[0]);
    expect(said.sent[0]).toMatchObject({
      what: 'POST /gallery/nasa/deployments',
      key: expect.any(String),
    });
  });
});

describe('two versions of a server', () => {
  test('are compared by their numbers', async () => {
    const answer = () =>
      Response.json({ added: ['b'], removed: ['a'], changed: [], breaking: true });
    const said = await running(['diff', 'books', '3', '5'], answer);

    expect(said.sent).toMatchObject([
      { what: 'GET /deployments/books/versions/5/difference?from=3' },
    ]);
    expect(said.out).toContain('Tools: 1 added, 1 removed, 0 changed.');
    expect(said.code).toBe(0);
  });

  test('are not compared with a file', async () => {
    const said = await running(['diff', 'books', file, '5']);

    expect(said.errors).toContain('diff SLUG 3 5');
    expect([said.sent, said.code]).toEqual([[], 2]);
  });
});
