import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startRouter, type TestRouter } from '../../support/mcp/router.ts';
import { anEvent, at, get, post, rpc, type SentHeaders } from '../../support/mcp/router-events.ts';

let router: TestRouter;

beforeAll(async () => {
  router = await startRouter();
  await router.publish('pets');
  await router.publish('strict', { allowedOrigins: ['https://app.example.com'] });
});

afterAll(() => router.stop());

const MESSAGES = at('pets', '/messages');
const say = (sent: unknown, headers?: SentHeaders) => router.send(post(MESSAGES, sent, headers));
const answerTo = async (sent: unknown, headers?: SentHeaders) =>
  JSON.parse((await say(sent, headers)).body);
const notification = { jsonrpc: '2.0', method: 'notifications/initialized' };
const response = { jsonrpc: '2.0', id: 1, result: {} };

describe('a message that needs no response', () => {
  test.each([
    ['a notification', notification],
    ['an unknown notification', { jsonrpc: '2.0', method: 'notifications/of/mine' }],
    ['a notification with invalid params', { ...notification, params: 7 }],
    ['a response', response],
    ['a batch of both', [notification, response]],
    ['a request method without an id', { jsonrpc: '2.0', method: 'tools/list' }],
  ])('is answered with 202 and no body: %s', async (_, sent) => {
    const { statusCode, headers, body } = await say(sent);

    expect([statusCode, body]).toEqual([202, '']);
    expect(headers).not.toHaveProperty('content-type');
  });

  test('without an id does not execute a tool call', async () => {
    const call = { jsonrpc: '2.0', method: 'tools/call', params: { name: 'nothing' } };
    const before = router.target.seen.length;

    expect((await say(call)).statusCode).toBe(202);
    expect((await say([call, notification])).statusCode).toBe(202);

    expect(router.target.seen).toHaveLength(before);
  });
});

describe('a JSON-RPC batch', () => {
  test('is answered with one response per request in order', async () => {
    const { statusCode, body } = await say([
      rpc('ping', {}, 'a'),
      notification,
      rpc('no/such', {}, 2),
      rpc('tools/call', { name: 'nothing' }, 3),
      response,
      rpc('ping', {}, 4),
    ]);

    expect(statusCode).toBe(200);
    expect(JSON.parse(body)).toMatchObject([
      { id: 'a', result: {} },
      { id: 2, error: { code: -32601 } },
      { id: 3, result: { content: [{ type: 'text' }] } },
      { id: 4, result: {} },
    ]);
  });

  test('of one request is answered with an array', async () => {
    expect(await answerTo([rpc('ping')])).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }]);
  });

  test('of 101 messages is refused as a whole', async () => {
    const { statusCode, body } = await say(Array.from({ length: 101 }, () => rpc('ping')));

    expect(statusCode).toBe(400);
    expect(JSON.parse(body)).toMatchObject({ id: null, error: { code: -32600 } });
  });
});

describe('a body that is not JSON-RPC', () => {
  test.each([
    ['an empty array', [], null],
    ['a null id', rpc('ping', {}, null), null],
    ['a float id', rpc('ping', {}, 1.5), null],
    ['an object id', rpc('ping', {}, {}), null],
    ['a boolean id', rpc('ping', {}, false), null],
    ['another version', { ...rpc('ping'), jsonrpc: '1.0' }, 1],
    ['no version', { id: 1, method: 'ping' }, 1],
    ['a method that is not a string', rpc(7 as unknown as string), 1],
    ['an empty object', {}, null],
    ['a number', 7, null],
    ['a string', '"ping"', null],
    ['null', 'null', null],
  ])('is refused with 400 and -32600 for %s', async (_, sent, id) => {
    const { statusCode, body } = await say(sent);

    expect(statusCode).toBe(400);
    expect(JSON.parse(body)).toMatchObject({ jsonrpc: '2.0', id, error: { code: -32600 } });
  });

  test('is refused with one error for each invalid member of a batch', async () => {
    const { statusCode, body } = await say([1, 'x', {}]);

    expect(statusCode).toBe(400);
    expect(JSON.parse(body)).toMatchObject([
      { id: null, error: { code: -32600 } },
      { id: null, error: { code: -32600 } },
      { id: null, error: { code: -32600 } },
    ]);
  });

  test('does not affect valid requests in the same batch', async () => {
    const { statusCode, body } = await say([1, rpc('ping', {}, 2)]);

    expect(statusCode).toBe(200);
    expect(JSON.parse(body)).toMatchObject([{ error: { code: -32600 } }, { id: 2, result: {} }]);
  });

  test('is refused for initialize in a batch', async () => {
    const initialize = rpc('initialize', { protocolVersion: '2025-03-26' });

    expect(await answerTo([initialize, rpc('ping', {}, 2)])).toMatchObject([
      { id: 1, error: { code: -32600 } },
      { id: 2, result: {} },
    ]);
  });

  test.each(['', '{', '{"jsonrpc":"2.0",}', 'hello', "{'a':1}"])(
    'is refused with 400 and -32700 where it is %p',
    async (sent) => {
      const { statusCode, body } = await say(sent);

      expect(statusCode).toBe(400);
      expect(JSON.parse(body)).toMatchObject({ id: null, error: { code: -32700 } });
    },
  );
});

