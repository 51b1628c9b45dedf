import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import type { Step } from '../../cli/doctor/step.ts';
import { aMachineFor } from '../support/cli/command-line.ts';
import {
  type Answers,
  anExaminedServer,
  AT,
  type Mode,
  type ExaminedServer,
  STREAM,
  TOKEN,
} from '../support/service/examined-server.ts';

let patient: ExaminedServer;
const machine = await aMachineFor();
afterAll(() => machine.remove());
afterEach(() => patient.close());

interface Report {
  readonly code: number;
  readonly ok: boolean;
  readonly steps: readonly Step[];
  /** The names of the steps with this outcome. */
  named(outcome: Step['outcome']): readonly string[];
}

/** Lets the doctor see a deployment, on its best day but for some answers. */
const seen = async (
  mode: Mode,
  change?: (origin: string, right: Answers) => Answers,
  options: readonly string[] = [],
): Promise<Report> => {
  patient = await anExaminedServer(mode, change);
  const withToken = options.includes('--token-stdin') ? { input: `${TOKEN}\n` } : {};
  const said = await machine.run(['doctor', patient.url, '--json', ...options], withToken);
  const { ok, steps } = said.json() as { ok: boolean; steps: readonly Step[] };
  return {
    code: said.code,
    ok,
    steps,
    named: (outcome) => steps.filter((step) => step.outcome === outcome).map(({ step }) => step),
  };
};

const SESSION = [
  'initialize',
  'notification',
  'ping',
  'tools/list',
  'stream',
  'server/discover in 2026-07-28',
  'tools/list in 2026-07-28',
];

describe('the doctor, at a deployment that is well', () => {
  test.each<[Mode, readonly string[], readonly string[]]>([
    ['none', [], []],
    ['oauth', [], SESSION],
    ['oauth', ['--token-stdin'], []],
    ['oauth', ['--token-stdin', '--register'], []],
    ['jwt', [], SESSION],
    ['jwt', ['--token-stdin'], []],
  ])('finds nothing: mode %s %j', async (mode, options, unseen) => {
    const registered = { status: 201, body: { client_id: 'mcp_1' } };
    const report = await seen(
      mode,
      () => (options.includes('--register') ? { [AT.register]: registered } : {}),
      options,
    );

    expect(report.named('failed')).toEqual([]);
    expect(report.named('warning')).toEqual([]);
    expect(report.named('skipped')).toEqual(unseen);
    expect(report).toMatchObject({ ok: true, code: 0 });
  });

  test('makes no client, and asks in every form', async () => {
    await seen('oauth');

    expect(patient.asked.filter((path) => path === AT.authorize)).toEqual([]);
    expect(Object.values(AT).filter((path) => !patient.asked.includes(path))).toEqual([
      AT.authorize,
    ]);
  });

  test('shows the token to the messages endpoint only', async () => {
    await seen('oauth', undefined, ['--token-stdin']);

    expect(patient.authorizations).toEqual(Array(7).fill(`Bearer ${TOKEN}`));
  });

  test('says which version each client will speak', async () => {
    const { steps } = await seen('none');

    expect(steps.at(-1)).toMatchObject({
      step: 'versions',
      what: expect.stringMatching(
        /^MCP 2026-07-28: Claude Code.*; 2025-11-25: VS Code.*; 2025-06-18: Cursor.*; 2025-03-26: Gemini CLI$/,
      ),
    });
  });

  test('skips the version without a handshake where it is not served', async () => {
    const report = await seen('none', but(AT.discovery, { _meta: {} }));

    expect(report.named('skipped')).toEqual(SESSION.slice(-2));
    expect(report.steps.at(-1)?.what).toMatch(/^MCP 2025-03-26: Claude Code, /);
    expect(report.ok).toBe(true);
  });

  test('reads answers that come as a stream', async () => {
    const stream = { headers: { 'content-type': 'text/event-stream' } };
    const report = await seen('none', (_, right) => ({
      ping: { ...stream, body: `event: message\ndata: ${JSON.stringify(right['ping']?.body)}\n\n` },
    }));

    expect(report.ok).toBe(true);
  });
});

const HTML = { headers: { 'content-type': 'text/html' }, body: '<h1>Welcome</h1>' };
const gone = (key: string) => () => ({ [key]: { status: 404, body: {} } });
const html = (key: string) => () => ({ [key]: HTML });
const status = (key: string, code: number) => () => ({ [key]: { status: code, body: {} } });

