import { writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { accountsIn } from '../../cli/accounts.ts';
import { settingsFile } from '../../cli/settings.ts';
import { aMachineFor, here, type Said, type TestMachine } from '../support/cli/command-line.ts';

const SERVICE = 'https://mcp.example.com/v1';
const NOON = 1_800_000_000;
const TOKEN = 'eyJhbGciOiJFUzI1NiJ9.e30.sig';

let machine: TestMachine;
beforeEach(async () => {
  machine = await aMachineFor(SERVICE);
});
afterEach(() => machine.remove());

interface Sent {
  readonly method: string;
  readonly url: string;
  readonly authorization: string | null;
  readonly ifMatch: string | null;
  readonly body: unknown;
}

const signedIn = async (): Promise<void> => {
  const file = settingsFile({
    environment: { HOSTED_MCP_CONFIG: machine.configFile },
    home: machine.folder,
  });
  const session = { token: TOKEN, email: 'ada@example.com', expiresAt: NOON + 1 };
  await accountsIn(file, { now: () => NOON }).keep(SERVICE, session);
};

/**
 * Runs a command as somebody who is signed in; the service answers what is given, one after the other. Requests
 * that are sent at once come in no order: their answers read the request.
 */
const running = async (
  args: readonly string[],
  ...answers: readonly ((request: Sent) => Response)[]
): Promise<Said & { readonly sent: readonly Sent[] }> => {
  await signedIn();
  const sent: Sent[] = [];
  const said = await machine.run(args, {
    now: NOON,
    fetch: async (url, { method = '', headers, body }) => {
      const request = {
        method,
        url,
        authorization: new Headers(headers).get('authorization'),
        ifMatch: new Headers(headers).get('if-match'),
        body: typeof body === 'string' ? JSON.parse(body) : body,
      };
      return answers[sent.push(request) - 1]?.(request) ?? new Response('{}');
    },
  });
  return { ...said, sent };
};

const problem =
  (status: number, body: object, headers: Record<string, string> = {}) =>
  (): Response =>
    new Response(JSON.stringify({ status, title: 'Title', ...body }), { status, headers });

const json = (body: unknown) => (): Response => new Response(JSON.stringify(body));

/** The server that is looked at before a tool of it is called. */
const server = (): Response => Response.json({ version: 3 }, { headers: { etag: '"9"' } });

describe('a refusal of the service', () => {
  test.each([
    [422, 'invalid_request', 1],
    [409, 'slug_taken', 1],
    [412, 'precondition_failed', 1],
    [429, 'rate_limited', 1],
    [401, 'invalid_session', 3],
    [404, 'not_found', 4],
    [500, 'internal_error', 1],
  ])('of status %s, %s, ends with %s', async (status, code, exitCode) => {
    const said = await running(['show', 'books'], problem(status, { code, detail: 'No.' }));

    expect(said.code).toBe(exitCode);
    expect(said.errors).toMatch(/^hosted-mcp: No\.\n/);
    expect(said.out).toBe('');
  });

  test('of a name without a server says which may be meant, by the command line alone', async () => {
    const detail = 'There is no deployment of this name.';
    const servers = () => Response.json({ items: [{ slug: 'books' }, { slug: 'weather' }] });
    const refused = problem(404, { code: 'not_found', detail });
    const hintOf = async (...args: string[]) =>
      (await running(args, refused, servers)).errors.split('\n')[1];

    const all = 'npx --no-install hosted-mcp ls shows your servers.';
    expect(await hintOf('show', 'bookz')).toBe(`Did you mean books? ${all}`);
    expect(await hintOf('pause', 'boks')).toBe(`Did you mean books? ${all}`);
    expect(await hintOf('show', 'quite-another')).toBe(all);
    expect(await hintOf('trust', 'rm', 'bookz')).toBe('');
  });

  test('of the token of a mail names the command that mails another one', async () => {
    const refused = problem(400, { code: 'invalid_token', detail: 'The link has expired.' });
    const said = async (line: string) => {
      await signedIn();
      return machine.run([...line.split(' '), ' token\r', '--password-stdin'], {
        input: 'kestrel-on-a-wire',
        fetch: async (_, { body }) =>
          JSON.parse(String(body)).token === 'token' ? refused() : new Response('{}'),
      });
    };

    expect((await said('password set')).errors).toContain('hosted-mcp password reset EMAIL mails');
    expect((await said('verify')).errors).toContain('hosted-mcp resend EMAIL mails');
  });

  test('of all that a description has is the only thing that check says, and is said once', async () => {
    const finding = { where: '/servers', what: 'no absolute address', hint: 'Name one.' };
    const problems = [{ code: 'no_server', detail: 'No server.', findings: [finding] }];
    const warnings = [finding, { where: '/info/version', what: 'is a number', hint: '' }];
    const said = await running(['check', 'https://a.example/openapi.json'], () =>
      Response.json({ tools: [], problems, warnings }),
    );

    expect(said.out).toBe(
      'It cannot be published:\n  No server.\n  at /servers: no absolute address. Name one.\n',
    );
    expect(said.errors).toBe('1 warning:\n  at /info/version: is a number.\n');
  });

  test('prints each finding: where, what and what to do', async () => {
    const findings = [
      { where: '/paths/~1x/get', what: 'two answers of one status', hint: 'Keep one.' },
      { where: '', what: 'no server', hint: 'Name it with --api-base.' },
    ];
    const detail = 'The description cannot be used.';
    const said = await running(
      ['show', 'books'],
      problem(422, { code: 'description_invalid', detail, findings }),
    );

    expect(said.errors).toBe(
      'hosted-mcp: The description cannot be used.\n' +
        '  at /paths/~1x/get: two answers of one status. Keep one.\n' +
        '  no server. Name it with --api-base.\n',
    );
  });

  test('names the limit, and when to try again', async () => {
    const said = await running(
      ['gallery', 'deploy', 'weather'],
      problem(
        429,
        { code: 'rate_limited', detail: 'Too many.', limit: 'gallery_per_hour' },
        { 'retry-after': '1800' },
      ),
    );

    expect(said.errors).toBe(
      'hosted-mcp: Too many. (limit gallery_per_hour)\nTry again in 30 min.\n',
    );
  });

  test('is one JSON document with --json', async () => {
    const said = await running(
      ['show', 'books', '--json'],
      problem(404, { code: 'not_found', detail: 'There is nothing.' }),
    );

    expect(said.json()).toEqual({
      error: { code: 'not_found', message: 'There is nothing.', status: 404, findings: [] },
    });
    expect(said.errors).toBe('');
    expect(said.code).toBe(4);
  });

  test('commands no terminal', async () => {
    const findings = [{ where: '\u001b[1m', what: '\u0007', hint: '\u009b' }];
    const said = await running(
      ['show', 'books'],
      problem(422, { code: 'x', detail: '\u001b]0;owned\u0007', findings }),
    );

    expect(said.errors.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  });
});

describe('an answer that is not of the service', () => {
  test('since the gateway takes no more bytes, does not put the address in doubt', async () => {
    const tooLong = () => new Response('{"message":"Request Too Long"}', { status: 413 });
    const said = await running(['show', 'books'], tooLong);

    expect(said.code).toBe(1);
    expect(said.errors).toContain('more than the service takes at once (HTTP 413).\nLeave out');
  });

  test.each<[string, () => Response]>([
    ['a page', () => new Response('<h1>Hello</h1>')],
    ['a list', json([])],
    ['a page that is not there', () => new Response('<h1>404</h1>', { status: 404 })],
    ['another problem', () => new Response('{"message":"Not Found"}', { status: 404 })],
    [
      'a redirect',
      () => new Response(null, { status: 302, headers: { location: 'https://login.example' } }),
    ],
  ])('is not taken for one: %s', async (_, answer) => {
    const said = await running(['ls'], answer);

    expect(said.code).toBe(5);
    expect(said.errors).toContain('give the right one with --url');
  });

  test('is distinguished from a service that has problems', async () => {
    const said = await running(['ls'], () => new Response('Bad Gateway', { status: 502 }));

    expect(said.code).toBe(1);
    expect(said.errors).toContain('has a problem of its own (HTTP 502)');
  });
});

describe('a service that cannot be reached', () => {
  test.each([
    ['ECONNREFUSED', 'nothing listens there'],
    ['ENOTFOUND', 'the name is not known'],
    ['CERT_HAS_EXPIRED', 'its certificate has expired'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'its certificate is for another name'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'does not speak this protocol'],
    ['EWHATEVER', 'EWHATEVER'],
  ])('ends with 5 and the reason: %s', async (code, words) => {
    const said = await running(['ls'], () => {
      throw new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code }) });
    });

    expect(said.code).toBe(5);
    expect(said.errors).toContain(`https://mcp.example.com: `);
    expect(said.errors).toContain(words);
  });

  test('or does not answer in time', async () => {
    const said = await running(['ls'], () => {
      throw new DOMException('x', 'TimeoutError');
    });

    expect(said.errors).toContain('no answer within 120 s');
  });
});