describe('the media type of request and response', () => {
  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'APPLICATION/JSON;charset=UTF-8',
    ' application/json ',
  ])('may be %p in a request', async (type) => {
    expect((await say(rpc('ping'), { 'content-type': type })).statusCode).toBe(200);
  });

  test.each([
    undefined,
    '',
    'text/plain',
    'application/jsonp',
    'application/vnd.api+json',
    'application/x-www-form-urlencoded',
    'text/plain, application/json',
  ])('is refused with 415 where it is %p in a request', async (type) => {
    const { statusCode, body } = await say(rpc('ping'), { 'content-type': type });

    expect(statusCode).toBe(415);
    expect(JSON.parse(body)).toMatchObject({ error: 'unsupported_media_type' });
  });

  test.each([
    undefined,
    '*/*',
    'application/json',
    'application/json, text/event-stream',
    'text/event-stream, */*;q=0.1',
    'text/html',
  ])('is JSON in the response to Accept: %p', async (accept) => {
    const { statusCode, headers } = await say(rpc('ping'), { accept });

    expect([statusCode, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
  });

  test.each([
    'text/event-stream',
    'Text/Event-Stream',
    'text/event-stream;q=0.9',
    'text/event-stream, application/json;q=0',
  ])('is an event stream with one message for Accept: %p', async (accept) => {
    const { statusCode, headers, body } = await say(rpc('ping'), { accept });

    expect([statusCode, headers['content-type']]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
    ]);
    expect(body).toBe('event: message\ndata: {"jsonrpc":"2.0","id":1,"result":{}}\n\n');
  });

  test('is JSON in a refusal, even to Accept: text/event-stream', async () => {
    const { statusCode, headers } = await say('{', { accept: 'text/event-stream' });

    expect([statusCode, headers['content-type']]).toEqual([400, 'application/json; charset=utf-8']);
  });
});

describe('the header Mcp-Session-Id', () => {
  test('is neither sent nor required', async () => {
    const { statusCode, headers } = await say(rpc('ping'), { 'mcp-session-id': 'mine' });

    expect(statusCode).toBe(200);
    expect(headers).not.toHaveProperty('mcp-session-id');
  });
});

describe('browser clients of the router', () => {
  test('learn from the preflight which methods and headers they may use', async () => {
    const { statusCode, headers, body } = await router.send(
      anEvent('OPTIONS', MESSAGES, { headers: { origin: 'https://example.com' } }),
    );

    expect([statusCode, body]).toEqual([204, '']);
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, POST, OPTIONS',
      'access-control-allow-headers':
        'authorization, content-type, accept, mcp-protocol-version, mcp-session-id, last-event-id, mcp-method, mcp-name',
      'access-control-expose-headers': 'WWW-Authenticate, Mcp-Session-Id, MCP-Protocol-Version',
      'access-control-max-age': '86400',
    });
  });

  test('can read responses and errors', async () => {
    for (const sent of [rpc('ping'), '{']) {
      expect((await say(sent)).headers).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-expose-headers': 'WWW-Authenticate, Mcp-Session-Id, MCP-Protocol-Version',
      });
    }
  });

  test.each(['nonsense', 'https://a.example/path', 'https://a.example, https://b.example'])(
    'are refused with the malformed origin %p',
    async (origin) => {
      const { statusCode, body } = await say(rpc('ping'), { origin });

      expect(statusCode).toBe(403);
      expect(JSON.parse(body)).toMatchObject({ error: 'forbidden_origin' });
    },
  );

  test.each([
    ['https://app.example.com', 200],
    [undefined, 200],
    ['https://evil.example', 403],
    ['null', 403],
  ])('from the origin %p get status %d where origins are listed', async (origin, statusCode) => {
    const event = post(at('strict', '/messages'), rpc('ping'), { origin });
    expect((await router.send(event)).statusCode).toBe(statusCode);
  });

  test('may read the documents of a deployment from any origin', async () => {
    const event = get(at('strict', '/.well-known/mcp-server'), { origin: 'https://evil.example' });
    expect((await router.send(event)).statusCode).toBe(200);
  });
});

