import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { startRouter, type TestRouter } from '../../support/router.ts';
import { anAddress, at, get, post, rpc } from '../../support/router-events.ts';

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

describe('D15 requests to a public deployment', () => {
  test('are let through up to 60 a minute from one address', async () => {
    const address = await withLeft(1);

    expect((await say(rpc('tools/list'), address)).statusCode).toBe(200);
    expect((await say(rpc('tools/list'), address)).statusCode).toBe(429);
  });

  test('D5 beyond it get 429, Retry-After and an error with their id', async () => {
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

  test('are let through again in the next minute', async () => {
    const address = await withLeft(0);
    router.clock.time += 59;
    expect((await say(rpc('tools/list'), address)).statusCode).toBe(429);
    router.clock.time += 1;

    expect((await say(rpc('tools/list'), address)).statusCode).toBe(200);
  });

  test('of one address do not hinder another', async () => {
    await withLeft(0);
    expect((await say(rpc('tools/list'), anAddress())).statusCode).toBe(200);
  });

  test('of one IPv6 network count together', async () => {
    await say(requests(60), '2001:db8:1:2::1');

    expect((await say(rpc('tools/list'), '2001:db8:1:2:ffff::1')).statusCode).toBe(429);
    expect((await say(rpc('tools/list'), '2001:db8:1:3::1')).statusCode).toBe(200);
  });
});

describe('D15, D39 a batch', () => {
  test('counts item by item, without ping, notifications and responses', async () => {
    const address = await withLeft(2);
    const batch = [
      ...requests(2),
      rpc('ping', {}, 8),
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 9, result: {} },
    ];

    expect((await say(batch, address)).statusCode).toBe(200);
    expect((await say(rpc('tools/list'), address)).statusCode).toBe(429);
  });

  test('that would cross the limit is refused whole, and nothing of it is done', async () => {
    const address = await withLeft(1);
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

describe('D15 what is free', () => {
  test.each([
    ['ping', rpc('ping'), 200],
    ['a notification', { jsonrpc: '2.0', method: 'notifications/initialized' }, 202],
    ['a response', { jsonrpc: '2.0', id: 1, result: {} }, 202],
  ])('%s passes at the limit', async (_, sent, statusCode) => {
    expect((await say(sent, await withLeft(0))).statusCode).toBe(statusCode);
  });

  test('documents pass at the limit', async () => {
    const address = await withLeft(0);
    for (const end of ['', '/health', '/docs', '/.well-known/mcp-server']) {
      expect((await router.send(get(at('pets', end), {}, address))).statusCode).toBe(200);
    }
  });
});

describe('D15 what counts as one', () => {
  test.each([
    ['no JSON', '{', '/messages', 400],
    ['no JSON-RPC', {}, '/messages', 400],
    ['an empty batch', [], '/messages', 400],
    ['an unknown method', rpc('no/such'), '/messages', 200],
    ['a request at the base', rpc('tools/list'), '', 200],
    ['a legacy call', { name: 'nothing' }, '/tool', 200],
    ['a legacy call that is no JSON', '{', '/tool', 400],
    ['JSON-RPC at the legacy endpoint', rpc('tools/list'), '/tool', 200],
  ])('%s', async (_, sent, end, statusCode) => {
    const address = await withLeft(1);

    expect((await say(sent, address, end)).statusCode).toBe(statusCode);
    expect((await say(sent, address, end)).statusCode).toBe(429);
  });

  test('a legacy list', async () => {
    const address = await withLeft(1);
    const list = () => router.send(get(at('pets', '/tool'), {}, address));

    expect((await list()).statusCode).toBe(200);
    expect((await list()).statusCode).toBe(429);
  });
});

describe('D15, D39 an address at five times the limit', () => {
  test('is blocked for an hour, which is remembered once', async () => {
    const address = await withLeft(0);
    for (let times = 0; times < 3; times++) await say(requests(60), address);
    expect((await say(requests(59), address)).headers['retry-after']).toBe('60');
    const before = router.lines.length;

    const { statusCode, headers } = await say(rpc('tools/list'), address);
    await say(rpc('tools/list'), address);

    expect([statusCode, headers['retry-after']]).toEqual([429, '3600']);
    expect(router.lines.slice(before).filter(({ event }) => event === 'ip_blocked')).toEqual([
      {
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

describe('a store that is down', () => {
  const limits = { service: 'dynamodb', operation: 'UpdateItem' };

  test('lets nobody pass uncounted', async () => {
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
    'gets 503 where a deployment cannot be read: %s',
    async (kind) => {
      router.store.aws.faults.inject({ kind, on: { operation: 'GetItem' } });
      const { statusCode, headers } = await router.send(get(at(`unread-${kind}`, '/health')));

      expect([statusCode, headers['retry-after']]).toEqual([503, '5']);
    },
  );

  test('does not take an answer away whose record could not be kept', async () => {
    await router.publish('login', { authMethod: 'oauth' });
    router.store.aws.faults.inject({ kind: 'fail', on: { operation: 'PutItem' } });
    const event = post(at('login', '/messages'), rpc('ping'), { authorization: 'Bearer a' });

    expect((await router.send(event)).statusCode).toBe(401);
    expect(router.lines.at(-1)).toMatchObject({ level: 'error', events_lost: true });
  });
});
