import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Deployment } from '../../../layers/deployments/rules/deployment.ts';
import { startRouter, type TestRouter } from '../../support/mcp/router.ts';
import { anAddress, at, get, post, rpc } from '../../support/mcp/router-events.ts';
import { anAccessToken, bearer } from '../../support/mcp/router-tokens.ts';
import { aTool, tools } from '../../support/mcp/router-tools.ts';

let router: TestRouter;
let closed: Deployment;

const SEARCHED = { publication: { toolMode: 'search' } } as const;

beforeAll(async () => {
  router = await startRouter();
  const own = [
    ...tools(router.target.url),
    aTool('search_operations', router.target.url, { operation: { path: '/echo/own-search' } }),
  ];
  await router.publish('shop', { ...SEARCHED, name: 'The Shop' }, { tools: own });
  // The very same operations, a tool each.
  await router.publish('listed', {}, { tools: own });
  closed = await router.publish('closed', {
    ...SEARCHED,
    authMethod: 'oauth',
    access: { mode: 'any_user' },
  });
  // A version that says it is searched, and has nothing to be searched by.
  const broken = await router.publish('broken');
  await router.owner.deploymentEditor.replace(broken, { ...broken, ...SEARCHED, revision: 2 });
});
afterAll(() => router.stop());

interface Answer {
  readonly result?: {
    readonly tools?: readonly { readonly name: string; readonly description: string }[];
    readonly content?: readonly { readonly type: string; readonly text: string }[];
    readonly isError?: boolean;
  };
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

const ask = async (sent: unknown, slug = 'shop'): Promise<Answer> =>
  JSON.parse((await router.send(post(at(slug, '/messages'), sent))).body);
const call = (name: string, args?: unknown, slug = 'shop') =>
  ask(rpc('tools/call', { name, ...(args !== undefined && { arguments: args }) }), slug);
const textOf = ({ result }: Answer) => result?.content?.map(({ text }) => text).join('') ?? '';
const operate = (name: string, args?: unknown) =>
  call('call_operation', { name, ...(args !== undefined && { arguments: args }) });

describe('the record of a search', () => {
  const recorded = () => router.lines.findLast((line) => line['message'] === 'tool_call');

  test('has its words where nothing was found, without those that may say who or which', async () => {
    await call('search_operations', { query: 'Zeppelin quokkas zq7@xyzzy.invalid 4711' });

    expect(recorded()).toMatchObject({ outcome: 'ok', words: ['zeppelin', 'quokkas'] });
  });

  test('has no words where something was found', async () => {
    await call('search_operations', { query: 'pet' });

    expect(recorded()).not.toHaveProperty('words');
  });

  test('says that an operation is not there, and not which', async () => {
    await operate('flyZeppelin');

    expect(recorded()).toMatchObject({
      outcome: 'refused',
      faults: [{ argument: 'name', keyword: 'unknown_operation' }],
    });
    expect(JSON.stringify(recorded())).not.toContain('Zeppelin');
  });
});

describe('a deployment with searchable operations', () => {
  test('lists three tools that describe the API', async () => {
    const { result } = await ask(rpc('tools/list'));

    expect(result?.tools?.map(({ name }) => name)).toEqual([
      'search_operations',
      'describe_operation',
      'call_operation',
    ]);
    expect(result?.tools?.[0]?.description).toContain('The Shop');
    expect(result?.tools?.[0]?.description).toContain('the 11 operations');
  });

  test('counts three tools and the operations behind them in its documents', async () => {
    const bodyOf = async (end: string) =>
      JSON.parse((await router.send(get(at('shop', end)))).body);

    expect(await bodyOf('/health')).toMatchObject({ tool_count: 3, operation_count: 11 });
    expect(await bodyOf('/.well-known/mcp-server')).toMatchObject({
      server_info: { description: 'The Shop: 3 tools for 11 operations' },
      _meta: { tool_count: 3, operation_count: 11 },
    });
  });

  test('shows the three tools and a list of operations in its docs', async () => {
    const { body } = await router.send(get(at('shop', '/docs')));

    expect(body).toContain('tool-describe_operation');
    expect(body).toContain('<code>getPet</code> <span class="soft">GET /echo/pets/{id}</span>');
    expect(body).not.toContain('tool-getPet');
    expect((await router.send(get(at('listed', '/docs')))).body).not.toContain('id="operations"');
  });

  test('answers 503 if its search index is missing', async () => {
    const { statusCode } = await router.send(post(at('broken'), rpc('tools/list')));

    expect(statusCode).toBe(503);
  });
});

describe('the tool search_operations', () => {
  test('finds operations', async () => {
    expect(textOf(await call('search_operations', { query: 'add a pet', limit: 1 }))).toContain(
      'addPet  POST /echo/pets',
    );
  });

  test('shows the arguments of the best match where they are short', async () => {
    const text = textOf(await call('search_operations', { query: 'get a pet' }));
    const [, name, schema = ''] = /^Arguments of (\w+) \(JSON Schema\): (.*)$/m.exec(text) ?? [];
    const told = JSON.parse(textOf(await call('describe_operation', { name })));

    expect(name).toBe('getPet');
    expect(JSON.parse(schema)).toEqual(told.inputSchema);
    expect(text).toContain('Next: call_operation;');
  });

  test('shows no arguments where somebody browses, or nothing is found', async () => {
    expect(textOf(await call('search_operations', { method: 'GET' }))).not.toContain('Arguments');
    const nothing = textOf(await call('search_operations', { query: 'zzyzx' }));
    expect(nothing).not.toContain('Arguments');
    expect(nothing).toContain('Say in a few English words');
  });

  test('accepts a number in quotes and missing arguments, as models send them', async () => {
    const text = textOf(await call('search_operations', { query: 'pet', limit: '1' }));

    expect(text).toContain('the best 1 first');
    expect(textOf(await call('search_operations'))).toContain('There are 11 operations.');
  });

  test.each([
    ['a limit of 0', { query: 'pet', limit: 0 }, '/limit'],
    ['a limit of 51', { query: 'pet', limit: 51 }, '/limit'],
    ['an unknown method', { method: 'FETCH' }, '/method'],
    ['a query that is not a string', { query: ['pet'] }, '/query'],
    ['an unknown argument', { q: 'pet' }, '/q'],
    ['an argument named like a prototype', JSON.parse('{"__proto__": {}}'), '/__proto__'],
    ['arguments that are not an object', [], ''],
  ])('refuses %s', async (_, args, path) => {
    const { error } = await call('search_operations', args);

    expect(error).toMatchObject({ code: -32602, data: { errors: [{ path }] } });
  });
});

describe('the tool describe_operation', () => {
  test('returns the whole definition of the operation as a tool', async () => {
    const told = JSON.parse(textOf(await call('describe_operation', { name: 'getPet' })));
    const { result } = await ask(rpc('tools/list'), 'listed');
    const listed = result?.tools?.find(({ name }) => name === 'getPet');

    expect(told).toEqual({ ...listed, method: 'GET', path: '/echo/pets/{id}' });
  });

  test.each([
    [
      'an operation that is unknown',
      { name: 'getPets' },
      'Unknown operation: getPets. Similar: getPet',
    ],
    ['a name of Object.prototype', { name: 'toString' }, 'Unknown operation: toString.'],
    ['no name', {}, 'Invalid arguments: /name'],
  ])('refuses %s', async (_, args, message) => {
    const { error } = await call('describe_operation', args);

    expect(error?.code).toBe(-32602);
    expect(error?.message).toContain(message);
  });
});

describe('the tool call_operation', () => {
  test.each([
    ['with arguments', 'getPet', { id: 7, verbose: true }],
    ['with a number in quotes', 'getPet', { id: '7' }],
    ['with a body', 'addPet', { name: 'Rex', age: { years: 3 }, 'more of it': [1, null] }],
    ['without parameters', 'image', undefined],
    ['with an empty answer', 'nothing', undefined],
    ['with an error status', 'fail', { status: 503 }],
    ['with a lost connection', 'hangUp', undefined],
    ['at a private address', 'private', undefined],
    ['named like a member of Object.prototype', 'constructor', undefined],
    ['named like one of the three tools', 'search_operations', undefined],
    ['without a required argument', 'getPet', {}],
    ['with an unknown argument', 'getPet', { id: 7, colour: 'red' }],
    ['with an invalid value', 'getPet', { id: 7, tag: 'bird' }],
    ['with arguments of the maximum depth', 'addPet', { name: 'Rex', age: nested(62) }],
    ['with arguments nested too deep', 'addPet', { name: 'Rex', age: nested(70) }],
  ])('calls an operation %s exactly like a listed tool', async (_, name, args) => {
    const itself = await call(name, args, 'listed');

    expect(await operate(name, args)).toEqual(itself);
  });

  test('accepts arguments as JSON text', async () => {
    expect(textOf(await operate('getPet', '{"id": 7}'))).toContain('/echo/pets/7');
  });

  test.each([
    ['arguments that are not an object', { name: 'getPet', arguments: 7 }, '/arguments'],
    ['a name that is not a string', { name: 7, arguments: {} }, undefined],
    ['no name', { arguments: {} }, '/name'],
    ['an argument beside the arguments', { name: 'getPet', id: 7 }, '/id'],
  ])('refuses %s', async (_, args, path) => {
    const { error } = await call('call_operation', args);

    expect(error?.code).toBe(-32602);
    if (path !== undefined) expect(error?.data).toMatchObject({ errors: [{ path }] });
  });

  test('refuses an unknown operation and suggests similar ones', async () => {
    const { error } = await operate('getpet', { id: 7 });

    expect(error).toMatchObject({
      code: -32602,
      message: expect.stringMatching(
        /^Unknown operation: getpet\. Similar: getPet.*\. Find operations with search_operations\.$/,
      ),
      data: { errors: [{ path: '/name', message: 'names no operation of this server' }] },
    });
  });
});

describe('an unknown tool of a deployment with searchable operations', () => {
  test('is refused, with a hint at call_operation where an operation has its name', async () => {
    const [operation, nothing] = await Promise.all([call('getPet', { id: 7 }), call('getPot')]);

    expect(operation.error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('call it with call_operation'),
    });
    expect(nothing.error).toMatchObject({ code: -32602, message: 'Unknown tool: getPot' });
    expect(router.target.seen).not.toContain('GET /echo/pets/getPot');
  });
});

