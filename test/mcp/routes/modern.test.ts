import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { server } from '../../../layers/mcp/routes/server.ts';
import type { Deployment } from '../../../layers/deployments/rules/deployment.ts';
import type { HttpEvent } from '../../../layers/platform/http/event.ts';
import type { HttpReply } from '../../../layers/platform/http/reply.ts';
import { NOON } from '../../support/aws/dynamodb-fixtures.ts';
import {
  META,
  MODERN,
  modernHeaders,
  modernPost,
  modernRpc,
} from '../../support/mcp/modern-requests.ts';
import { anAccessToken, bearer, usageOf } from '../../support/mcp/router-tokens.ts';
import { startRouter, type TestRouter } from '../../support/mcp/router.ts';
import {
  at,
  anAddress,
  get,
  post,
  rpc,
  type SentHeaders,
} from '../../support/mcp/router-events.ts';

const GUIDE = {
  name: 'guide',
  uri: 'file:///guide.md',
  mimeType: 'text/markdown',
  content: '# Pets',
  encoding: 'text',
} as const;
const GREETING = {
  name: 'grüße',
  arguments: [{ name: 'pet', required: true }],
  template: 'Hello {{pet}}!',
} as const;
const SERVER_INFO = { name: 'pets-mcp-server', version: '0.1.0', title: 'Pet <Store>' };
const MESSAGES = at('pets', '/messages');

let router: TestRouter;
let login: Deployment;
/** The same where an operator has withdrawn the version. */
let withdrawn: TestRouter['send'];

beforeAll(async () => {
  router = await startRouter();
  await router.publish('pets', {}, { resources: [GUIDE], prompts: [GREETING] });
  login = await router.publish('login', { authMethod: 'oauth', access: { mode: 'any_user' } });
  const settings = { ...router.ports.settings, protocolVersions: ['2025-03-26'] as const };
  withdrawn = server({ ...router.ports, settings });
});
afterEach(() => router.store.aws.faults.clear());
afterAll(() => router.stop());

const told = ({ statusCode, headers, body }: HttpReply) => ({
  status: statusCode,
  version: headers['mcp-protocol-version'],
  answer: body === '' ? undefined : JSON.parse(body),
});
const ask = async (method: string, params: object = {}, headers: SentHeaders = {}) =>
  told(await router.send(modernPost(MESSAGES, method, { ...params }, headers)));
const resultOf = async (method: string, params: object = {}) => {
  const { status, version, answer } = await ask(method, params);
  expect([status, version, answer.id]).toEqual([200, MODERN, 1]);
  return answer.result;
};

const PUBLIC_LIST = { ttlMs: 300_000, cacheScope: 'public' };
const COMPLETE = {
  resultType: 'complete',
  _meta: { 'io.modelcontextprotocol/serverInfo': SERVER_INFO },
};

