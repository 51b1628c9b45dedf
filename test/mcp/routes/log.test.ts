import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { server } from '../../../layers/mcp/routes/server.ts';
import { startRouter, type TestRouter } from '../../support/mcp/router.ts';
import { META, modernPost } from '../../support/mcp/modern-requests.ts';
import { at, get, post, rpc } from '../../support/mcp/router-events.ts';

let router: TestRouter;

beforeAll(async () => {
  router = await startRouter();
  await router.publish('pets');
  await router.publish('login', { authMethod: 'oauth' });
  await router.publish('traced', { traceContext: 'forwarded' });
});

afterAll(() => router.stop());

type Event = Parameters<TestRouter['send']>[0];
const linesOf = async (event: Event) => {
  const before = router.lines.length;
  await router.send(event);
  return router.lines.slice(before);
};

describe('the log of the router', () => {
  test('has one line for a request, and two for a tool call: when it is sent, and when it has ended', async () => {
    const call = rpc('tools/call', { name: 'getPet', arguments: { id: 1 } });
    const begun = {
      time: '2026-11-20T12:00:00.000Z',
      message: 'tool_call',
      schema: 1,
      request_id: 'request-1',
      index: 0,
      deployment_id: 'dep-pets',
      version: 1,
      tool: 'getPet',
      outcome: 'unfinished',
      subject: '198.51.100.7',
      ip: '198.51.100.7',
    };

    expect(await linesOf(post(at('pets', '/messages'), call, {}, '198.51.100.7'))).toEqual([
      begun,
      {
        ...begun,
        outcome: 'ok',
        status: 200,
        duration_ms: 0,
        answer_tokens: 77,
        slug: 'pets',
        method: 'GET',
      },
      {
        message: 'request',
        level: 'info',
        request_id: 'request-1',
        method: 'POST',
        route: '/v1/mcp-router/{slug}/messages',
        slug: 'pets',
        protocol: { era: 'legacy', version: '2025-03-26' },
        rpc: [{ method: 'tools/call', tool: 'getPet', outcome: 'ok' }],
        outcome: 'ok',
        status: 200,
        duration_ms: 0,
      },
    ]);
  });

  test('says who came in a handshake, and which version was answered', async () => {
    const params = { protocolVersion: '2025-11-25', clientInfo: { name: 'codex', version: '1' } };
    const [line] = await linesOf(post(at('pets', '/messages'), rpc('initialize', params)));

    expect(line).toMatchObject({
      protocol: { era: 'legacy', version: '2025-11-25', client: 'codex' },
      rpc: [{ method: 'initialize', outcome: 'ok' }],
    });
  });

  test.each([
    ['an error of the target API', { name: 'fail', arguments: { status: 500 } }, 'target_error'],
    ['no answer of the target API', { name: 'closed' }, 'server_error'],
    ['wrong arguments', { name: 'getPet' }, 'invalid_params'],
  ])('has the outcome of a call: %s', async (_, params, outcome) => {
    const lines = await linesOf(post(at('pets', '/messages'), rpc('tools/call', params)));
    expect(lines.at(-1)).toMatchObject({
      status: 200,
      rpc: [{ method: 'tools/call', tool: params.name, outcome }],
    });
  });

  test('has the outcome of each message in a batch', async () => {
    const batch = [rpc('ping'), rpc('no/such'), { jsonrpc: '2.0', method: 'mine' }, 7];
    const [line] = await linesOf(post(at('pets', '/messages'), batch));

    expect(line).toMatchObject({
      rpc: [
        { method: 'ping', outcome: 'ok' },
        { method: 'unknown', outcome: 'method_not_found' },
        { method: 'notification', outcome: 'ok' },
        { method: 'unknown', outcome: 'invalid_request' },
      ],
    });
  });

  test.each([
    [
      'an unknown slug',
      get(at('nobody')),
      { outcome: 'not_found', status: 404, why: 'unknown slug' },
    ],
    ['a malformed slug', get(at('X')), { outcome: 'not_found', status: 404, why: 'not a slug' }],
    [
      'a missing token',
      post(at('login', '/messages'), rpc('ping')),
      { outcome: 'missing_token', status: 401, slug: 'login' },
    ],
    [
      'a foreign origin',
      post(at('pets', '/messages'), rpc('ping'), { origin: 'x' }),
      { outcome: 'forbidden_origin', status: 403, why: 'malformed Origin' },
    ],
  ])('has the reason of a refusal: %s', async (_, event, line) => {
    expect((await linesOf(event)).at(-1)).toMatchObject({ level: 'warn', ...line });
  });

  test('never contains secrets, arguments, bodies, queries or unknown names', async () => {
    const headers = { authorization: 'Bearer CANARY', cookie: 'CANARY', origin: 'CANARY' };
    const events: Event[] = [
      post(
        at('pets', '/messages'),
        rpc('tools/call', { name: 'addPet', arguments: { name: 'CANARY' } }),
      ),
      post(
        at('pets', '/messages'),
        rpc('tools/call', { name: 'getPet', arguments: { CANARY: 1 } }),
      ),
      post(at('pets', '/messages'), rpc('tools/call', { name: 'CANARY' })),
      post(at('pets', '/messages'), rpc('CANARY', { CANARY: 1 }, 'CANARY')),
      post(at('pets', '/messages'), rpc('prompts/get', { name: 'CANARY' })),
      post(at('pets', '/messages'), rpc('resources/read', { uri: 'CANARY' })),
      post(at('pets', '/messages'), '{"CANARY"'),
      post(at('pets', '/tool'), { name: 'CANARY', arguments: { CANARY: 1 } }),
      post(at('login', '/messages'), rpc('ping'), { authorization: 'Bearer CANARY' }),
      post(at('pets', '/messages'), rpc('ping'), headers),
      post(at('pets', '/messages'), rpc('ping'), { 'mcp-protocol-version': 'CANARY' }),
      get(at('CANARY', '/CANARY')),
      get('/CANARY'),
      { ...get(at('pets')), rawQueryString: 'token=CANARY' } as Event,
    ];
    for (const event of events) {
      expect(JSON.stringify(await linesOf(event))).not.toContain('CANARY');
    }
  });
});

