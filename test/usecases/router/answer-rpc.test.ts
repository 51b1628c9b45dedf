import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Deployment } from '../../../layers/core/domain/deployment.ts';
import { type RpcBody, readBody } from '../../../layers/core/domain/rpc/index.ts';
import { answerRpc, type RouterPorts } from '../../../layers/core/usecases/router/index.ts';
import { toolShelf } from '../../../layers/core/usecases/router/tool-shelf.ts';
import { startRouter, type TestRouter } from '../../support/router.ts';
import { anAddress, at, post, rpc } from '../../support/router-events.ts';

let router: TestRouter;
let deployment: Deployment;

beforeAll(async () => {
  router = await startRouter();
  deployment = await router.publish('pets');
});

afterEach(() => router.store.aws.faults.clear());
afterAll(() => router.stop());

const bodyOf = (sent: unknown): RpcBody => readBody(JSON.stringify(sent));
const exchange = (sent: unknown) => ({
  deployment,
  caller: { kind: 'anonymous' as const, subject: anAddress() },
  body: bodyOf(sent),
  version: undefined,
  sender: { ip: '192.0.2.7', userAgent: undefined, requestId: 'request-1' },
});

describe('D8 a batch that takes long', () => {
  /** Every look at the clock takes a second. */
  const slowly = (): RouterPorts => {
    let ms = 0;
    return { ...router.ports, clock: { now: () => 0, elapsedMs: () => (ms += 1000) } };
  };

  test('does not begin what could not end in time, and says so', async () => {
    const batch = Array.from({ length: 6 }, (_, id) => rpc('ping', {}, id));
    const { text } = await answerRpc(slowly(), exchange(batch));

    const answers: { error?: object }[] = JSON.parse(text ?? '');
    const begun = [true, true, true, false, false, false];
    expect(answers.map(({ error }) => error === undefined)).toEqual(begun);
    expect(answers[5]).toMatchObject({
      id: 5,
      error: { code: -32000, data: { reason: 'batch_timeout' } },
    });
  });
});

describe('a store that fails in the middle', () => {
  test.each([
    ['one request', rpc('prompts/list')],
    ['a batch', [rpc('ping'), rpc('prompts/list', {}, 2)]],
  ])('fails %s as a whole', async (_, sent) => {
    router.store.aws.faults.inject({ kind: 'fail', on: { operation: 'Query' } });
    await expect(answerRpc(router.ports, exchange(sent))).rejects.toMatchObject({
      neighbour: 'dynamodb',
    });
  });

  test('has no part in a version without an index, which is a fault of ours', async () => {
    const without = { ...deployment, id: 'dep-nowhere' };
    const listing = answerRpc(router.ports, {
      ...exchange(rpc('tools/list')),
      deployment: without,
    });
    await expect(listing).rejects.toMatchObject({ name: 'Fault', neighbour: 'dynamodb' });
  });
});

describe('a warm tool call of a public deployment', () => {
  test('asks AWS for one thing: to count it', async () => {
    const call = () =>
      router.send(
        post(
          at('pets', '/messages'),
          rpc('tools/call', { name: 'getPet', arguments: { id: 1 } }),
          {},
          '203.0.113.1',
        ),
      );
    await call();
    router.store.aws.calls.reset();
    await call();

    expect(router.store.aws.calls.list()).toEqual([
      { caller: 'router', service: 'dynamodb', operation: 'UpdateItem', times: 1 },
    ]);
  });
});

describe('the tools of a version', () => {
  test('are made ready once', async () => {
    const shelf = await toolShelf(router.ports, deployment);

    expect(await toolShelf(router.ports, deployment)).toBe(shelf);
    expect(shelf.find('getPet')).toBe(shelf.find('getPet'));
  });
});
