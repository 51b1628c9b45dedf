import { setImmediate } from 'node:timers/promises';
import { afterAll, describe, expect, test } from '@jest/globals';
import { exchange, type RawAnswer, type RawRequest } from '../support/target/raw-http.ts';
import { startService } from '../support/service/service.ts';

const service = await startService();
afterAll(() => service.stop());

const SAMPLE = '/v1/mcp-router/sample';
const JSON_TYPE = ['Content-Type', 'application/json'] as const;

const send = (request: RawRequest) => exchange(service.port, request);
const post = (body: string | Uint8Array, headers: RawRequest['headers'] = []) =>
  send({ start: `POST ${SAMPLE}/messages`, headers: [JSON_TYPE, ...headers], body });
const rpc = (method: string, params: object = {}, id: unknown = 1) =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });
const errorOf = ({ status, body }: RawAnswer) => ({ status, ...JSON.parse(body) });

describe('POST with only notifications and responses', () => {
  test.each([
    ['one notification', '{"jsonrpc":"2.0","method":"notifications/initialized"}'],
    ['a batch', '[{"jsonrpc":"2.0","method":"x"},{"jsonrpc":"2.0","id":1,"result":{}}]'],
  ])('is answered with 202 and an empty body: %s', async (_, body) => {
    const answer = await post(body);

    expect(answer.status).toBe(202);
    expect(answer.body).toBe('');
    expect(answer.header('content-length')).toBe('0');
    expect(answer.header('content-type')).toBeUndefined();
  });

  test('does not execute a tool call without an id', async () => {
    const marker = 'Written by a notification';
    const book = { title: marker, author: 'N', genre: 'mystery', price: 1 };
    const call = {
      jsonrpc: '2.0',
      method: 'tools/call',
      params: { name: 'addBook', arguments: book },
    };

    expect((await post(JSON.stringify(call))).status).toBe(202);

    const list = rpc('tools/call', { name: 'listBooks', arguments: { limit: 50 } });
    expect((await post(list)).body).not.toContain(marker);
  });
});

describe('the response to a JSON-RPC request', () => {
  test('is one JSON object with the id as it was sent', async () => {
    const answer = await post(rpc('ping', {}, 'é-1'));

    expect(answer.status).toBe(200);
    expect(answer.header('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.body).toBe('{"jsonrpc":"2.0","id":"é-1","result":{}}');
  });

  test('is an array with one response per request for a batch', async () => {
    const answer = await post(
      `[${rpc('ping')},{"jsonrpc":"2.0","method":"x"},${rpc('ping', {}, 2)}]`,
    );

    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body)).toEqual([
      { jsonrpc: '2.0', id: 1, result: {} },
      { jsonrpc: '2.0', id: 2, result: {} },
    ]);
  });

  test('is one event for Accept: text/event-stream', async () => {
    const answer = await post(rpc('ping'), [['Accept', 'text/event-stream']]);

    expect(answer.status).toBe(200);
    expect(answer.header('content-type')).toMatch(/^text\/event-stream/);
    expect(answer.body).toBe('event: message\ndata: {"jsonrpc":"2.0","id":1,"result":{}}\n\n');
  });

  test('never starts a session', async () => {
    const initialize = rpc('initialize', { protocolVersion: '2025-06-18', capabilities: {} });

    const answer = await post(initialize, [['Mcp-Session-Id', 'mine']]);

    expect(JSON.parse(answer.body).result.protocolVersion).toBe('2025-06-18');
    expect(answer.header('mcp-session-id')).toBeUndefined();
  });

  test('has a null nextCursor only for callers that do not speak the transport', async () => {
    const plain = await post(rpc('resources/list'));
    const named = await post(rpc('resources/list'), [['MCP-Protocol-Version', '2025-06-18']]);
    const accepting = await post(rpc('resources/list'), [
      ['Accept', 'application/json, text/event-stream'],
    ]);

    expect(JSON.parse(plain.body).result).toEqual({ resources: [], nextCursor: null });
    expect(JSON.parse(named.body).result).toEqual({ resources: [] });
    expect(JSON.parse(accepting.body).result).toEqual({ resources: [] });
  });
});