describe('the other endpoints of a deployment with searchable operations', () => {
  test('list and call the three tools on the legacy endpoint', async () => {
    const listed = JSON.parse((await router.send(get(at('shop', '/tool')))).body);
    const called = await router.send(
      post(at('shop', '/tool'), {
        tool: 'call_operation',
        arguments: { name: 'getPet', arguments: { id: 9 } },
      }),
    );

    expect(listed.tools).toHaveLength(3);
    expect(called.body).toContain('/echo/pets/9');
  });

  test('search and call in a batch', async () => {
    const batch = [
      rpc('tools/call', { name: 'search_operations', arguments: { query: 'pet' } }, 1),
      rpc('tools/call', { name: 'call_operation', arguments: { name: 'image' } }, 2),
      rpc('tools/list', {}, 3),
    ];
    const answers: readonly Answer[] = JSON.parse(
      (await router.send(post(at('shop'), batch))).body,
    );

    expect(answers.map(({ error }) => error)).toEqual([undefined, undefined, undefined]);
  });

  test('require mcp.tools.execute for the tools and mcp.tools.read for the list', async () => {
    const statusOf = async (sent: unknown, scope: 'mcp.tools.read' | 'mcp.tools.execute') => {
      const token = bearer(await anAccessToken(router, closed, { scopes: [scope] }));
      return (await router.send(post(at('closed', '/messages'), sent, token))).statusCode;
    };
    const search = rpc('tools/call', { name: 'search_operations', arguments: {} });

    expect(await statusOf(search, 'mcp.tools.read')).toBe(403);
    expect(await statusOf(search, 'mcp.tools.execute')).toBe(200);
    expect(await statusOf(rpc('tools/list'), 'mcp.tools.read')).toBe(200);
  });
});

