import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Deployment } from '../../../layers/deployments/rules/deployment.ts';
import { type RpcBody, sentBody } from '../../../layers/mcp/rules/message.ts';
import { answerRpc } from '../../../layers/mcp/steps/answer-rpc.ts';
import type { RouterPorts } from '../../../layers/mcp/steps/ports.ts';
import { toolCatalog } from '../../../layers/mcp/steps/calls/tool-catalog.ts';
import { startRouter, type TestRouter } from '../../support/mcp/router.ts';
import { anAddress, at, post, rpc } from '../../support/mcp/router-events.ts';

let router: TestRouter;
let deployment: Deployment;

beforeAll(async () => {
  router = await startRouter();
  deployment = await router.publish('pets');
});

afterEach(() => router.store.aws.faults.clear());
afterAll(() => router.stop());

const bodyOf = (sent: unknown): RpcBody => sentBody(JSON.stringify(sent)).messages();
const exchange = (sent: unknown) => ({
  deployment,
  caller: { kind: 'anonymous' as const, subject: anAddress() },
  body: bodyOf(sent),
  headers: { version: undefined, method: undefined, name: undefined },
  traceContext: undefined,
  acceptsEvents: false,
  sender: { ip: '192.0.2.7', userAgent: undefined, requestId: 'request-1' },
});

describe('a batch that runs out of time', () => {
  /** Every look at the clock takes a second. */
  const slowly = (): RouterPorts => {
    let ms = 0;
    return { ...router.ports, clock: { now: () => 0, elapsedMs: () => (ms += 1000) } };
  };

  test('is answered with an error for each request that could not begin in time', async () => {
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

describe('a DynamoDB failure during a request', () => {
  test.each([
    ['one request', rpc('prompts/list')],
    ['a batch', [rpc('ping'), rpc('prompts/list', {}, 2)]],
  ])('fails %s as a whole', async (_, sent) => {
    router.store.aws.faults.inject({ kind: 'fail', on: { operation: 'Query' } });
    await expect(answerRpc(router.ports, exchange(sent))).rejects.toMatchObject({
      neighbour: 'dynamodb',
    });
  });

  test('is reported for a version without an index of tools', async () => {
    const without = { ...deployment, id: 'dep-nowhere' };
    const listing = answerRpc(router.ports, {
      ...exchange(rpc('tools/list')),
      deployment: without,
    });
    await expect(listing).rejects.toMatchObject({ name: 'Fault', neighbour: 'dynamodb' });
  });
});

describe('a tool call at a public deployment to a warm router instance', () => {
  test('makes one call to AWS, to count the request', async () => {
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
  test('are prepared once and then reused', async () => {
    const shelf = await toolCatalog(router.ports, deployment);

    expect(await toolCatalog(router.ports, deployment)).toBe(shelf);
    expect(shelf.find('getPet')).toBe(shelf.find('getPet'));
  });
});
