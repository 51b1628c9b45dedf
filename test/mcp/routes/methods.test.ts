import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startRouter, type TestRouter } from '../../support/mcp/router.ts';
import { PLENTY } from '../../support/aws/dynamodb-fixtures.ts';
import { at, post, rpc, type SentHeaders } from '../../support/mcp/router-events.ts';

const VERSIONED = { 'mcp-protocol-version': '2025-03-26' };
const GUIDE = {
  name: 'guide',
  uri: 'file:///guide.md',
  title: 'Guide',
  description: 'How to keep pets',
  mimeType: 'text/markdown',
  content: '# Pets',
  encoding: 'text',
} as const;
const LOGO = {
  name: 'logo',
  uri: 'file:///logo.png',
  mimeType: 'image/png',
  content: 'iVBORw==',
  encoding: 'base64',
} as const;
const NOTE = {
  name: 'note',
  uri: 'note://{id}',
  content: 'Note {{id}}',
  encoding: 'text',
} as const;
const GREETING = {
  name: 'greeting',
  title: 'Greeting',
  description: 'Greets a pet',
  arguments: [{ name: 'pet', required: true, description: 'Whom' }],
  template: 'Hello {{pet | uppercase}}!',
} as const;

const ASKING = {
  name: 'asking',
  arguments: [
    { name: 'city', required: true, values: ['Prague', 'Brno', 'Neuprag'] },
    { name: 'day', required: false },
  ],
  template: '{{city}}',
} as const;
const CITY = {
  name: 'city',
  uri: 'city://{name}/{day}',
  variables: [{ name: 'name', values: ['Prague', 'Brno'] }],
  content: '{{name}}',
  encoding: 'text',
} as const;

let router: TestRouter;

beforeAll(async () => {
  router = await startRouter();
  await router.publish('pets', {}, { resources: [GUIDE, LOGO, NOTE], prompts: [GREETING] });
  await router.publish('bare', {}, { tools: [] });
  const apiTexts = { instructions: 'Pets\n\nAll pets. And more.', description: 'All pets.' };
  await router.publish('told', { apiTexts, websiteUrl: 'https://pets.example' });
  const owned = { instructions: 'Ask for a pet first.', description: 'Pets of ours' };
  await router.publish('filled', {}, { prompts: [ASKING], resources: [CITY, GUIDE] });
  await router.publish('owned', { apiTexts, ...owned });
});

afterAll(() => router.stop());

const ask = async (method: string, params?: unknown, headers?: SentHeaders, slug = 'pets') => {
  const reply = await router.send(post(at(slug, '/messages'), rpc(method, params), headers));
  expect(reply.statusCode).toBe(200);
  return JSON.parse(reply.body);
};

describe('the params of a JSON-RPC request', () => {
  test.each([[['x']], ['text'], [7], [true]])('are refused as %j', async (params) => {
    for (const method of ['ping', 'tools/list', 'tools/call', 'initialize']) {
      expect(await ask(method, params)).toMatchObject({ id: 1, error: { code: -32602 } });
    }
  });

  test.each(['ping', 'tools/list', 'resources/list', 'prompts/list'])(
    'may be missing for %s',
    async (method) => {
      expect(await ask(method)).toHaveProperty('result');
    },
  );

  test('may contain _meta with a progress token', async () => {
    const params = { _meta: { progressToken: 7 }, name: 'nothing', arguments: {} };
    expect(await ask('tools/call', params)).toHaveProperty('result');
  });
});