describe('with --json a removal', () => {
  const items = json({ items: [] });
  test.each([
    ['trust rm t1', 't1', []],
    ['personal-token rm p1', 'p1', [items]],
    ['token rm books t1', 't1', [items]],
    ['grants rm books g1', 'g1', [items]],
    ['resource rm books guide', 'guide', []],
    ['prompt rm books ask', 'ask', []],
    ['credential rm books', 'main', []],
    ['credential rm books --credential second', 'second', []],
    ['issuer rm books', true, []],
  ])('of %s says what is removed: %s', async (line, removed, answers) => {
    const said = await running([...line.split(' '), '--json'], ...answers);
    const path = removed === true ? 'jwt-issuer' : removed;

    expect(said.sent.at(-1)).toMatchObject({
      method: 'DELETE',
      url: expect.stringMatching(new RegExp(`/${path}$`)),
    });
    expect(said.json()).toEqual({ removed });
  });

  test('leaves out what has the id, but is not of the client', async () => {
    const grant = { id: 'g1', email: 'a@b.example', client_name: 'Some chat' };
    const args = ['grants', 'rm', 'books', 'g1', '--client', 'Some editor'];
    const said = await running(args, json({ items: [grant] }));

    expect(said.code).toBe(4);
    expect(said.sent.map(({ method }) => method)).toEqual(['GET']);
  });
});

