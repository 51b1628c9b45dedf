import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { startRouter, type TestRouter } from '../../support/mcp/router.ts';
import { anAddress, anEvent, at, get, post, rpc } from '../../support/mcp/router-events.ts';
import { EVENT_LINE } from '../../support/event-line.ts';

let router: TestRouter;

beforeAll(async () => {
  router = await startRouter();
  await router.publish('pets');
});

afterEach(() => router.store.aws.faults.clear());
afterAll(() => router.stop());

const say = (sent: unknown, address: string, end = '/messages') =>
  router.send(post(at('pets', end), sent, {}, address));
const requests = (count: number, first = 1) =>
  Array.from({ length: count }, (_, index) => rpc('prompts/list', {}, first + index));
/** Leaves an address so many requests in this minute. */
const withLeft = async (left: number): Promise<string> => {
  const address = anAddress();
  if (left < 60) await say(requests(60 - left), address);
  return address;
};

describe('the rate limit of a public deployment', () => {
  test('allows 60 requests a minute from one address', async () => {
    const address = await withLeft(1);

    expect((await say(rpc('tools/list'), address)).statusCode).toBe(200);
    expect((await say(rpc('tools/list'), address)).statusCode).toBe(429);
  });

  test('answers 429 with Retry-After and an error with the request id', async () => {
    const { statusCode, headers, body } = await say(
      rpc('tools/list', {}, 'mine'),
      await withLeft(0),
    );

    expect(statusCode).toBe(429);
    expect(headers['retry-after']).toBe('60');
    expect(JSON.parse(body)).toEqual({
      jsonrpc: '2.0',
      id: 'mine',
      error: {
        code: -32000,
        message: 'Too many requests. Try again in 60 seconds.',
        data: { reason: 'rate_limited', retry_after_seconds: 60 },
      },
    });
  });

  test('allows requests again in the next minute', async () => {
    const address = await withLeft(0);
    router.clock.time += 59;
    expect((await say(rpc('tools/list'), address)).statusCode).toBe(429);
    router.clock.time += 1;

    expect((await say(rpc('tools/list'), address)).statusCode).toBe(200);
  });

  test('is separate for each address', async () => {
    await withLeft(0);
    expect((await say(rpc('tools/list'), anAddress())).statusCode).toBe(200);
  });

  test('counts an IPv6 /64 network as one address', async () => {
    await say(requests(60), '2001:db8:1:2::1');

    expect((await say(rpc('tools/list'), '2001:db8:1:2:ffff::1')).statusCode).toBe(429);
    expect((await say(rpc('tools/list'), '2001:db8:1:3::1')).statusCode).toBe(200);
  });
});

describe('a batch at the rate limit', () => {
  test('counts per message, pings, notifications and responses too', async () => {
    const address = await withLeft(5);
    const batch = [
      ...requests(2),
      rpc('ping', {}, 8),
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 9, result: {} },
    ];

    expect((await say(batch, address)).statusCode).toBe(200);
    expect((await say(rpc('tools/list'), address)).statusCode).toBe(429);
  });

  test('is refused as a whole where it would cross the limit, and nothing is executed', async () => {
    const address = await withLeft(3);
    const before = router.target.seen.length;
    const batch = [
      rpc('tools/call', { name: 'nothing' }, 'a'),
      rpc('ping', {}, 2),
      { jsonrpc: '2.0', method: 'x' },
      rpc('tools/call', { name: 'nothing' }, 3),
    ];
    const { statusCode, body } = await say(batch, address);

    expect(statusCode).toBe(429);
    expect(JSON.parse(body)).toMatchObject([
      { id: 'a', error: { code: -32000 } },
      { id: 2, error: { code: -32000 } },
      { id: 3, error: { code: -32000 } },
    ]);
    expect(router.target.seen).toHaveLength(before);
  });
});

describe('requests that the rate limit does not count', () => {
  test('include the documents of a deployment', async () => {
    const address = await withLeft(0);
    for (const end of ['', '/health', '/.well-known/mcp-server']) {
      expect((await router.send(get(at('pets', end), {}, address))).statusCode).toBe(200);
    }
    const document = post(at('pets'), { no: 'message' }, {}, address);
    expect((await router.send(document)).statusCode).toBe(200);
  });

  test('include preflights', async () => {
    const address = await withLeft(0);
    for (const end of ['', '/messages', '/tool', '/docs']) {
      const event = anEvent('OPTIONS', at('pets', end), { sourceIp: address });
      expect((await router.send(event)).statusCode).toBe(204);
    }
  });
});