describe('the method initialize', () => {
  test.each([
    ['2025-03-26', '2025-03-26'],
    ['2025-06-18', '2025-06-18'],
    ['2025-11-25', '2025-11-25'],
    ['2024-11-05', '2025-03-26'],
    ['2026-07-28', '2025-03-26'],
    ['2099-01-01', '2025-03-26'],
    ['nonsense', '2025-03-26'],
  ])('answers to a client of %p in protocol version %p', async (protocolVersion, answered) => {
    const titled = answered !== '2025-03-26' && { title: 'Pet <Store>' };
    expect((await ask('initialize', { protocolVersion })).result).toEqual({
      protocolVersion: answered,
      capabilities: { tools: {}, resources: {}, prompts: {}, logging: {}, streaming: true },
      serverInfo: { name: 'pets-mcp-server', version: '0.1.0', ...titled },
    });
  });

  const BASE = { name: 'told-mcp-server', version: '0.1.0' };
  const TITLED = { ...BASE, title: 'Pet <Store>' };
  const DESCRIBED = { description: 'All pets.', websiteUrl: 'https://pets.example' };

  test.each([
    ['2025-03-26', BASE, undefined],
    ['2025-06-18', TITLED, 'Pets\n\nAll pets. And more.'],
    ['2025-11-25', { ...TITLED, ...DESCRIBED }, 'Pets\n\nAll pets. And more.'],
  ])(
    'tells in %s what that version knows of a server and what its description says',
    async (protocolVersion, serverInfo, instructions) => {
      const { result } = await ask('initialize', { protocolVersion }, {}, 'told');

      expect(result.serverInfo).toEqual(serverInfo);
      expect(result.instructions).toBe(instructions);
    },
  );

  test.each(['2025-03-26', '2025-06-18', '2025-11-25'])(
    'tells in %s what the owner has models told',
    async (protocolVersion) => {
      const { result } = await ask('initialize', { protocolVersion }, {}, 'owned');

      expect(result.instructions).toBe('Ask for a pet first.');
      expect(result.serverInfo.description).toBe(
        protocolVersion === '2025-11-25' ? 'Pets of ours' : undefined,
      );
    },
  );

  test.each([[undefined], [{}], [{ protocolVersion: 20250326 }], [{ protocolVersion: null }]])(
    'refuses the params %j',
    async (params) => {
      expect(await ask('initialize', params)).toMatchObject({
        error: { code: -32602, data: { errors: [{ path: '/protocolVersion' }] } },
      });
    },
  );
});

describe('a request without a preceding initialize', () => {
  test.each(['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list', 'ping'])(
    'is answered for the method %s',
    async (method) => {
      expect(await ask(method, {})).toHaveProperty('result');
    },
  );
});

describe('the method logging/setLevel', () => {
  test.each(['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'])(
    'accepts the level %s',
    async (level) => {
      expect((await ask('logging/setLevel', { level })).result).toEqual({});
    },
  );

  test.each([['verbose'], ['DEBUG'], [''], [3], [null], [undefined], ['constructor']])(
    'refuses the level %j',
    async (level) => {
      expect(await ask('logging/setLevel', { level })).toMatchObject({ error: { code: -32602 } });
    },
  );
});

describe('an unsupported method', () => {
  test.each([
    'completion/complete',
    'resources/subscribe',
    'resources/unsubscribe',
    'sampling/createMessage',
    'notifications/initialized',
    'tools/List',
    'tools/call ',
    '',
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
  ])('is refused with -32601 and the list of supported methods: %p', async (method) => {
    const { error } = await ask(method, {});

    expect(error.code).toBe(-32601);
    expect(error.message).toContain(method);
    expect(error.data).toEqual({
      supported_methods: [
        'initialize',
        'tools/list',
        'tools/call',
        'resources/list',
        'resources/templates/list',
        'resources/read',
        'prompts/list',
        'prompts/get',
      ],
    });
  });

  test('is named in the message only up to a maximum length', async () => {
    const { error } = await ask('x'.repeat(10_000));
    expect(error.message.length).toBeLessThan(200);
  });
});

describe('the member nextCursor', () => {
  test.each(['resources/list', 'resources/templates/list', 'prompts/list'])(
    'of %s is null for plain JSON callers and absent for clients of the transport',
    async (method) => {
      for (const accept of [undefined, '*/*', 'application/json', 'text/event-stream;q=0']) {
        expect((await ask(method, {}, { accept })).result).toHaveProperty('nextCursor', null);
      }
      for (const headers of [VERSIONED, { accept: 'application/json, text/event-stream' }]) {
        expect((await ask(method, {}, headers)).result).not.toHaveProperty('nextCursor');
      }
    },
  );

  test('is never in the answer to tools/list', async () => {
    expect(Object.keys((await ask('tools/list', {})).result)).toEqual(['tools']);
    expect(Object.keys((await ask('tools/list', {}, VERSIONED)).result)).toEqual(['tools']);
  });
});