describe('a session', () => {
  test('goes with each request', async () => {
    const { sent } = await running(['show', 'my books'], json({ slug: 'my books' }));

    expect(sent).toEqual([
      {
        ifMatch: null,
        method: 'GET',
        url: `${SERVICE}/mcp-management/deployments/my%20books`,
        authorization: `Bearer ${TOKEN}`,
        body: undefined,
      },
    ]);
  });

  test('is not required to read the gallery', async () => {
    const { sent } = await running(['gallery'], json({ items: [] }));

    expect(sent[0]?.authorization).toBeNull();
  });

  test('that has ended is reported before anything is sent', async () => {
    const said = await machine.run(['ls', '--url', SERVICE], {
      fetch: () => {
        throw new Error('nothing is to be sent');
      },
    });

    expect(said.code).toBe(3);
    expect(said.errors).toBe(
      `hosted-mcp: You are not signed in at ${SERVICE}.\nSign in: npx --no-install hosted-mcp login --url ${SERVICE}. In CI set HOSTED_MCP_TOKEN or HOSTED_MCP_TRUST.\n`,
    );
  });

  test('is forgotten at logout, also where it is over already', async () => {
    const over = problem(401, { code: 'invalid_session', detail: 'Over.' });
    const said = await running(['logout'], over);
    const again = await machine.run(['logout'], { now: NOON });

    expect(said).toMatchObject({ code: 0, out: `Signed out at ${SERVICE}.\n` });
    expect(again).toMatchObject({ code: 0, out: `You were not signed in at ${SERVICE}.\n` });
  });

  test('is forgotten at logout even if the service cannot be reached, which is reported', async () => {
    const said = await running(['logout'], () => {
      throw new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } });
    });

    expect(said.code).toBe(5);
    expect((await machine.run(['ls'], { now: NOON })).code).toBe(3);
  });
});

describe('a list', () => {
  test('is read to its last page', async () => {
    const said = await running(
      ['ls', '--json'],
      json({ items: [{ slug: 'one' }], next_cursor: 'a b' }),
      json({ items: [{ slug: 'two' }] }),
    );

    expect(said.json()).toEqual({ items: [{ slug: 'one' }, { slug: 'two' }] });
    expect(said.sent.map(({ url }) => url)).toEqual([
      `${SERVICE}/mcp-management/deployments`,
      `${SERVICE}/mcp-management/deployments?cursor=a+b`,
    ]);
  });

  test('that is empty says what to do, and prints nothing', async () => {
    const said = await running(['ls'], json({ items: [] }));

    expect(said.out).toBe('');
    expect(said.errors).toContain('hosted-mcp deploy FILE_OR_URL makes one');
  });
});