describe('the log of a deployment with searchable operations', () => {
  const recordsOf = async (name: string, args: unknown) => {
    const before = router.lines.length;
    await call(name, args);
    return router.lines.slice(before);
  };

  test('names the called operation and not the tool call_operation', async () => {
    expect(
      await recordsOf('call_operation', { name: 'getPet', arguments: { id: 1 } }),
    ).toMatchObject([
      { message: 'tool_call', tool: 'getPet', outcome: 'unfinished' },
      { message: 'tool_call', tool: 'getPet', outcome: 'ok' },
      { message: 'request', rpc: [{ method: 'tools/call', tool: 'getPet', outcome: 'ok' }] },
    ]);
  });

  test('names the search tool but not the query', async () => {
    const records = await recordsOf('search_operations', { query: 'my secret question' });

    expect(records).toMatchObject([
      { message: 'tool_call', tool: 'search_operations', outcome: 'ok', duration_ms: 0 },
      { rpc: [{ tool: 'search_operations', outcome: 'ok' }] },
    ]);
    expect(JSON.stringify(records)).not.toContain('secret');
  });

  test('contains no operation name that only the caller knows', async () => {
    const records = await recordsOf('call_operation', { name: 'my-secret-name' });

    expect(JSON.stringify(records)).not.toContain('secret');
  });
});