/** The same answer with some members of its body changed. */
const but = (key: string, members: object) => (_: string, right: Answers) => ({
  [key]: { ...right[key], body: { ...(right[key]?.body as object), ...members } },
});

const challenge = (headers: Readonly<Record<string, string>>) => () => ({
  challenge: { status: 401, headers, body: {} },
});

/** One fault each: where the doctor sees it, and what it says. */
const FAULTS: readonly (readonly [
  Mode,
  step: string,
  what: string,
  change: (origin: string, right: Answers) => Answers,
])[] = [
  ['none', 'discovery', 'HTTP 500 instead of 200', status(AT.discovery, 500)],
  ['none', 'discovery', 'is no JSON', html(AT.discovery)],
  [
    'none',
    'discovery',
    'does not say how clients authenticate',
    but(AT.discovery, { authentication: {} }),
  ],
  [
    'none',
    'discovery',
    'names https://other.example instead of',
    but(AT.discovery, { endpoints: { messages: 'https://other.example' } }),
  ],
  [
    'none',
    'discovery',
    'a redirect to https://www.example.com/',
    () => ({ [AT.discovery]: { status: 301, headers: { location: 'https://www.example.com/' } } }),
  ],
  ['none', 'challenge', 'but asks for a token', status('initialize', 401)],
  ['none', 'challenge', 'too many requests', status('initialize', 429)],
  ['oauth', 'challenge', 'a request without a token is answered', status('challenge', 200)],
  ['oauth', 'challenge', 'HTTP 403 instead of 401', status('challenge', 403)],
  ['oauth', 'challenge', 'has no WWW-Authenticate header', challenge({})],
  [
    'oauth',
    'challenge',
    'and not for a Bearer token',
    challenge({ 'www-authenticate': 'Basic realm="x"' }),
  ],
  ['oauth', 'challenge', 'names no resource_metadata', challenge({ 'www-authenticate': 'Bearer' })],
  [
    'oauth',
    'challenge',
    'points at https://a.example/x instead of',
    challenge({ 'www-authenticate': 'Bearer resource_metadata="https://a.example/x"' }),
  ],
  [
    'jwt',
    'challenge',
    'though the server takes tokens of its owner only',
    challenge({ 'www-authenticate': 'Bearer resource_metadata="https://a.example/x"' }),
  ],
  ['oauth', 'resource metadata for /messages', 'HTTP 404', gone(AT.resourceMessages)],
  ['oauth', 'resource metadata for the base', 'is no JSON', html(AT.resourceBase)],
  ['oauth', 'resource metadata under the base', 'HTTP 502', status(AT.resourceUnder, 502)],
  [
    'oauth',
    'resource metadata for the base',
    'resource is missing',
    but(AT.resourceBase, { resource: 1 }),
  ],
  [
    'oauth',
    'resource metadata under the base',
    'names no authorization server',
    but(AT.resourceUnder, { authorization_servers: [] }),
  ],
  [
    'jwt',
    'resource metadata for the base',
    'though this server has no login',
    () => ({ [AT.resourceBase]: { body: {} } }),
  ],
  [
    'oauth',
    'server metadata oauth-authorization-server, inserted',
    'HTTP 404',
    gone(AT.serverInserted),
  ],
  [
    'oauth',
    'server metadata oauth-authorization-server, appended',
    'is no JSON',
    html(AT.serverAppended),
  ],
  [
    'oauth',
    'server metadata openid-configuration, inserted',
    'HTTP 503',
    status(AT.openidInserted, 503),
  ],
  ['oauth', 'server metadata openid-configuration, appended', 'HTTP 404', gone(AT.openidAppended)],
  ['oauth', 'server metadata by the resource', 'HTTP 404', gone(AT.serverByResource)],
  [
    'oauth',
    'server metadata by the base',
    'issuer is https://x.example',
    but(AT.serverByBase, { issuer: 'https://x.example' }),
  ],
  [
    'oauth',
    'server metadata oauth-authorization-server, inserted',
    'token_endpoint is http://mcp.example.com/token',
    but(AT.serverInserted, { token_endpoint: 'http://mcp.example.com/token' }),
  ],
  [
    'oauth',
    'server metadata oauth-authorization-server, inserted',
    'registration_endpoint is missing',
    but(AT.serverInserted, { registration_endpoint: undefined }),
  ],
  [
    'oauth',
    'server metadata oauth-authorization-server, inserted',
    'code_challenge_methods_supported lacks S256',
    but(AT.serverInserted, { code_challenge_methods_supported: ['plain'] }),
  ],
  ['oauth', 'signing keys', 'lists no key', but(AT.keys, { keys: [] })],
  ['oauth', 'registration', 'HTTP 404', gone(AT.register)],
  [
    'none',
    'ping',
    'refuses: Unknown method (-32601)',
    () => ({ ping: { body: { error: { code: -32601, message: 'Unknown method' } } } }),
  ],
  ['none', 'ping', 'no JSON-RPC answer to this request', but('ping', { id: 7 })],
  ['none', 'notification', 'HTTP 200 instead of 202', status('notifications/initialized', 200)],
  [
    'none',
    'notification',
    'answered with a body',
    () => ({ 'notifications/initialized': { status: 202, body: 'ok' } }),
  ],
  [
    'none',
    'tools/list',
    'nextCursor is null',
    but('tools/list', { result: { tools: [], nextCursor: null } }),
  ],
  ['none', 'tools/list', 'lacks tools', but('tools/list', { result: {} })],
  [
    'none',
    'tools/list',
    'the tool "a b" has',
    but('tools/list', { result: { tools: [{ name: 'a b', inputSchema: { type: 'object' } }] } }),
  ],
  [
    'none',
    'tools/list',
    'the tool "x" has',
    but('tools/list', { result: { tools: [{ name: 'x', inputSchema: {} }] } }),
  ],
  ['none', 'stream', 'HTTP 404 instead of 200 or 405', gone(STREAM)],
  ['none', 'stream', 'answers text/html instead of a stream', html(STREAM)],
  [
    'none',
    'stream',
    'without saying when to come back',
    () => ({ [STREAM]: { headers: { 'content-type': 'text/event-stream' }, body: 'data:\n\n' } }),
  ],
  [
    'none',
    'server/discover in 2026-07-28',
    'the server refuses: no header',
    but('server/discover in 2026-07-28', { error: { code: -32020, message: 'no header' } }),
  ],
  [
    'none',
    'server/discover in 2026-07-28',
    'does not name the version',
    but('server/discover in 2026-07-28', { result: { supportedVersions: [] } }),
  ],
  [
    'none',
    'server/discover in 2026-07-28',
    'HTTP 502 instead of 200',
    status('server/discover in 2026-07-28', 502),
  ],
  [
    'none',
    'server/discover in 2026-07-28',
    "HTTP 429 instead of 200: The plan's limit of 20 requests per hour is reached",
    () => ({
      'server/discover in 2026-07-28': {
        status: 429,
        body: {
          error: { code: -32000, message: "The plan's limit of 20 requests per hour is reached." },
        },
      },
    }),
  ],
  [
    'none',
    'tools/list in 2026-07-28',
    'the server refuses: none',
    but('tools/list in 2026-07-28', { error: { code: -32601, message: 'none' } }),
  ],
  [
    'none',
    'tools/list in 2026-07-28',
    'lacks tools',
    but('tools/list in 2026-07-28', { result: { resultType: 'complete' } }),
  ],
  [
    'none',
    'tools/list in 2026-07-28',
    'lacks ttlMs',
    but('tools/list in 2026-07-28', {
      result: { resultType: 'complete', cacheScope: 'public', tools: [] },
    }),
  ],
  [
    'none',
    'initialize',
    'lacks protocolVersion',
    but('initialize', { result: { capabilities: {}, serverInfo: {} } }),
  ],
  [
    'none',
    'initialize',
    'lacks serverInfo',
    but('initialize', { result: { protocolVersion: '2025-03-26', capabilities: {} } }),
  ],
];

