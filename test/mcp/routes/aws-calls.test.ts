import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startRouter, type TestRouter } from '../../support/mcp/router.ts';
import { anAddress, at, get, post, rpc } from '../../support/mcp/router-events.ts';

let router: TestRouter;

beforeAll(async () => {
  router = await startRouter();
  await router.publish('pets');
});
afterAll(() => router.stop());

const ADDRESS = anAddress();
const send = (sent: unknown) => router.send(post(at('pets'), sent, {}, ADDRESS));
const call = () => send(rpc('tools/call', { name: 'nothing' }));
const callsMade = () =>
  router.store.aws.calls.list().map(({ service, operation, times }) => [service, operation, times]);

/**
 * Source: docs/decisions/storage.md, "Latency of a call": in mode `none` a warm call takes one trip before
 * the target.
 */
describe('a warm router instance', () => {
  beforeEach(async () => {
    await call();
    router.store.aws.calls.reset();
  });

  test('calls AWS once for a tool call, to count it', async () => {
    const { statusCode } = await call();

    expect(statusCode).toBe(200);
    expect(callsMade()).toEqual([['dynamodb', 'UpdateItem', 1]]);
  });

  test('stops calling AWS after a while: what was called is in the log', async () => {
    router.clock.time += 10;
    await call();
    expect(callsMade()).toEqual([['dynamodb', 'UpdateItem', 1]]);
  });

  test('calls AWS once for tools/list, to count it', async () => {
    await send(rpc('tools/list'));
    expect(callsMade()).toEqual([['dynamodb', 'UpdateItem', 1]]);
  });

  test('calls AWS once for a batch of calls, to count them', async () => {
    const batch = [1, 2, 3].map((id) => rpc('tools/call', { name: 'nothing' }, id));
    await send(batch);

    expect(callsMade()).toEqual([['dynamodb', 'UpdateItem', 1]]);
  });

  test.each([
    ['ping', rpc('ping')],
    ['a notification', { jsonrpc: '2.0', method: 'notifications/initialized' }],
  ])('calls AWS once for %s, to count it', async (_, message) => {
    await send(message);

    expect(callsMade()).toEqual([['dynamodb', 'UpdateItem', 1]]);
  });

  test('does not call AWS for what does not count', async () => {
    await router.send(get(at('pets', '/.well-known/mcp-server')));

    expect(callsMade()).toEqual([]);
  });
});