describe('a warm router instance with searchable operations', () => {
  const address = anAddress();
  const send = (name: string, args: object) =>
    router.send(post(at('shop'), rpc('tools/call', { name, arguments: args }), {}, address));

  beforeEach(async () => {
    await send('search_operations', { query: 'pet' });
    await send('call_operation', { name: 'nothing' });
    router.store.aws.calls.reset();
  });

  test.each([
    ['search', 'search_operations', { query: 'nothing' }],
    ['call', 'call_operation', { name: 'nothing' }],
    ['description', 'describe_operation', { name: 'nothing' }],
  ])('calls AWS once for a %s, to count it', async (_, name, args) => {
    await send(name, args);

    expect(router.store.aws.calls.list()).toMatchObject([{ operation: 'UpdateItem', times: 1 }]);
  });
});

describe('the credential of a deployment with searchable operations', () => {
  const invocations = () => router.store.aws.calls.count({ service: 'lambda' });

  test('is fetched only for calls of operations', async () => {
    const credential = { type: 'bearer', origins: [], version: 'v1', setAt: 0 } as const;
    await router.publish('secured', { ...SEARCHED, credential });
    router.store.aws.calls.reset();
    await call('search_operations', { query: 'pet' }, 'secured');
    await call('describe_operation', { name: 'getPet' }, 'secured');
    expect(invocations()).toBe(0);

    // The test's broker has none, so that the call ends there.
    const { error } = await call('call_operation', { name: 'image' }, 'secured');
    expect(error?.data).toEqual({ reason: 'credential_unavailable' });
    expect(invocations()).toBeGreaterThan(0);
  });
});

describe('a router instance that searches for the first time', () => {
  test.each([
    ['its search index', 'while somebody browses', { method: 'GET' }, 2],
    ['its search index and tools', 'to show the arguments of the best', { query: 'pet' }, 3],
  ])('reads the deployment, %s %s', async (_, why, args, count) => {
    const slug = why.replaceAll(' ', '-');
    await router.publish(slug, SEARCHED);
    router.store.aws.calls.reset();
    await call('search_operations', args, slug);

    const reads = { service: 'dynamodb', operation: 'GetItem' };
    expect(router.store.aws.calls.count(reads)).toBe(count);
  });
});

function nested(levels: number): unknown {
  return levels === 0 ? 1 : { a: nested(levels - 1) };
}