describe('the cursor parameter', () => {
  const lists = ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list'];

  test.each(lists)('of %s is ignored if it is a string', async (method) => {
    const { result } = await ask(method, { cursor: 'anything' });
    expect(result).toEqual((await ask(method, {})).result);
  });

  test.each(lists)('of %s is as absent if it is null', async (method) => {
    const { result } = await ask(method, { cursor: null });
    expect(result).toEqual((await ask(method, {})).result);
  });

  test.each(lists)('of %s is refused if it is not a string', async (method) => {
    for (const cursor of [7, false, {}, ['a']]) {
      expect(await ask(method, { cursor })).toMatchObject({
        error: { code: -32602, data: { errors: [{ path: '/cursor' }] } },
      });
    }
  });
});

describe('resources over MCP', () => {
  test('are listed in MCP format, templates separately', async () => {
    const { resources } = (await ask('resources/list')).result;

    expect(resources).toHaveLength(2);
    expect(resources).toContainEqual({
      uri: 'file:///guide.md',
      name: 'guide',
      title: 'Guide',
      description: 'How to keep pets',
      mimeType: 'text/markdown',
    });
    expect(resources).toContainEqual({
      uri: 'file:///logo.png',
      name: 'logo',
      mimeType: 'image/png',
    });
    expect((await ask('resources/templates/list')).result.resourceTemplates).toEqual([
      { uriTemplate: 'note://{id}', name: 'note', mimeType: 'text/plain' },
    ]);
  });

  test.each([
    ['as text', GUIDE.uri, { uri: GUIDE.uri, mimeType: 'text/markdown', text: '# Pets' }],
    ['as a blob', LOGO.uri, { uri: LOGO.uri, mimeType: 'image/png', blob: 'iVBORw==' }],
    ['from a template', 'note://7', { uri: 'note://7', mimeType: 'text/plain', text: 'Note 7' }],
  ])('are read %s', async (_, uri, contents) => {
    expect((await ask('resources/read', { uri })).result).toEqual({ contents: [contents] });
  });

  test('are refused with -32002 and the URI if they are unknown', async () => {
    expect(await ask('resources/read', { uri: 'file:///no' })).toMatchObject({
      error: { code: -32002, data: { uri: 'file:///no' } },
    });
  });

  test.each([[undefined], [7], [null], [{}]])('are refused for the URI %j', async (uri) => {
    expect(await ask('resources/read', { uri })).toMatchObject({
      error: { code: -32602, data: { errors: [{ path: '/uri' }] } },
    });
  });

  test('are an empty list where there are none', async () => {
    expect((await ask('resources/list', {}, VERSIONED, 'bare')).result).toEqual({ resources: [] });
    expect((await ask('prompts/list', {}, VERSIONED, 'bare')).result).toEqual({ prompts: [] });
    expect((await ask('tools/list', {}, VERSIONED, 'bare')).result).toEqual({ tools: [] });
  });
});