describe('a secret', () => {
  test('comes from standard input, without the end of its line', async () => {
    const sent: unknown[] = [];
    await machine.run(['login', 'ada@example.com', '--password-stdin'], {
      input: 'with spaces  \r\n',
      fetch: async (_, { body }) => {
        sent.push(JSON.parse(String(body)));
        return new Response('{"access_token":"t","expires_in":3600}');
      },
    });

    expect(sent).toEqual([{ email: 'ada@example.com', password: 'with spaces  ' }]);
  });

  test('is typed without being shown', async () => {
    const sent: unknown[] = [];
    const said = await machine.run(['verify', 'token-of-the-mail'], {
      typed: ['kestrel umbrella', 'kestrel umbrella'],
      fetch: async (_, { body }) => {
        sent.push(JSON.parse(String(body)));
        return new Response('{}');
      },
    });

    expect(sent).toEqual([{ token: 'token-of-the-mail', password: 'kestrel umbrella' }]);
    expect(said.errors).toContain('Password again: ');
    expect(said.out + said.errors).not.toContain('kestrel');
    expect(said.code).toBe(0);
  });

  test.each([
    ['typed twice and not the same', ['one secret', 'another'], 'The two entries differ.'],
    ['nothing', [''], 'Nothing was typed.'],
  ])('is refused: %s', async (_, typed, why) => {
    const said = await machine.run(['verify', 'token'], { typed });

    expect(said.code).toBe(2);
    expect(said.errors).toContain(why);
  });

  test('that is missing on standard input is reported', async () => {
    const said = await machine.run(['login', 'a@b.c', '--password-stdin'], { input: '\n' });

    expect(said).toMatchObject({ code: 2, errors: 'hosted-mcp: Standard input is empty.\n' });
  });
});

describe('a person who is asked', () => {
  test('can say no to a removal', async () => {
    await signedIn();
    const methods: (string | undefined)[] = [];
    const said = await machine.run(['rm', 'books'], {
      now: NOON,
      typed: ['boks'],
      fetch: async (_, { method }) => {
        methods.push(method);
        return server();
      },
    });

    expect(said.code).toBe(2);
    expect(said.errors).toContain('Nothing was removed.');
    expect(methods).toEqual(['GET']);
  });

  test.each([
    ['names one', 'y', ['https://api.example', 'https://uploads.example']],
    ['names none', '', undefined],
  ])('about other hosts for a credential %s', async (_, answer, origins) => {
    await signedIn();
    const sent: unknown[] = [];
    const said = await machine.run('credential set books --type bearer'.split(' '), {
      now: NOON,
      typed: ['sesame-0123456789', answer, 'n'],
      fetch: async (url, { method, body }) => {
        if (method === 'PUT') sent.push(JSON.parse(String(body)));
        return url.endsWith('/origins')
          ? Response.json({
              origins: ['https://api.example'],
              other_origins: ['https://uploads.example', 'https://ads.example'],
            })
          : Response.json({ origins: [], warnings: [] }, { headers: { etag: '"1"' } });
      },
    });

    expect(said.errors).toContain('The description names https://ads.example as well.');
    expect(sent).toEqual([
      { type: 'bearer', token: 'sesame-0123456789', ...(origins && { origins }) },
    ]);
  });
});

describe('arguments of a call', () => {
  test('come from file, text and JSON, the single ones winning', async () => {
    const file = `${machine.folder}/arguments.json`;
    await writeFile(file, '{"genre":"poetry","limit":1,"__proto__":"x"}');
    const { sent } = await running(
      [...'call books listBooks --arg genre=a=b --arg-json limit=[2] --args-file'.split(' '), file],
      server,
      json({ result: { content: [{ type: 'text', text: 'fine' }] }, request: {} }),
    );

    expect(sent[1]?.body).toEqual({
      arguments: { genre: 'a=b', limit: [2], ['__proto__']: 'x' },
    });
  });

  test('are refused if the file holds none', async () => {
    const file = `${machine.folder}/arguments.json`;
    await writeFile(file, '[1]');
    const said = await running(['call', 'books', 'listBooks', '--args-file', file]);

    expect(said).toMatchObject({ code: 2, sent: [] });
  });
});

