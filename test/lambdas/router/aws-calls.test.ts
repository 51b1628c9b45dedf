import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startRouter, type TestRouter } from '../../support/router.ts';
import { anAddress, at, get, post, rpc } from '../../support/router-events.ts';

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

/** Source: architecture, "Data": in mode `none` a warm call takes one trip before the target. */
describe('an instance that is warm asks AWS', () => {
  beforeEach(async () => {
    await call();
    router.store.aws.calls.reset();
  });

  test('once for a tool call, to count it', async () => {
    const { statusCode } = await call();

    expect(statusCode).toBe(200);
    expect(callsMade()).toEqual([['dynamodb', 'UpdateItem', 1]]);
  });

  test('once more in ten seconds, for what its tools were called', async () => {
    router.clock.time += 10;
    await call();
    expect(callsMade()).toEqual([
      ['dynamodb', 'UpdateItem', 1],
      ['dynamodb', 'UpdateItem', 1],
    ]);
  });

  test('once for the tools, to count it', async () => {
    await send(rpc('tools/list'));
    expect(callsMade()).toEqual([['dynamodb', 'UpdateItem', 1]]);
  });

  test('once for a batch of calls, to count them', async () => {
    const batch = [1, 2, 3].map((id) => rpc('tools/call', { name: 'nothing' }, id));
    await send(batch);

    expect(callsMade()).toEqual([['dynamodb', 'UpdateItem', 1]]);
  });

  test('nothing for what is not counted', async () => {
    await send(rpc('ping'));
    await send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    await router.send(get(at('pets', '/.well-known/mcp-server')));

    expect(callsMade()).toEqual([]);
  });
});
