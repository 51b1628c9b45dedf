import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { server } from '../../../lambdas/router/server.ts';
import { NOON } from '../../adapters/dynamodb/fixtures.ts';
import { startRouter, type TestRouter } from '../../support/router.ts';
import { at, get, post, rpc } from '../../support/router-events.ts';

let router: TestRouter;

beforeAll(async () => {
  router = await startRouter();
  await router.publish('pets');
  await router.publish('login', { authMethod: 'oauth' });
});

afterAll(() => router.stop());

type Event = Parameters<TestRouter['send']>[0];
const linesOf = async (event: Event) => {
  const before = router.lines.length;
  await router.send(event);
  return router.lines.slice(before);
};

describe('the log of the router', () => {
  test('has one line for a request and a record for a tool call', async () => {
    const call = rpc('tools/call', { name: 'getPet', arguments: { id: 1 } });

    expect(await linesOf(post(at('pets', '/messages'), call, {}, '198.51.100.7'))).toEqual([
      {
        time: '2026-11-20T12:00:00.000Z',
        message: 'tool_call',
        request_id: 'request-1',
        index: 0,
        deployment_id: 'dep-pets',
        version: 1,
        tool: 'getPet',
        outcome: 'ok',
        status: 200,
        duration_ms: 0,
        subject: '198.51.100.7',
        ip: '198.51.100.7',
        at: NOON,
      },
      {
        message: 'request',
        level: 'info',
        request_id: 'request-1',
        method: 'POST',
        route: '/v1/mcp-router/{slug}/messages',
        slug: 'pets',
        rpc: [{ method: 'tools/call', tool: 'getPet', version: '2025-03-26', outcome: 'ok' }],
        outcome: 'ok',
        status: 200,
        duration_ms: 0,
      },
    ]);
  });

  test('names the version that is spoken, and in a handshake what the client calls itself', async () => {
    const spoken = '2025-06-18';
    const params = { protocolVersion: spoken, clientInfo: { name: `gemini\n${'x'.repeat(80)}` } };
    const [shaken] = await linesOf(post(at('pets', '/messages'), rpc('initialize', params)));
    const headers = { 'mcp-protocol-version': spoken };
    const [pinged] = await linesOf(post(at('pets', '/messages'), rpc('ping'), headers));

    const client = `gemini?${'x'.repeat(57)}`;
    expect([shaken?.['rpc'], pinged?.['rpc']]).toEqual([
      [{ method: 'initialize', outcome: 'ok', version: spoken, client }],
      [{ method: 'ping', outcome: 'ok', version: spoken }],
    ]);
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
    expect((await linesOf(event)).at(-1)).toMatchObject({ level: 'info', ...line });
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