describe('an invalid request over HTTP', () => {
  test.each<[string, number, number | undefined, () => Promise<RawAnswer>]>([
    ['malformed JSON', 400, -32700, () => post('{')],
    ['bytes that are not UTF-8', 400, -32700, () => post(Buffer.from('7b2261223a22ff227d', 'hex'))],
    ['an empty batch', 400, -32600, () => post('[]')],
    ['an id of null', 400, -32600, () => post(rpc('ping', {}, null))],
    ['an unknown method', 200, -32601, () => post(rpc('tools/fly'))],
    ['an unsupported method', 200, -32601, () => post(rpc('completion/complete'))],
    ['a method named like a member of Object.prototype', 200, -32601, () => post(rpc('__proto__'))],
    ['an unknown tool', 200, -32602, () => post(rpc('tools/call', { name: 'fly' }))],
    [
      'a resource that does not exist',
      200,
      -32002,
      () => post(rpc('resources/read', { uri: 'a:b' })),
    ],
    ['more than 4 MB', 413, undefined, () => post(`"${'a'.repeat(4 * 1024 * 1024)}"`)],
    [
      'an unknown protocol version',
      400,
      -32600,
      () => post(rpc('ping'), [['MCP-Protocol-Version', '2025-01-01']]),
    ],
    ['a malformed origin', 403, undefined, () => post(rpc('ping'), [['Origin', 'nonsense']])],
    [
      'two credentials',
      400,
      undefined,
      () =>
        post(rpc('ping'), [
          ['Authorization', 'Bearer a'],
          ['Authorization', 'Bearer b'],
        ]),
    ],
    [
      'another media type',
      415,
      undefined,
      () =>
        send({
          start: `POST ${SAMPLE}/messages`,
          headers: [['Content-Type', 'text/plain']],
          body: rpc('ping'),
        }),
    ],
    [
      'an unknown deployment',
      404,
      undefined,
      () =>
        send({
          start: 'POST /v1/mcp-router/nobody/messages',
          headers: [JSON_TYPE],
          body: rpc('ping'),
        }),
    ],
    [
      'the Host header of another site',
      403,
      undefined,
      () => post(rpc('ping'), [['Host', 'evil.example']]),
    ],
    ['an unknown path', 404, undefined, () => send({ start: 'GET /v1/nothing' })],
  ])('with %s is answered with status %i', async (_, status, code, answer) => {
    const { status: answered, error, message } = errorOf(await answer());

    expect(answered).toBe(status);
    // Not JSON-RPC, but JSON all the same: from the router an error, from the gateway a message.
    if (code === undefined) expect(error ?? message).toEqual(expect.any(String));
    else expect(error.code).toBe(code);
  });

  test('with an unsupported method is answered with 405 and Allow', async () => {
    for (const method of ['DELETE', 'PUT', 'PATCH']) {
      const answer = await send({ start: `${method} ${SAMPLE}/messages` });
      expect([answer.status, answer.header('allow')]).toEqual([405, 'POST, GET, HEAD, OPTIONS']);
    }
  });
});

describe('the event stream of GET /messages', () => {
  test('ends at once and asks for no reconnection within an hour', async () => {
    const answer = await send({
      start: `GET ${SAMPLE}/messages`,
      headers: [['Accept', 'text/event-stream']],
    });

    expect(answer.status).toBe(200);
    expect(answer.header('content-type')).toMatch(/^text\/event-stream/);
    expect(answer.body).toBe('retry: 3600000\n\n');
  });

  test('is refused without Accept: text/event-stream', async () => {
    expect((await send({ start: `GET ${SAMPLE}/messages` })).status).toBe(405);
  });
});

describe('a preflight request of a browser', () => {
  test('allows the headers that MCP clients send and read', async () => {
    const answer = await send({
      start: `OPTIONS ${SAMPLE}/messages`,
      headers: [
        ['Origin', 'https://app.example'],
        ['Access-Control-Request-Method', 'POST'],
        ['Access-Control-Request-Headers', 'mcp-protocol-version'],
      ],
    });

    expect([answer.status, answer.body]).toEqual([204, '']);
    expect(answer.header('access-control-allow-origin')).toBe('*');
    expect(answer.header('access-control-allow-headers')).toBe(
      'authorization, content-type, accept, mcp-protocol-version, mcp-session-id, last-event-id, mcp-method, mcp-name',
    );
    expect(answer.header('access-control-expose-headers')).toBe(
      'WWW-Authenticate, Mcp-Session-Id, MCP-Protocol-Version',
    );
  });
});

describe('a HEAD request', () => {
  test.each(['/.well-known/mcp-server', '/health', '/docs', ''])(
    'to "%s" is answered with the headers of GET and no body',
    async (path) => {
      const head = await send({ start: `HEAD ${SAMPLE}${path}` });
      const get = await send({ start: `GET ${SAMPLE}${path}` });

      expect([head.status, head.body]).toEqual([200, '']);
      expect(head.header('content-type')).toBe(get.header('content-type'));
      expect(get.body).not.toBe('');
    },
  );
});

test('the discovery document has the specified headers and the URLs of the service', async () => {
  const answer = await send({ start: `GET ${SAMPLE}/.well-known/mcp-server` });

  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET, POST, OPTIONS',
    'access-control-allow-headers': 'authorization, content-type',
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'mcp-protocol-version': '2025-03-26',
  });
  expect(JSON.parse(answer.body)).toMatchObject({
    endpoints: { messages: `${service.baseUrl}/mcp-router/sample/messages` },
    authentication: { required: false, methods: [] },
    _meta: { tool_count: 7, health: `${service.baseUrl}/mcp-router/sample/health` },
  });
});

test('the log has a line for each request with its id and without its arguments', async () => {
  const secret = 'an argument that nobody may read';
  const call = rpc('tools/call', { name: 'listBooks', arguments: { author: secret } });

  const answer = await post(call, [['Authorization', 'Bearer secret-token']]);

  const line = await lineOf(answer.header('x-request-id') ?? 'none');
  expect(JSON.parse(line)).toMatchObject({
    message: 'request',
    route: '/v1/mcp-router/{slug}/messages',
    slug: 'sample',
    outcome: 'ok',
    status: 200,
    duration_ms: expect.any(Number),
    rpc: [{ method: 'tools/call', tool: 'listBooks', outcome: 'ok' }],
  });
  const log = await service.log('router');
  expect(log).not.toContain(secret);
  expect(log).not.toContain('secret-token');
});

/** Lines reach the file a moment after the answer. */
const lineOf = async (requestId: string): Promise<string> => {
  for (;;) {
    const lines = (await service.log('router')).split('\n');
    const line = lines
      .slice(0, -1)
      .find((one) => one.includes(requestId) && one.includes('"message":"request"'));
    if (line !== undefined) return line;
    await setImmediate();
  }
};