describe('the answer of a tool', () => {
  const result = (content: unknown, isError = false) =>
    json({
      result: { content, isError },
      request: { method: 'GET', url: 'https://api.example/x' },
    });

  test('is printed alone, and the request beside it', async () => {
    const said = await running(
      ['call', 'books', 't'],
      server,
      result([{ type: 'text', text: '{\n\t"a": "\u001b"\n}' }]),
    );

    expect(said.out).toBe('{\n\t"a": "\ufffd"\n}\n');
    expect(said.errors).toBe('GET https://api.example/x\n');
    expect(said.code).toBe(0);
  });

  test('ends with 1 if it is an error', async () => {
    const said = await running(
      ['call', 'books', 't'],
      server,
      result([{ type: 'text', text: '404' }], true),
    );

    expect(said.code).toBe(1);
  });

  test('that did not come ends with 1 and the reason', async () => {
    const error = { code: 'server_error', message: 'The target API refused the connection.' };
    const request = { method: 'GET', url: 'https://api.example/x' };
    const said = await running(['call', 'books', 't'], server, json({ error, request }));

    expect(said).toMatchObject({
      code: 1,
      out: '',
      errors: 'GET https://api.example/x\nThe target API refused the connection.\n',
    });
  });

  test('that is no text is reported', async () => {
    const image = { type: 'image', mimeType: 'image/png', data: 'AAAA' };
    const said = await running(['call', 'books', 't'], server, result([image]));

    expect(said.out).toBe('[image image/png, 3 bytes: --json prints them]\n');
  });
});

describe('activity', () => {
  test('is listed by event, and by tool and day', async () => {
    const said = await running(
      ['logs', 'books', '--since', '2h', '--type', 'security'],
      json({
        items: [
          { type: 'security', at: '2027-01-15T07:59:00Z', event: 'token_refused', ip: '192.0.2.7' },
          {
            type: 'tool_invocations',
            day: '2027-01-15',
            tool: 'listBooks',
            calls: 12,
            errors: 1,
            latency_ms: { count: 10, sum: 404, max: 210 },
          },
        ],
      }),
    );

    expect(said.sent[0]?.url).toBe(
      `${SERVICE}/mcp-management/deployments/books/activity?type=security&since=2027-01-15T06%3A00%3A00.000Z`,
    );
    expect(said.out).toBe(
      'TIME                 TYPE              WHAT\n' +
        `${here('2027-01-15T07:59:00Z')}  security          event=token_refused ip=192.0.2.7\n` +
        '2027-01-15           tool_invocations  listBooks: 12 calls, 1 error, 40 ms on average, 210 ms at most\n',
    );
  });

  test('of the account is requested where no deployment is named', async () => {
    const at = '2027-01-15T07:59:00Z';
    const said = await running(
      ['logs'],
      json({ items: [{ type: 'security', at, event: 'login_failed', subject: '192.0.2.7' }] }),
    );

    expect(said.sent[0]?.url).toBe(`${SERVICE}/mcp-management/account/activity`);
    expect(said.out).toContain('event=login_failed subject=192.0.2.7');
  });

  test('is read no further than requested, and says so', async () => {
    const event = { type: 'security', at: '2027-01-15T07:59:00Z' };
    const page = json({ items: [event, event], next_cursor: 'more' });
    const said = await running(['logs', 'books', '--limit', '3', '--json'], page, page);
    const shown = await running(['logs', 'books', '--limit', '2'], page);

    expect(said.json()['items']).toHaveLength(3);
    expect(said.sent).toHaveLength(2);
    expect(shown.errors).toBe('There may be more: raise --limit.\n');
  });
});

describe('what is ready in the gallery', () => {
  test('says which credential it wants', async () => {
    const help = 'Get a key at https://example.com/keys.';
    const said = await running(
      ['gallery', 'deploy', 'weather', '--slug', 'rain'],
      json({ slug: 'rain', gallery: { credential_help: help } }),
    );

    expect(said.sent[0]?.body).toEqual({ slug: 'rain' });
    expect(said.errors).toContain(`Credential: ${help}\n`);
  });
});

describe('minted tokens', () => {
  test.each([
    [{ revoked: true, expires_at: '2027-01-15T09:00:00Z' }, 'revoked'],
    [{ revoked: false, expires_at: '2027-01-15T08:00:00Z' }, 'expired'],
    [{ revoked: false, expires_at: '2027-01-15T08:00:01Z' }, 'active'],
  ])('%j are %s', async (token, state) => {
    const said = await running(['token', 'ls', 'books'], json({ items: [{ jti: 'j', ...token }] }));

    expect(said.out).toMatch(new RegExp(` ${state}\n$`));
  });
});