describe('the trace context of a client', () => {
  const own = {
    traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    tracestate: 'rojo=1',
  };
  const ofHeader = { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-1111111111111111-00' };
  const call = { name: 'getPet', arguments: { id: 1 } };
  const baggage = { baggage: 'user=ada' };
  const requests: [string, (slug: string) => Event, object][] = [
    [
      'of a request without a handshake',
      (slug) =>
        modernPost(
          at(slug, '/messages'),
          'tools/call',
          { ...call, _meta: { ...META, ...own, ...baggage } },
          { ...ofHeader, ...baggage },
        ),
      own,
    ],
    [
      'of a request after one',
      (slug) => {
        const _meta = { ...own, ...baggage };
        return post(at(slug, '/messages'), rpc('tools/call', { ...call, _meta }), ofHeader);
      },
      own,
    ],
    [
      'of a header',
      (slug) => post(at(slug, '/messages'), rpc('tools/call', call), { ...ofHeader, ...baggage }),
      ofHeader,
    ],
    [
      'of a header at the legacy endpoint',
      (slug) => post(at(slug, '/tool'), call, ofHeader),
      ofHeader,
    ],
  ];
  const sentToTarget = (body: string): Record<string, unknown> => {
    const { result = {}, ...plain } = JSON.parse(body);
    const { traceparent, tracestate, baggage } = JSON.parse(
      (result.content ?? plain.content)[0].text,
    ).headers;
    return JSON.parse(JSON.stringify({ traceparent, tracestate, baggage }));
  };

  test.each(requests)('%s is in the log, and its baggage is not', async (_, event, context) => {
    const lines = await linesOf(event('pets'));

    expect(lines.at(-1)).toMatchObject({ rpc: [{ tool: 'getPet', outcome: 'ok', ...context }] });
    expect(JSON.stringify(lines)).not.toMatch(/baggage|ada/);
  });

  test.each(requests)('%s stays here', async (_, event) => {
    expect(sentToTarget((await router.send(event('pets'))).body)).toEqual({});
  });

  test.each(requests)('%s goes on where the owner says so', async (_, event, context) => {
    expect(sentToTarget((await router.send(event('traced'))).body)).toEqual(context);
  });

  test('is dropped where it is malformed', async () => {
    const _meta = { traceparent: `${own.traceparent}\r\nx: 1`, tracestate: 'rojo=1' };
    const event = post(at('traced', '/messages'), rpc('tools/call', { ...call, _meta }));
    const before = router.lines.length;

    expect(sentToTarget((await router.send(event)).body)).toEqual({});
    expect(JSON.stringify(router.lines.slice(before))).not.toContain('rojo');
  });
});

describe('an unexpected exception', () => {
  test('is answered with a bare 500, and the log has its place but not its message', async () => {
    const lines: unknown[] = [];
    const send = server({
      ...router.ports,
      log: { write: (line) => void lines.push(line) },
      deployments: {
        ...router.ports.deployments,
        find: async () => {
          throw new TypeError('CANARY is not a function');
        },
      },
    });
    const { statusCode, headers, body } = await send(get(at('pets')));

    expect([statusCode, headers['x-request-id']]).toEqual([500, 'request-1']);
    expect(JSON.parse(body)).toEqual({
      error: 'internal_error',
      error_description: 'Something went wrong here.',
    });
    expect(lines).toEqual([
      expect.objectContaining({
        level: 'error',
        outcome: 'bug',
        status: 500,
        error: 'TypeError',
        at: expect.arrayContaining([expect.stringContaining('log.test.ts')]),
      }),
    ]);
    expect(JSON.stringify([lines, body])).not.toContain('CANARY');
  });
});

describe('a failing AWS service', () => {
  test('is named in the log and not in the answer', async () => {
    router.store.aws.faults.inject({ kind: 'fail', on: { operation: 'GetItem' } });
    const event = get(at('unreadable'));
    const { body } = await router.send(event);
    router.store.aws.faults.clear();

    expect(router.lines.at(-1)).toMatchObject({
      level: 'error',
      outcome: 'fault',
      neighbour: 'dynamodb',
    });
    expect(body).not.toMatch(/dynamo/i);
  });
});