describe('requests that the rate limit counts once', () => {
  test.each([
    ['ping', rpc('ping'), '/messages', 200],
    ['a notification', { jsonrpc: '2.0', method: 'notifications/initialized' }, '/messages', 202],
    ['a response', { jsonrpc: '2.0', id: 1, result: {} }, '/messages', 202],
    ['a body that is too large', 'x'.repeat(5_000_000), '/messages', 413],
    ['one at the base URL', 'x'.repeat(5_000_000), '', 413],
    ['one at the legacy endpoint', 'x'.repeat(5_000_000), '/tool', 413],
    ['malformed JSON', '{', '/messages', 400],
    ['JSON that is not JSON-RPC', {}, '/messages', 400],
    ['an empty batch', [], '/messages', 400],
    ['an unknown method', rpc('no/such'), '/messages', 200],
    ['a request at the base URL', rpc('tools/list'), '', 200],
    ['a legacy call', { name: 'nothing' }, '/tool', 200],
    ['a malformed legacy call', '{', '/tool', 400],
    ['JSON-RPC at the legacy endpoint', rpc('tools/list'), '/tool', 200],
  ])('include %s', async (_, sent, end, statusCode) => {
    const address = await withLeft(1);

    expect((await say(sent, address, end)).statusCode).toBe(statusCode);
    expect((await say(sent, address, end)).statusCode).toBe(429);
  });

  const EVENTS = { accept: 'text/event-stream' };
  test.each([
    ['the event stream', 'GET', '/messages', EVENTS, 200],
    ['the event stream at the base URL', 'GET', '', EVENTS, 200],
    ['a GET for no stream', 'GET', '/messages', {}, 405],
    ['the page for people', 'GET', '/docs', {}, 200],
    ['another method', 'DELETE', '/messages', {}, 405],
    ['another method at the base URL', 'PUT', '', {}, 405],
    ['another method at the legacy endpoint', 'PATCH', '/tool', {}, 405],
    ['another media type', 'POST', '/messages', { 'content-type': 'text/plain' }, 415],
    ['another media type of a legacy call', 'POST', '/tool', { 'content-type': 'text/plain' }, 415],
    ['an origin that is none', 'POST', '/messages', { origin: 'no origin' }, 403],
    ['two sets of credentials', 'POST', '/messages', { authorization: 'Bearer a, Bearer b' }, 400],
  ] as const)('include %s', async (_, method, end, headers, statusCode) => {
    const sourceIp = await withLeft(1);
    const body = method === 'POST' ? { body: '{}' } : {};
    const send = async () => {
      const event = anEvent(method, at('pets', end), { headers, sourceIp, ...body });
      return (await router.send(event)).statusCode;
    };

    expect([await send(), await send()]).toEqual([statusCode, 429]);
  });

  test('include a legacy list of tools', async () => {
    const address = await withLeft(1);
    const list = () => router.send(get(at('pets', '/tool'), {}, address));

    expect((await list()).statusCode).toBe(200);
    expect((await list()).statusCode).toBe(429);
  });
});

describe('an address at five times the rate limit', () => {
  test('is blocked for an hour, with one security event', async () => {
    const address = await withLeft(0);
    for (let times = 0; times < 3; times++) await say(requests(60), address);
    expect((await say(requests(59), address)).headers['retry-after']).toBe('60');
    const before = router.lines.length;

    const { statusCode, headers } = await say(rpc('tools/list'), address);
    await say(rpc('tools/list'), address);

    expect([statusCode, headers['retry-after']]).toEqual([429, '3600']);
    expect(router.lines.slice(before).filter(({ event }) => event === 'ip_blocked')).toEqual([
      {
        ...EVENT_LINE,
        type: 'security',
        event: 'ip_blocked',
        deployment_id: 'dep-pets',
        slug: 'pets',
        subject: address,
        why: 'public_requests_per_minute_per_ip',
      },
    ]);
    router.clock.time += 1800;
    expect((await say(rpc('tools/list'), address)).headers['retry-after']).toBe('1800');
  });
});

describe('a failing DynamoDB', () => {
  const limits = { service: 'dynamodb', operation: 'UpdateItem' };

  test('lets no request pass uncounted', async () => {
    const before = router.target.seen.length;
    router.store.aws.faults.inject({ kind: 'fail', on: limits });
    const call = rpc('tools/call', { name: 'nothing' });
    const { statusCode, headers, body } = await say(call, anAddress());

    expect([statusCode, headers['retry-after']]).toEqual([503, '5']);
    expect(JSON.parse(body)).toEqual({
      error: 'unavailable',
      error_description: 'The service is busy. Try again in a moment.',
    });
    expect(router.target.seen).toHaveLength(before);
  });

  test.each(['throttle', 'fail', 'drop'] as const)(
    'is answered with 503 where a deployment cannot be read: %s',
    async (kind) => {
      router.store.aws.faults.inject({ kind, on: { operation: 'GetItem' } });
      const { statusCode, headers } = await router.send(get(at(`unread-${kind}`, '/health')));

      expect([statusCode, headers['retry-after']]).toEqual([503, '5']);
    },
  );

  test('does not change an answer whose security event cannot be stored', async () => {
    const address = anAddress();
    for (let sent = 0; sent < 2; sent += 1) await say(requests(100), address);
    router.store.aws.faults.inject({ kind: 'fail', on: { operation: 'PutItem' } });

    // This one blocks the address, which is an event.
    expect((await say(requests(100), address)).statusCode).toBe(429);
    expect(router.lines.at(-1)).toMatchObject({ level: 'error', events_lost: true });
  });
});