describe('calls with their content', () => {
  const aCall = {
    id: '1768464000.0.cjE',
    at: '2027-01-15T07:59:00Z',
    tool: 'listBooks',
    outcome: 'ok',
    status: 200,
    subject: 'user-1',
    email: 'ada@example.com',
    arguments: { query: 'dune', key: '[masked]' },
    answer: '[\u001b[31m1]',
    answer_left_out_bytes: 12,
  };

  test('are listed with what was sent and answered, safe to show', async () => {
    const args = ['logs', 'books', '--calls', '--content', '--search', 'dune'];
    const said = await running(args, json({ items: [aCall] }));

    expect(said.sent[0]?.url).toBe(
      `${SERVICE}/mcp-management/deployments/books/recorded-calls?search=dune`,
    );
    expect(said.out).toContain('sent: {"query":"dune","key":"[masked]"}\n');
    expect(said.out).toContain('got: [\uFFFD[31m1] … (12 bytes more)\n');
    expect(said.out).toContain(aCall.id);
  });

  test('are printed as JSON lines', async () => {
    const args = ['logs', 'books', '--calls', '--content', '--lines'];
    const said = await running(args, json({ items: [aCall, aCall] }));
    const lines = said.out.trimEnd().split('\n');
    expect(lines).toHaveLength(2);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ id: aCall.id, tool: 'listBooks' });
  });

  test('tell how they are switched on where nothing is recorded', async () => {
    const args = ['logs', 'books', '--calls', '--content'];
    const said = await running(args, json({ items: [] }), json({ on: false }));
    expect(said.errors).toContain('recording books --days 7');
  });

  test.each([
    [['logs', 'books', '--calls', '--search', 'x'], 'need --content'],
    [['logs', 'books', '--content'], '--content needs --calls'],
    [['logs', 'books', '--calls', '--content', '--follow'], 'excludes --follow'],
    [['recording', 'books', '--days', 'x'], '1 to 30'],
    [['recording', 'books', '--days', '3', '--off'], 'exclude each other'],
    [['recording', 'books', '--tool', 'x'], 'need --days'],
    [['replay', 'books', 'id', '--version', 'x'], 'must be a whole number'],
  ])('refuse %j', async (args, words) => {
    const said = await running(args);
    expect(said.code).toBe(2);
    expect(said.errors).toContain(words);
    expect(said.sent).toEqual([]);
  });

  test('are switched on for some days, of one tool and one person', async () => {
    const args = ['recording', 'books', '--days', '7', '--tool', 'listBooks', '--by', 'a@b.c'];
    const answer = {
      on: true,
      since: '2027-01-15T08:00:00Z',
      until: '2027-01-22T08:00:00Z',
      tool: 'listBooks',
      subject: 'a@b.c',
    };
    const said = await running(args, json(answer));
    expect(said.sent).toMatchObject([
      { method: 'PUT', body: { days: 7, tool: 'listBooks', subject: 'a@b.c' } },
    ]);
    expect(said.out).toContain('a@b.c');
  });

  test('are switched off, and removed', async () => {
    const off = await running(['recording', 'books', '--off'], json({}), json({ on: false }));
    expect(off.sent.map(({ method, url }) => [method, url.split('/').at(-1)])).toEqual([
      ['DELETE', 'recording'],
      ['GET', 'recording'],
    ]);
    expect(off.out).toContain('not recorded');
    const gone = await running(['recording', 'books', '--remove'], json({}), json({ on: false }));
    expect(gone.sent[0]).toMatchObject({
      method: 'DELETE',
      url: expect.stringMatching(/recorded-calls$/),
    });
  });

  const trial = json({
    result: { content: [{ type: 'text', text: 'yes' }] },
    answer: { status: 200 },
  });
  const whole = { ...aCall, arguments: { query: 'dune' } };

  test('are replayed as trials, of another version too', async () => {
    const args = ['replay', 'books', aCall.id, '--version', '2'];
    const said = await running(args, json(whole), server, trial);
    expect(said.sent[2]).toMatchObject({
      method: 'POST',
      url: `${SERVICE}/mcp-management/deployments/books/tools/listBooks/test`,
      ifMatch: '"9"',
      body: { arguments: { query: 'dune' }, version: 2 },
    });
    expect(said.out).toBe('yes\n');
    expect(said.errors).toContain('Then: ok. Now: status 200.');
  });

  const tool = (method: string, path = '/books') =>
    json({ items: [{ name: 'listBooks', method, path, server_url: 'https://a.example' }] });
  /** Repeats a call of version 1 while version 3 is served; the tools of both are asked for at once. */
  const replayed = (was: () => Response, is: () => Response) => {
    const tools = ({ url }: Sent): Response => (url.endsWith('version=1') ? was() : is());
    const recorded = json({ ...whole, version: 1 });
    return running(['replay', 'books', aCall.id], recorded, server, tools, tools, trial);
  };

  test('are replayed to the served version where the tool sends the same', async () => {
    const said = await replayed(tool('get'), tool('get'));
    expect(said).toMatchObject({ code: 0, out: 'yes\n' });
    const versions = said.sent.slice(2, 4).map(({ url }) => url.split('?')[1]);
    expect(new Set(versions)).toEqual(new Set(['version=1', 'version=3']));
  });

  test.each<[string, () => Response, RegExp]>([
    ['deletes now', tool('get'), /is DELETE https:\/\/a\.example\/books by now, and was GET /],
    [
      'is of a version that is not kept',
      problem(404, { code: 'not_found', detail: 'No.' }),
      /was what version 1 had, which is not kept any more/,
    ],
  ])('are not where it %s, unless that version is named', async (_, was, why) => {
    const said = await replayed(was, tool('delete'));
    expect(said.code).toBe(1);
    expect(said.sent.map(({ method }) => method)).toEqual(['GET', 'GET', 'GET', 'GET']);
    expect(said.errors).toMatch(why);
    expect(said.errors).toContain(
      `npx --no-install hosted-mcp replay books ${aCall.id} --version 3`,
    );
  });

  test('are not replayed with a mask in the place of a secret, unless that is given', async () => {
    const refused = await running(['replay', 'books', aCall.id], json(aCall));
    expect(refused.code).toBe(1);
    expect(refused.sent).toHaveLength(1);
    expect(refused.errors).toContain('masked');
    const args = ['replay', 'books', aCall.id, '--arguments', '{"key":"k"}'];
    const said = await running(args, json({ ...aCall, version: 3 }), server, trial);
    expect(said.sent[2]?.body).toEqual({ arguments: { query: 'dune', key: 'k' } });
  });
});