describe('a request in 2026-07-28', () => {
  test('discovers the versions, capabilities and name of the server', async () => {
    expect(await resultOf('server/discover')).toEqual({
      ...COMPLETE,
      supportedVersions: [MODERN],
      capabilities: { tools: {}, resources: {}, prompts: {} },
      ttlMs: 3_600_000,
      cacheScope: 'public',
    });
  });

  test('discovers what the server says of itself to people and to models', async () => {
    const apiTexts = { instructions: 'Pets\n\nAll pets.', description: 'All pets.' };
    await router.publish('told', { apiTexts, websiteUrl: 'https://pets.example' });
    const sent = modernPost(at('told', '/messages'), 'server/discover', {});

    const { result } = told(await router.send(sent)).answer;

    expect(result.instructions).toBe(apiTexts.instructions);
    expect(result._meta['io.modelcontextprotocol/serverInfo']).toEqual({
      ...SERVER_INFO,
      name: 'told-mcp-server',
      description: 'All pets.',
      websiteUrl: 'https://pets.example',
    });
  });

  test('completes where there is something to complete, and says so', async () => {
    const asking = {
      name: 'asking',
      arguments: [{ name: 'city', required: true, values: ['Prague', 'Brno'] }],
      template: '{{city}}',
    };
    await router.publish('filled', {}, { prompts: [asking] });
    const say = async (method: string, params: object = {}) =>
      told(await router.send(modernPost(at('filled', '/messages'), method, { ...params })));
    const ref = { type: 'ref/prompt', name: 'asking' };
    const argument = { name: 'city', value: 'p' };

    const { capabilities } = (await say('server/discover')).answer.result;
    const { status, answer } = await say('completion/complete', { ref, argument });
    const unknown = await say('completion/complete', { ref: { ...ref, name: 'x' }, argument });
    const { supported_methods: methods } = (await say('ping')).answer.error.data;

    expect(capabilities).toEqual({ tools: {}, resources: {}, prompts: {}, completions: {} });
    expect([status, answer.result.completion]).toEqual([
      200,
      { values: ['Prague'], total: 1, hasMore: false },
    ]);
    expect(answer.result.resultType).toBe('complete');
    expect([unknown.status, unknown.answer.error.code]).toEqual([200, -32602]);
    expect(methods).toContain('completion/complete');
  });

  test.each([
    ['tools/list', 'tools'],
    ['resources/list', 'resources'],
    ['resources/templates/list', 'resourceTemplates'],
    ['prompts/list', 'prompts'],
  ])('lists with %s as before, with how long that holds', async (method, items) => {
    const legacy = await router.send(
      post(MESSAGES, rpc(method), { 'mcp-protocol-version': '2025-11-25' }),
    );

    const { [items]: listed, ...rest } = await resultOf(method);

    expect(listed).toEqual(JSON.parse(legacy.body).result[items]);
    expect(rest).toEqual({ ...COMPLETE, ...PUBLIC_LIST });
  });

  test('reads a resource for a minute', async () => {
    expect(await resultOf('resources/read', { uri: GUIDE.uri })).toEqual({
      ...COMPLETE,
      contents: [{ uri: GUIDE.uri, mimeType: 'text/markdown', text: '# Pets' }],
      ttlMs: 60_000,
      cacheScope: 'public',
    });
  });

  test('calls a tool, whatever else it carries', async () => {
    const result = await resultOf('tools/call', {
      name: 'getPet',
      arguments: { id: 1 },
      inputResponses: { x: 1 },
      requestState: 'mine',
      _meta: { ...META, progressToken: 4, traceparent: 'x', 'other/key': [] },
    });

    expect(result).toEqual({ ...COMPLETE, content: expect.any(Array) });
  });

  test('gets a prompt whose name a header holds in base64 only', async () => {
    const name = GREETING.name;
    const encoded = `=?base64?${Buffer.from(name).toString('base64')}?=`;
    const params = { name, arguments: { pet: 'Rex' } };

    const { answer } = await ask('prompts/get', params, { 'mcp-name': encoded });

    expect(answer.result).toMatchObject({ resultType: 'complete', messages: expect.any(Array) });
    expect(answer.result).not.toHaveProperty('ttlMs');
  });

  test('needs no information about the client, and tolerates a wrong one', async () => {
    const { 'io.modelcontextprotocol/clientInfo': _, ...without } = META;

    for (const clientInfo of [undefined, 7, { name: 7 }]) {
      const _meta = { ...without, 'io.modelcontextprotocol/clientInfo': clientInfo };
      expect((await ask('tools/list', { _meta })).status).toBe(200);
    }
  });

  test('has headers in any case of their names, with blanks around their values', async () => {
    const headers = { 'mcp-method': ' \ttools/list ', 'mcp-protocol-version': ` ${MODERN}\t` };

    expect((await ask('tools/list', {}, headers)).status).toBe(200);
  });

  test.each([['/messages'], [''], ['/'], ['/tool']])(
    'is answered alike at the address of the deployment with %j',
    async (end) => {
      const { statusCode, body } = await router.send(
        modernPost(at('pets', end), 'resources/read', { uri: GUIDE.uri }),
      );

      expect(statusCode).toBe(200);
      expect(JSON.parse(body).result.resultType).toBe('complete');
    },
  );

  test('is answered as one event where nothing else is accepted', async () => {
    const headers = { accept: 'text/event-stream' };

    const reply = await router.send(modernPost(MESSAGES, 'server/discover', {}, headers));

    expect(reply.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'x-accel-buffering': 'no',
    });
    expect(reply.body).toMatch(/^event: message\ndata: \{"jsonrpc":"2.0","id":1,"result":/);
  });

  test('may repeat the id that another one has at the same time', async () => {
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => ask('tools/call', { name: 'getPet', arguments: { id: 1 } })),
    );

    expect(replies.map(({ status }) => status)).toEqual(Array(5).fill(200));
  });
});