describe('prompts over MCP', () => {
  test('are listed without their template', async () => {
    expect((await ask('prompts/list', {}, VERSIONED)).result).toEqual({
      prompts: [
        {
          name: 'greeting',
          title: 'Greeting',
          description: 'Greets a pet',
          arguments: [{ name: 'pet', required: true, description: 'Whom' }],
        },
      ],
    });
  });

  test('are rendered with arguments that are not interpreted as templates', async () => {
    const params = { name: 'greeting', arguments: { pet: '{{pet}} <b>' } };

    expect((await ask('prompts/get', params)).result).toEqual({
      description: 'Greets a pet',
      messages: [{ role: 'user', content: { type: 'text', text: 'Hello {{PET}} <B>!' } }],
    });
  });

  test.each([
    ['no name', {}],
    ['a name that is not a string', { name: 7 }],
    ['an unknown name', { name: 'farewell' }],
    ['an inherited name', { name: '__proto__' }],
    ['a name that is longer than any key', { name: 'x'.repeat(1100) }],
    ['a missing argument', { name: 'greeting', arguments: {} }],
    ['no arguments', { name: 'greeting' }],
    ['an argument that is not a string', { name: 'greeting', arguments: { pet: 7 } }],
    ['arguments that are not an object', { name: 'greeting', arguments: ['Rex'] }],
  ])('are refused for %s', async (_, params) => {
    expect(await ask('prompts/get', params)).toMatchObject({ error: { code: -32602 } });
  });
});

describe('the method completion/complete', () => {
  const complete = (ref: object, name: string, value: string, headers?: SentHeaders) =>
    ask('completion/complete', { ref, argument: { name, value } }, headers, 'filled');
  const ASK = { type: 'ref/prompt', name: 'asking' };
  const OF_CITY = { type: 'ref/resource', uri: CITY.uri };

  test.each(['2025-03-26', '2025-06-18', '2025-11-25'])(
    'is declared in %s where there is something to complete, beside all else',
    async (protocolVersion) => {
      const { capabilities } = (await ask('initialize', { protocolVersion }, {}, 'filled')).result;

      expect(capabilities).toEqual({
        tools: {},
        resources: {},
        prompts: {},
        logging: {},
        streaming: true,
        completions: {},
      });
    },
  );

  test.each<[object, string, string, readonly string[]]>([
    [ASK, 'city', 'pra', ['Prague', 'Neuprag']],
    [ASK, 'city', '', ['Prague', 'Brno', 'Neuprag']],
    [ASK, 'day', '', []],
    [ASK, 'constructor', '', []],
    [OF_CITY, 'name', 'B', ['Brno']],
    [OF_CITY, 'day', '', []],
    [{ type: 'ref/resource', uri: GUIDE.uri }, 'any', '', []],
  ])('completes %j, %s, %j with %j', async (ref, name, value, values) => {
    expect((await complete(ref, name, value)).result).toEqual({
      completion: { values, total: values.length, hasMore: false },
    });
  });

  test.each([
    [{ type: 'ref/prompt', name: 'other' }, '/ref/name'],
    [{ type: 'ref/prompt', name: '\u00fc'.repeat(600) }, '/ref/name'],
    [{ type: 'ref/resource', uri: 'city://Prague/today' }, '/ref/uri'],
  ])('refuses %j, which there is not', async (ref, path) => {
    expect(await complete(ref, 'city', '')).toMatchObject({
      error: { code: -32602, data: { errors: [{ path }] } },
    });
  });

  test('is not in the list of methods of an unknown one, which is what it was', async () => {
    const { error } = await ask('completion/none', {}, {}, 'filled');

    expect(error.data.supported_methods).toHaveLength(8);
  });

  test('lists no values with the prompts and templates', async () => {
    const [
      {
        arguments: [city],
      },
    ] = (await ask('prompts/list', {}, {}, 'filled')).result.prompts;
    const listed = (await ask('resources/templates/list', {}, {}, 'filled')).result;

    expect(city).toEqual({ name: 'city', required: true });
    expect(listed.resourceTemplates).toEqual([
      { uriTemplate: CITY.uri, name: 'city', mimeType: 'text/plain' },
    ]);
  });

  test('is there at once for an instance that remembers a deployment without values', async () => {
    const deployment = await router.publish('later');
    const sent = { ref: ASK, argument: { name: 'city', value: 'B' } };
    const tried = () => ask('completion/complete', sent, {}, 'later');
    expect((await tried()).error.code).toBe(-32601);

    await router.owner.prompts.create(deployment, ASKING, PLENTY);
    router.clock.time += 2;
    expect((await tried()).result.completion.values).toEqual(['Brno']);
    router.clock.time -= 2;
  });
});