describe('the problems of a deployment', () => {
  const aProblem = {
    tool: 'listBooks',
    cause: 'wrong_argument',
    argument: 'limit',
    keyword: 'type',
    sent: 'object',
    calls: 14,
    callers: 2,
    last_at: '2027-01-15T07:59:00Z',
    what: 'limit is sent as an object',
    remedies: ['describe_tool', 'fix_argument', 'a_remedy_of_a_newer_service'],
  };
  const PAGE = { items: [aProblem], calls: 5000, complete: false, since: '2027-01-14T07:59:00Z' };

  test('are listed with the commands that mend them', async () => {
    const said = await running(['problems', 'books', '--since', '2h'], json(PAGE));

    expect(said.sent[0]?.url).toBe(
      `${SERVICE}/mcp-management/deployments/books/problems?since=2027-01-15T06%3A00%3A00.000Z`,
    );
    expect(said.out).toMatch(
      /^CALLS +TOOL +WHAT +LAST\n14 +listBooks +limit is sent as an object /,
    );
    expect(said.errors).toContain('hosted-mcp tool set books TOOL --description TEXT\n');
    expect(said.errors).toContain('hosted-mcp set books --overrides FILE: give the argument');
    expect(said.errors).toContain('Of the newest 5000 calls.');
    expect(said.errors).not.toContain('newer');
  });

  test('are one document with --json, and a word where there are none', async () => {
    const whole = await running(['problems', 'books', '--json'], json(PAGE));
    const none = await running(
      ['problems', 'books'],
      json({ items: [], calls: 3, complete: true }),
    );

    expect(JSON.parse(whole.out)).toEqual(PAGE);
    expect(none.errors).toBe('No problems in that time.\n');
  });
});