describe('what a model is shown in 2026-07-28', () => {
  test('are faults of its arguments, as a result', async () => {
    expect(await resultOf('tools/call', { name: 'getPet', arguments: { id: 'x' } })).toEqual({
      ...COMPLETE,
      isError: true,
      content: [{ type: 'text', text: expect.stringMatching(/^Invalid arguments: \/id must be/) }],
    });
  });

  test('is why its target did not answer, as a result', async () => {
    expect(await resultOf('tools/call', { name: 'closed' })).toEqual({
      ...COMPLETE,
      isError: true,
      content: [{ type: 'text', text: expect.stringMatching(/\. \(connection_\w+\)$/) }],
    });
  });

  test.each<[string, object]>([
    ['a tool that is not there', { name: 'noSuchTool' }],
    ['no name', {}],
    ['arguments that are no object', { name: 'getPet', arguments: [] }],
  ])('is none of %s, which is an error', async (_, params) => {
    const { status, answer } = await ask('tools/call', params);

    expect([status, answer.error.code]).toEqual([200, -32602]);
  });
});

const HEADERS = modernHeaders('tools/list');
const meta = (over: object) => ({ _meta: { ...META, ...over } });
const VERSION = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const LEVEL = 'io.modelcontextprotocol/logLevel';

describe('a request in 2026-07-28 is refused', () => {
  test.each<[string, number, number, RegExp, object, SentHeaders]>([
    // What is said of it in the body.
    [
      'with nothing about it',
      400,
      -32602,
      /protocolVersion" is required/,
      { _meta: undefined },
      {},
    ],
    ['with a list of params', 400, -32602, /protocolVersion" is required/, [], {}],
    [
      'without capabilities',
      400,
      -32602,
      /clientCapabilities" is req/,
      meta({ [CAPABILITIES]: undefined }),
      {},
    ],
    [
      'with a list of capabilities',
      400,
      -32602,
      /Capabilities" must be an obj/,
      meta({ [CAPABILITIES]: [] }),
      {},
    ],
    [
      'with a version that is a number',
      400,
      -32602,
      /Version" must be a string/,
      meta({ [VERSION]: 7 }),
      {},
    ],
    ['with a level that is none', 400, -32602, /logLevel" must be/, meta({ [LEVEL]: 'loud' }), {}],
    // Its headers against its body.
    [
      'with another version in its header',
      400,
      -32020,
      /MCP-Protocol-Version/,
      {},
      { 'mcp-protocol-version': '2025-11-25' },
    ],
    [
      'with an unknown version in its body alone',
      400,
      -32020,
      /MCP-Protocol-Version/,
      meta({ [VERSION]: 'v999.0.0' }),
      {},
    ],
    [
      'with another method in its header',
      400,
      -32020,
      /Mcp-Method/,
      {},
      { 'mcp-method': 'tools/call' },
    ],
    [
      'with the method in another case',
      400,
      -32020,
      /Mcp-Method/,
      {},
      { 'mcp-method': 'Tools/List' },
    ],
    ['with two methods', 400, -32020, /Mcp-Method/, {}, { 'mcp-method': 'tools/list, tools/call' }],
    [
      'with a method in no base64',
      400,
      -32020,
      /no valid base64/,
      {},
      { 'mcp-method': '=?base64?dG9vbHM?=' },
    ],
    [
      'without its version in a header',
      400,
      -32020,
      /required/,
      {},
      { 'mcp-protocol-version': undefined },
    ],
    ['without its method in a header', 400, -32020, /required/, {}, { 'mcp-method': undefined }],
    // Versions.
    [
      'in a version to come',
      400,
      -32022,
      /2027-01-01/,
      meta({ [VERSION]: '2027-01-01' }),
      { 'mcp-protocol-version': '2027-01-01' },
    ],
    [
      'in a version with a handshake',
      400,
      -32022,
      /2025-11-25/,
      meta({ [VERSION]: '2025-11-25' }),
      { 'mcp-protocol-version': '2025-11-25' },
    ],
    // Cursors.
    ['with a cursor', 200, -32602, /cursor/, { _meta: META, cursor: 'x' }, {}],
    ['with a cursor that is a number', 200, -32602, /cursor/, { _meta: META, cursor: 7 }, {}],
  ])('%s', async (_, status, code, words, params, headers) => {
    const sent = {
      jsonrpc: '2.0',
      id: 'mine',
      method: 'tools/list',
      params: Array.isArray(params) ? params : { _meta: META, ...params },
    };

    const reply = told(await router.send(post(MESSAGES, sent, { ...HEADERS, ...headers })));

    expect(reply).toMatchObject({
      status,
      version: MODERN,
      answer: { id: 'mine', error: { code } },
    });
    expect(reply.answer.error.message).toMatch(words);
    expect(reply.answer.error.code === -32022 && reply.answer.error.data).toEqual(
      code === -32022 && { supported: [MODERN], requested: expect.any(String) },
    );
  });

  test.each<[string, string, object, SentHeaders]>([
    ['tools/call', 'without a name', { name: 'getPet' }, { 'mcp-name': undefined }],
    ['tools/call', 'with another name', { name: 'getPet' }, { 'mcp-name': 'fail' }],
    ['prompts/get', 'with a name in another case', { name: 'x' }, { 'mcp-name': 'X' }],
    ['resources/read', 'without a uri', { uri: GUIDE.uri }, { 'mcp-name': undefined }],
    ['resources/read', 'with another uri', { uri: GUIDE.uri }, { 'mcp-name': 'file:///x' }],
  ])('where %s comes %s in its headers', async (method, _, params, headers) => {
    const { status, answer } = await ask(method, params, headers);

    expect([status, answer.id, answer.error.code]).toEqual([400, 1, -32020]);
    expect(answer.error.message).toContain('Mcp-Name');
  });

  test.each([
    'initialize',
    'ping',
    'logging/setLevel',
    'resources/subscribe',
    'resources/unsubscribe',
    'subscriptions/listen',
    'tasks/get',
    'completion/complete',
    '__proto__',
    'constructor',
    'notifications/initialized',
  ])('for the method %s, which there is not', async (method) => {
    const { status, answer } = await ask(method);

    expect([status, answer.id, answer.error.code]).toEqual([404, 1, -32601]);
    expect(answer.error.data.supported_methods).toEqual([
      'server/discover',
      'tools/list',
      'tools/call',
      'resources/list',
      'resources/templates/list',
      'resources/read',
      'prompts/list',
      'prompts/get',
    ]);
  });

  test('for a resource that is not there, with its uri', async () => {
    const { status, answer } = await ask('resources/read', { uri: 'file:///none' });

    expect(status).toBe(200);
    expect(answer.error).toMatchObject({ code: -32602, data: { uri: 'file:///none' } });
  });

  test.each<[string, unknown, number, SentHeaders]>([
    ['what is no JSON', '{', -32700, {}],
    ['an id that is null', { ...modernRpc('tools/list'), id: null }, -32600, {}],
    ['a response', { jsonrpc: '2.0', id: 1, result: {} }, -32600, {}],
    ['a batch', [modernRpc('tools/list')], -32600, {}],
    ['an empty batch', [], -32600, {}],
  ])('without an id for %s', async (_, sent, code, headers) => {
    const { status, answer } = told(
      await router.send(post(MESSAGES, sent, { ...HEADERS, ...headers })),
    );

    expect(status).toBe(400);
    expect(answer).toEqual({ jsonrpc: '2.0', error: expect.objectContaining({ code }) });
  });

  test('in a batch of which one member is of it, as a whole', async () => {
    const sent = [rpc('ping'), modernRpc('tools/list')];

    const { status, answer } = told(await router.send(post(MESSAGES, sent)));

    expect(status).toBe(400);
    expect(answer).toMatchObject({ id: null, error: { code: -32600 } });
  });
});

describe('what belongs to the versions before', () => {
  const initialize = (params: object) =>
    rpc('initialize', { protocolVersion: MODERN, capabilities: {}, ...params });

  test.each<[string, object, SentHeaders]>([
    ['whatever it asks for', {}, {}],
    ['whatever its header names', {}, { 'mcp-protocol-version': MODERN }],
    ['with another version in its metadata', { _meta: { [VERSION]: '2025-11-25' } }, {}],
  ])('is a handshake, %s', async (_, params, headers) => {
    const reply = await router.send(post(MESSAGES, initialize(params), headers));

    expect(reply.headers['mcp-protocol-version']).toBe('2025-03-26');
    expect(JSON.parse(reply.body).result).toEqual({
      protocolVersion: '2025-03-26',
      capabilities: expect.anything(),
      serverInfo: { name: 'pets-mcp-server', version: '0.1.0' },
    });
  });

  test('is a request without a version of it, which has none of its members', async () => {
    const reply = await router.send(
      post(MESSAGES, rpc('tools/list', { _meta: { progressToken: 1 } })),
    );

    expect(Object.keys(JSON.parse(reply.body).result)).toEqual(['tools']);
  });

  test('are notifications, of which none is carried out', async () => {
    const called = () => router.lines.filter(({ message }) => message === 'tool_call').length;
    const before = called();
    const { id: _, ...call } = modernRpc('tools/call', { name: 'getPet', arguments: { id: 1 } });

    const reply = await router.send(post(MESSAGES, call, { 'mcp-protocol-version': MODERN }));

    expect([reply.statusCode, reply.body]).toEqual([202, '']);
    expect(called()).toBe(before);
  });
});

describe('a version that was withdrawn', () => {
  test.each<[string, HttpEvent]>([
    ['a probe', modernPost(MESSAGES, 'server/discover')],
    ['a call', modernPost(MESSAGES, 'tools/call', { name: 'getPet', arguments: { id: 1 } })],
  ])('is refused as before for %s', async (_, event) => {
    const { status, answer } = told(await withdrawn(event));

    expect([status, answer.error.code]).toEqual([400, -32600]);
    expect(answer.error.message).toContain('the MCP-Protocol-Version header must be one of');
  });

  test('is not among those that the discovery document names', async () => {
    const path = at('pets', '/.well-known/mcp-server');
    const served = async (send: TestRouter['send']) =>
      JSON.parse((await send(get(path))).body)._meta.protocol_versions;

    expect(await served(router.send)).toEqual([MODERN, '2025-11-25', '2025-06-18', '2025-03-26']);
    expect(await served(withdrawn)).toEqual(['2025-03-26']);
  });
});

describe('equal copies of a header in 2026-07-28', () => {
  const CALL = { name: 'getPet', arguments: { id: 1 } };

  test('are one: of version, method and name', async () => {
    const copied = Object.fromEntries(
      Object.entries(modernHeaders('tools/call', CALL))
        .filter(([name]) => name.startsWith('mcp-'))
        .map(([name, value]) => [name, `${value}, ${value}`]),
    );

    const { status, answer } = told(
      await router.send(modernPost(MESSAGES, 'tools/call', CALL, copied)),
    );

    expect([status, answer.result.isError]).toEqual([200, undefined]);
  });

  test.each([
    ['mcp-protocol-version', '2026-07-28, 2025-11-25'],
    ['mcp-method', 'tools/call, tools/list'],
    ['mcp-name', 'getPet, noSuchTool'],
    ['mcp-name', 'getPet, getPet, noSuchTool'],
  ])('are refused where they differ: %s %s', async (name, value) => {
    const sent = modernPost(MESSAGES, 'tools/call', CALL, { [name]: value });

    expect(told(await router.send(sent)).status).toBe(400);
  });
});

describe('what ends a request in 2026-07-28 before it is carried out', () => {
  test('is a login, as before', async () => {
    const reply = await router.send(modernPost(at('login', '/messages'), 'server/discover'));

    expect(reply.statusCode).toBe(401);
    expect(reply.headers['www-authenticate']).toContain('resource_metadata=');
  });

  test('is the limit of an address, which comes before everything, under the code of its status', async () => {
    const ip = anAddress();
    const send = (headers: SentHeaders = {}) =>
      router.send(modernPost(MESSAGES, 'server/discover', {}, headers, ip));
    for (let sent = 0; sent < 60; sent++) await send();

    for (const headers of [{}, { 'mcp-method': undefined }]) {
      const reply = await send(headers);

      expect(reply.statusCode).toBe(429);
      expect(reply.headers['mcp-protocol-version']).toBe('2026-07-28');
      expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
      expect(JSON.parse(reply.body)).toMatchObject({ id: 1, error: { code: 429 } });
    }
  });

  test('is a body that is too large, under the code of its status', async () => {
    const reply = await router.send(post(MESSAGES, 'x'.repeat(4_194_305), HEADERS));

    expect(reply.statusCode).toBe(413);
    expect(JSON.parse(reply.body)).toEqual({
      jsonrpc: '2.0',
      error: { code: 413, message: expect.any(String) },
    });
  });

  test('is a store that is down, under the code of its status', async () => {
    router.store.aws.faults.inject({ kind: 'fail', on: { operation: 'Query' } });

    const { status, answer } = await ask('prompts/list');

    expect([status, answer.error.code]).toEqual([503, 503]);
  });
});

describe('a request in 2026-07-28 with a token', () => {
  const holder = async (over: Parameters<typeof anAccessToken>[2] = {}, left = 20) => {
    const userId = randomUUID();
    if (left < 20) await router.ports.usage.take(usageOf(userId), 'free', 20 - left, NOON);
    const token = await anAccessToken(router, login, { userId, plan: 'free', ...over });
    return {
      say: async (method: string, params: object = {}, headers: SentHeaders = {}) => {
        const all = { ...bearer(token), ...headers };
        const sent = modernPost(at('login', '/messages'), method, { ...params }, all);
        return told(await router.send(sent));
      },
      used: () => router.ports.usage.read(usageOf(userId), 'free', NOON),
    };
  };

  test('may be cached by its client alone', async () => {
    const { say } = await holder();

    for (const method of ['server/discover', 'tools/list', 'prompts/list', 'resources/list']) {
      expect((await say(method)).answer.result.cacheScope).toBe('private');
    }
  });

  test('discovers for free, and whatever is refused for its form is free', async () => {
    const { say, used } = await holder({}, 1);

    expect((await say('tools/list')).status).toBe(200);
    expect(await say('tools/list')).toMatchObject({
      version: '2026-07-28',
      answer: { error: { code: 429 } },
    });
    expect((await say('server/discover')).status).toBe(200);
    expect((await say('tools/list', {}, { 'mcp-method': undefined })).status).toBe(400);
    expect((await say('ping')).status).toBe(404);
    expect(await used()).toEqual({ hour: 20, month: 20 });
  });

  test('needs the scope of its method, and none to discover', async () => {
    const { say } = await holder({ scopes: ['mcp.tools.read'] });
    const call = { name: 'getPet', arguments: { id: 1 } };

    expect((await say('server/discover')).status).toBe(200);
    expect(await say('tools/call', call)).toMatchObject({
      status: 403,
      answer: { error: 'insufficient_scope' },
    });
    // Form first: what is asked for wrongly needs no scope.
    expect((await say('tools/call', call, { 'mcp-name': 'x' })).answer.error.code).toBe(-32020);
  });
});

describe('clients of all versions at one address', () => {
  test('are each answered in their own, fifty at once', async () => {
    const versions = [undefined, '2025-03-26', '2025-06-18', '2025-11-25', MODERN] as const;
    const params = { name: 'getPet', arguments: { id: 'x' } };
    const asked = Array.from({ length: 50 }, async (_, index) => {
      const version = versions[index % versions.length];
      const event =
        version === MODERN
          ? modernPost(MESSAGES, 'tools/call', params)
          : post(MESSAGES, rpc('tools/call', params), { 'mcp-protocol-version': version });
      const { answer } = told(await router.send(event));
      return [version, answer.error?.code ?? answer.result.resultType ?? 'isError'];
    });

    const expected = [-32602, -32602, -32602, 'isError', 'complete'];
    expect(await Promise.all(asked)).toEqual(
      Array.from({ length: 50 }, (_, index) => [versions[index % 5], expected[index % 5]]),
    );
  });
});

describe('the log of a request in 2026-07-28', () => {
  test('names the version and what the client calls itself', async () => {
    const clientInfo = { name: `claude\n${'x'.repeat(80)}` };
    await ask('tools/list', meta({ 'io.modelcontextprotocol/clientInfo': clientInfo }));

    expect(router.lines.at(-1)).toMatchObject({
      protocol: { era: 'modern', version: MODERN, client: `claude?${'x'.repeat(57)}` },
      rpc: [{ method: 'tools/list', outcome: 'ok' }],
    });
  });
});