describe('what is as absent in a message', () => {
  test.each([[null], [[]]])('are params of %j', async (params) => {
    const bodies = ['ping', 'tools/list', 'prompts/list'].map((method) => rpc(method, params));

    for (const body of bodies) expect(await answerTo(body)).toHaveProperty('result');
  });

  test.each([[7], [['x']], [[{}]], [false], ['']])('are not params of %j', async (params) => {
    expect(await answerTo(rpc('tools/list', params))).toMatchObject({ error: { code: -32602 } });
  });

  test('are arguments of null, of tools and prompts', async () => {
    const call = { name: 'nothing', arguments: null };

    expect(await answerTo(rpc('tools/call', call))).toHaveProperty('result.content');
    const legacy = await router.send(post(at('pets', '/tool'), call));
    expect(legacy.statusCode).toBe(200);
  });

  test.each([[[]], [7], ['{}']])('are not arguments of %j', async (args) => {
    const call = rpc('tools/call', { name: 'nothing', arguments: args });

    expect(await answerTo(call)).toMatchObject({ error: { code: -32602 } });
  });
});

describe('the bytes of a request body', () => {
  test.each(['as text', 'in base64'])('may begin with a byte order mark, %s', async (how) => {
    const text = `\u{feff}${JSON.stringify(rpc('ping'))}`;
    const { body = '', ...event } = post(MESSAGES, text);
    const encoded = { body: Buffer.from(body).toString('base64'), isBase64Encoded: true };

    const reply = await router.send({ ...event, ...(how === 'as text' ? { body } : encoded) });

    expect([reply.statusCode, JSON.parse(reply.body)]).toEqual([
      200,
      { jsonrpc: '2.0', id: 1, result: {} },
    ]);
  });

  test.each(['\u{feff}\u{feff}{}', '{}\u{feff}', ' \u{feff}{}'])(
    'may not have one elsewhere, nor two: %j',
    async (text) => {
      expect(await answerTo(text)).toMatchObject({ error: { code: -32700 } });
    },
  );

  const sent = (bytes: Buffer) =>
    router.send(
      anEvent('POST', MESSAGES, {
        headers: { 'content-type': 'application/json' },
        body: bytes,
      }),
    );
  const padded = (bytes: number) => {
    const empty = JSON.stringify(rpc('ping', { _meta: { pad: '' } }));
    return empty.replace('""', `"${'x'.repeat(bytes - empty.length)}"`);
  };

  test('are decoded where API Gateway encoded them in base64', async () => {
    const event = post(MESSAGES, rpc('ping', {}, 'ä€😀'));
    const { statusCode, body } = await router.send({
      ...event,
      body: Buffer.from(event.body ?? '').toString('base64'),
      isBase64Encoded: true,
    });

    expect([statusCode, JSON.parse(body).id]).toEqual([200, 'ä€😀']);
  });

  test.each([
    ['a lone continuation byte', [0x22, 0x80, 0x22]],
    ['an overlong form', [0x22, 0xc0, 0xaf, 0x22]],
    ['a surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['a truncated character', [0x22, 0xe2, 0x82]],
  ])('are refused with 400 and -32700 if they are not UTF-8: %s', async (_, bytes) => {
    const { statusCode, body } = await sent(Buffer.from(bytes));

    expect(statusCode).toBe(400);
    expect(JSON.parse(body)).toMatchObject({ id: null, error: { code: -32700 } });
  });

  test('may be those of U+FFFD, which API Gateway writes for bytes that are not UTF-8', async () => {
    const { statusCode, body } = await sent(
      Buffer.from(JSON.stringify(rpc('ping', {}, '\u{fffd}'))),
    );

    expect([statusCode, JSON.parse(body).id]).toEqual([200, '\u{fffd}']);
  });

  test.each([
    ['4 MB', 4 * 1024 * 1024, 200],
    ['one byte more', 4 * 1024 * 1024 + 1, 413],
  ])('may be %s: %d bytes are answered with %d', async (_, bytes, statusCode) => {
    expect((await say(padded(bytes))).statusCode).toBe(statusCode);
    expect((await sent(Buffer.from(padded(bytes)))).statusCode).toBe(statusCode);
  });

  test('are counted and not the characters', async () => {
    expect((await say(`"${'€'.repeat(1_500_000)}"`)).statusCode).toBe(413);
  });

  test('may nest a million levels without harm', async () => {
    const { statusCode, body } = await say(`${'['.repeat(1e6)}${']'.repeat(1e6)}`);

    expect(statusCode).toBe(400);
    expect(JSON.parse(body)).toMatchObject({ error: { code: -32600 } });
  });
});

describe('the Authorization header at a public deployment', () => {
  test.each([
    ['Bearer a, Bearer a', 200],
    ['Bearer a, Bearer b', 400],
    ['Bearer a, Bearer a, Bearer b', 400],
  ])('may hold the same credential twice: %s', async (authorization, status) => {
    expect((await say(rpc('ping'), { authorization })).statusCode).toBe(status);
  });

  test('is refused with 400 where it holds two credentials', async () => {
    const { statusCode, body } = await say(rpc('ping'), { authorization: 'Bearer a,Bearer b' });

    expect(statusCode).toBe(400);
    expect(JSON.parse(body)).toMatchObject({ error: 'invalid_request' });
  });

  test('is ignored and never forwarded', async () => {
    const { result } = await answerTo(rpc('tools/call', { name: 'getPet', arguments: { id: 1 } }), {
      authorization: 'Bearer mine',
    });

    const { headers } = JSON.parse(result.content[0].text);
    expect(headers).not.toHaveProperty('authorization');
    expect(JSON.stringify(headers)).not.toContain('mine');
  });
});

describe('the header MCP-Protocol-Version', () => {
  test.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    'may be %s in a request',
    async (version) => {
      expect((await say(rpc('ping'), { 'mcp-protocol-version': version })).statusCode).toBe(200);
    },
  );

  test.each(['2025-11-25, 2025-11-25', '2025-06-18,2025-06-18 , 2025-06-18'])(
    'may stand there more than once with the same value: %s',
    async (versions) => {
      const { statusCode, headers } = await say(rpc('ping'), { 'mcp-protocol-version': versions });

      expect(statusCode).toBe(200);
      expect(headers['mcp-protocol-version']).toBe(versions.slice(0, 10));
    },
  );

  test.each([
    '1.0',
    '',
    '2026-07-27',
    '2025-03-26, 2025-06-18',
    '2025-11-25, 2025-11-25, 2025-06-18',
    '2025-11-25,',
  ])('is refused with 400 for %p', async (version) => {
    const { statusCode, body } = await say(rpc('ping'), { 'mcp-protocol-version': version });

    expect(statusCode).toBe(400);
    expect(JSON.parse(body)).toMatchObject({ id: 1, error: { code: -32600 } });
  });

  test('is not required by initialize or documents', async () => {
    const headers = { 'mcp-protocol-version': 'anything' };
    const initialize = rpc('initialize', { protocolVersion: '2099-01-01' });

    expect((await say(initialize, headers)).statusCode).toBe(200);
    expect(
      (await router.send(get(at('pets', '/.well-known/mcp-server'), headers))).statusCode,
    ).toBe(200);
  });

  test.each([
    ['2024-11-05', '2025-03-26'],
    ['2025-03-26', '2025-03-26'],
    ['2025-06-18', '2025-06-18'],
    [' 2025-11-25 ', '2025-11-25'],
  ])('with %j is answered in %s', async (version, answered) => {
    const { headers } = await say(rpc('ping'), { 'mcp-protocol-version': version });

    expect(headers['mcp-protocol-version']).toBe(answered);
  });

  test.each([
    [undefined, 200, ['result', 'result']],
    ['2024-11-05', 200, ['result', 'result']],
    ['2025-03-26', 200, ['result', 'result']],
    ['2025-06-18', 400, -32600],
    ['2025-11-25', 400, -32600],
  ])('with %j says whether there are batches', async (version, status, expected) => {
    const before = router.lines.filter(({ message }) => message === 'tool_call').length;
    const call = rpc('tools/call', { name: 'getPet', arguments: { id: 1 } }, 2);

    const reply = await say([rpc('ping'), call], { 'mcp-protocol-version': version });

    const answer = JSON.parse(reply.body);
    const told = Array.isArray(answer)
      ? answer.map((one) => Object.keys(one).at(-1))
      : [answer.id, answer.error.code];
    expect([reply.statusCode, told]).toEqual([
      status,
      Array.isArray(expected) ? expected : [null, expected],
    ]);
    const called = router.lines.filter(({ message }) => message === 'tool_call').length - before;
    // When it is sent, and when it has ended.
    expect(called).toBe(status === 200 ? 2 : 0);
  });

  test.each([
    [undefined, 'error'],
    ['2025-03-26', 'error'],
    ['2025-06-18', 'error'],
    ['2025-11-25', 'result'],
  ])('with %j says how faults of arguments are told: %s', async (version, member) => {
    const call = rpc('tools/call', { name: 'getPet', arguments: { id: 'x' } });

    const reply = await say(call, { 'mcp-protocol-version': version });

    expect(reply.statusCode).toBe(200);
    const { error, result } = JSON.parse(reply.body);
    const text = expect.stringMatching(/^Invalid arguments: \/id must be an integer/);
    expect(error ?? result).toEqual(
      member === 'error'
        ? { code: -32602, message: text, data: expect.anything() }
        : { content: [{ type: 'text', text }], isError: true },
    );
  });

  test.each(['2025-03-26', '2025-06-18', '2025-11-25'])(
    'with %s makes no result of a target that gives no answer',
    async (version) => {
      const reply = await say(rpc('tools/call', { name: 'closed' }), {
        'mcp-protocol-version': version,
      });

      expect(JSON.parse(reply.body).error.code).toBe(-32000);
    },
  );

  test.each([
    ['2025-11-25', 404, '2025-11-25'],
    ['2026-07-28', 404, '2026-07-28'],
    ['2024-11-05', 404, '2024-11-05'],
    [undefined, 404, '2025-03-26'],
    ['2099-01-01', 404, undefined],
    ['anything', 404, undefined],
  ])('of %j is that of a refusal, too, or it has none', async (version, status, answered) => {
    const sent = post(at('nobody', '/messages'), rpc('ping'), { 'mcp-protocol-version': version });
    const { statusCode, headers } = await router.send(sent);

    expect([statusCode, headers['mcp-protocol-version']]).toEqual([status, answered]);
  });

  test('is part of every response', async () => {
    for (const event of [post(MESSAGES, rpc('ping')), post(MESSAGES, '{'), get(at('nobody'))]) {
      expect((await router.send(event)).headers['mcp-protocol-version']).toBe('2025-03-26');
    }
  });
});

describe('GET /messages', () => {
  test.each(['text/event-stream', 'application/json, text/event-stream'])(
    'is an empty event stream for Accept: %p',
    async (accept) => {
      const { statusCode, headers, body } = await router.send(get(MESSAGES, { accept }));

      expect([statusCode, headers['content-type'], body]).toEqual([
        200,
        'text/event-stream; charset=utf-8',
        'retry: 3600000\n\n',
      ]);
    },
  );

  test.each([undefined, '*/*', 'application/json', 'text/event-stream;q=0'])(
    'is answered with 405 for Accept: %p',
    async (accept) => {
      const { statusCode, headers, body } = await router.send(get(MESSAGES, { accept }));

      expect([statusCode, headers['allow']]).toEqual([405, 'POST, OPTIONS']);
      expect(body).toContain('a page at the same address with docs in place of messages');
    },
  );
});