describe('the calls of a deployment', () => {
  const aCall = (over: object = {}) => ({
    at: '2027-01-15T07:59:00Z',
    tool: 'listBooks',
    version: 1,
    outcome: 'ok',
    status: 200,
    duration_ms: 40,
    subject: 'user-1',
    ip: '192.0.2.7',
    request_id: 'request-1',
    index: 0,
    ...over,
  });

  test('are listed one by one, with who made them', async () => {
    const named = aCall({ email: 'ada@example.com', client_id: 'mcp_1', answer_tokens: 512 });
    const refused = aCall({ outcome: 'refused', status: undefined, reason: 'invalid_params' });
    const said = await running(
      ['logs', 'books', '--calls', '--by', 'ada@example.com', '--since', '2h', '--outcome', 'ok'],
      json({ items: [named, refused] }),
    );

    expect(said.sent[0]?.url).toBe(
      `${SERVICE}/mcp-management/deployments/books/calls?subject=ada%40example.com&outcome=ok&since=2027-01-15T06%3A00%3A00.000Z`,
    );
    expect(said.out).toBe(
      'TIME                 CALL                                      BY\n' +
        `${here('2027-01-15T07:59:00Z')}  listBooks: ok 200, 40 ms, 512 tokens      ada@example.com by mcp_1 from 192.0.2.7\n` +
        `${here('2027-01-15T07:59:00Z')}  listBooks: refused invalid_params, 40 ms  user-1 from 192.0.2.7\n`,
    );
  });

  test('name the client as it calls itself, though its access is gone', async () => {
    const named = aCall({ client_id: 'mcp_1', client_name: 'Claude Code', grant_id: 'grant-1' });

    const said = await running(['logs', 'books', '--calls'], json({ items: [named] }));

    expect(said.out).toContain('user-1 by Claude Code from 192.0.2.7');
    expect(said.out).not.toContain('mcp_1');
  });

  test('are followed: each is shown once, the oldest first', async () => {
    const [first, second] = [aCall(), aCall({ at: '2027-01-15T08:00:09Z', index: 1 })];
    const said = await running(
      ['logs', 'books', '--calls', '--follow'],
      json({ items: [first] }),
      json({ items: [second, first] }),
      problem(404, { code: 'not_found' }),
    );

    expect(said.out).toBe(
      `${here('2027-01-15T07:59:00Z')}  listBooks: ok 200, 40 ms  user-1 from 192.0.2.7\n` +
        `${here('2027-01-15T08:00:09Z')}  listBooks: ok 200, 40 ms  user-1 from 192.0.2.7\n`,
    );
    expect(said.sent.map(({ url }) => new URL(url).searchParams.get('since'))).toEqual([
      '2027-01-15T08:00:00.000Z',
      '2027-01-15T08:00:00.000Z',
      '2027-01-15T08:00:00.000Z',
    ]);
  });

  test.each([
    [
      { faults: [{ argument: 'limit', keyword: 'type', sent: 'object' }] },
      '(limit: type, sent as object)',
    ],
    [
      { faults: [{ argument: 'id', keyword: 'path' }, { keyword: 'unknown' }] },
      '(lacks id; the arguments: unknown)',
    ],
    [{ outcome: 'ok', words: ['invoice', 'pdf'] }, 'listBooks: ok for "invoice pdf"'],
  ])('say why, as %j', async (over, text) => {
    const refused = aCall({ outcome: 'refused', status: undefined, ...over });
    const said = await running(['logs', 'books', '--calls'], json({ items: [refused] }));

    expect(said.out).toContain(text);
  });

  test.each([
    [['logs', 'books', '--by', 'ada'], '--by needs --calls'],
    [['logs', '--calls'], '--calls needs the name of a server'],
    [['logs', 'books', '--calls', '--type', 'security'], '--type does not apply to calls'],
    [['logs', 'books', '--calls', '--follow', '--json'], '--follow never ends'],
  ])('are not asked for by %j', async (args, why) => {
    const said = await running(args);

    expect(`${said.out}${said.errors}`).toContain(why);
    expect(said.sent).toEqual([]);
  });
});

describe('the description of a deployment', () => {
  test('is written byte by byte', async () => {
    const said = await running(
      ['openapi', 'books', '--version', '2'],
      () => new Response('a: 1\n'),
    );

    expect(said.sent[0]?.url).toBe(
      `${SERVICE}/mcp-management/deployments/books/versions/2/openapi`,
    );
    expect(said.out).toBe('a: 1\n');
  });

  test('is a server.json for registries, which commands no terminal', async () => {
    const document = { name: 'com.acme/books', title: 'a\u009b31m' };
    const args = ['server-json', 'books', '--name', 'com.acme/books'];
    const said = await running(args, json(document));

    expect(said.sent[0]?.url).toBe(
      `${SERVICE}/mcp-management/deployments/books/server.json?name=com.acme%2Fbooks`,
    );
    expect(said.out).not.toContain('\u009b');
    expect(JSON.parse(said.out)).toEqual(document);
  });

  test('is one JSON document where JSON is requested', async () => {
    const said = await running(['openapi', 'books', '--json'], () => new Response('a: 1\n'));

    expect(said.json()).toEqual({ openapi: 'a: 1\n' });
  });
});