describe('the doctor', () => {
  test('a deployment without a stream is well', async () => {
    const report = await seen('none', status(STREAM, 405));

    expect(report.steps).toContainEqual(expect.objectContaining({ step: 'stream', outcome: 'ok' }));
  });

  test.each(FAULTS)('at mode %s names %s: %s', async (mode, step, what, change) => {
    const report = await seen(mode, change);
    const found = report.steps.find((one) => one.outcome === 'failed');

    expect(found).toMatchObject({ step, what: expect.stringContaining(what) });
    expect(found).toMatchObject({ cause: expect.any(String), hint: expect.any(String) });
    expect(report).toMatchObject({ ok: false, code: 1 });
  });

  test('knows the gateway that drops the headers of 2026-07-28', async () => {
    const discover = 'server/discover in 2026-07-28';
    const report = await seen('none', but(discover, { error: { code: -32020, message: 'x' } }));

    const { cause, hint } = report.steps.find(({ step }) => step === discover) ?? {};
    expect(cause).toContain('drops or changes the headers Mcp-*');
    expect(hint).toContain('Let MCP-Protocol-Version, Mcp-Method and Mcp-Name through');
  });

  test.each([
    ['x-mcp-challenge', 'removes the header; X-Mcp-Challenge, which says the same, is there'],
    ['x-amzn-remapped-www-authenticate', 'API Gateway renames this header of functions'],
  ])('knows what became of a challenge by %s', async (name, cause) => {
    const report = await seen('oauth', challenge({ [name]: 'Bearer' }));
    const step = report.steps.find((one) => one.step === 'challenge');

    expect(step?.cause).toContain(cause);
    expect(step?.hint).toContain('"challenge_mapping": true');
  });

  test.each([
    [401, 'the token is refused (401)'],
    [403, 'the request is forbidden (403)'],
    [429, 'too many requests'],
  ])('says why a token that is answered %s does not help', async (code, what) => {
    const report = await seen('oauth', status('initialize', code), ['--token-stdin']);
    const step = report.steps.find(({ outcome }) => outcome === 'failed');

    expect(step).toMatchObject({ step: 'initialize', what: expect.stringContaining(what) });
    expect(report.named('skipped')).toEqual(SESSION.slice(1));
  });

  const LOCATION = 'http://127.0.0.1:6277/callback?error=invalid_target&error_description=No.';
  const WAY_BACK = LOCATION.replaceAll('&', '&amp;').replaceAll('=', '&#x3D;');

  test.each([
    ['on the way to the client', { status: 303, headers: { location: LOCATION } }],
    ['on a page', { status: 400, body: `<a href="${WAY_BACK}">Go back</a>` }],
  ])('says what the login page would refuse, %s', async (_, refused) => {
    const registered = { status: 201, body: { client_id: 'mcp_1' } };
    const report = await seen(
      'oauth',
      () => ({
        [AT.register]: registered,
        [AT.authorize]: refused,
      }),
      ['--register'],
    );

    expect(report.steps.find(({ outcome }) => outcome === 'failed')).toMatchObject({
      step: 'authorization',
      what: 'the request is refused: invalid_target',
      cause: 'No.',
    });
  });

  test('only warns where pages of other origins are not let in', async () => {
    const report = await seen('none', status(AT.preflight, 403));

    expect(report.named('warning')).toEqual(['preflight']);
    expect(report).toMatchObject({ ok: true, code: 0 });
  });

  test('ends with 4 where there is no such deployment', async () => {
    const report = await seen('none', gone(AT.discovery));

    expect(report.named('failed')).toEqual(['discovery']);
    expect(report.code).toBe(4);
  });

  test('ends with 5 where nobody listens', async () => {
    patient = await anExaminedServer('none');
    await patient.close();
    const said = await machine.run(['doctor', patient.url]);
    patient = await anExaminedServer('none');

    expect(said.code).toBe(5);
    expect(said.out).toContain('nothing listens there');
    expect(said.out).toContain('A client is stopped at: reach.');
  });

  test('reports step by step, and says what to do', async () => {
    patient = await anExaminedServer('oauth', gone(AT.serverInserted));
    const said = await machine.run(['doctor', patient.url.replace('/messages', '/')]);

    expect(said.out).toContain('ok       discovery: the server is there, mode oauth\n');
    expect(said.out).toContain(
      'FAILED   server metadata oauth-authorization-server, inserted: HTTP 404 instead of 200\n' +
        '         A gateway or proxy does not lead this path to the service.\n' +
        '         Paths under /.well-known/ at the root of the host must lead there, too.\n',
    );
    expect(said.out).toMatch(/\nA client is stopped at: server metadata [^\n]*\.\n$/);
    expect(said.errors).toBe('');
  });

  test('lets no control character of a server through', async () => {
    patient = await anExaminedServer(
      'none',
      but('initialize', { error: { code: 1, message: '\u001b[2J' }, result: undefined }),
    );
    const said = await machine.run(['doctor', patient.url]);

    expect(said.out).toContain('refuses: \ufffd[2J');
    expect(said.out).not.toContain('\u001b');
  });
});
