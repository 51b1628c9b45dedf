import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { dynamoCallStore } from '../../../../layers/core/adapters/dynamodb/activity/call-store.ts';
import { dynamoCalls } from '../../../../layers/core/adapters/dynamodb/activity/calls.ts';
import { type CallRecord, timeOf } from '../../../../layers/core/domain/activity/index.ts';
import { DAY } from '../../../../layers/core/domain/time.ts';
import type { CallQuery, Calls, CallStore } from '../../../../layers/core/ports.ts';
import { NOON, startStore, type Store } from '../fixtures.ts';

let store: Store;
let callStore: CallStore;
let calls: Calls;

beforeAll(async () => {
  store = await startStore();
  const table = store.tableName('calls');
  callStore = dynamoCallStore(store.instance(), table, 90);
  calls = dynamoCalls(store.instance(), table);
});
afterAll(() => store.stop());

let deployments = 0;
const aDeploymentId = () => `dep-${(deployments += 1)}`;

const aCall = (deploymentId: string, over: Partial<CallRecord> = {}): CallRecord => ({
  at: NOON,
  requestId: 'request-1',
  index: 0,
  deploymentId,
  version: 1,
  tool: 'listPets',
  outcome: 'ok',
  status: 200,
  durationMs: 10,
  subject: 'user-1',
  ip: '192.0.2.1',
  ...over,
});
const someCalls = (deploymentId: string, count: number, over: Partial<CallRecord> = {}) =>
  Array.from({ length: count }, (_, at) =>
    aCall(deploymentId, { requestId: `request-${at}`, at: NOON + Math.floor(at / 10), ...over }),
  );

const query = (deploymentId: string, over: Partial<CallQuery> = {}): CallQuery => ({
  deploymentId,
  tool: undefined,
  subjects: undefined,
  clientId: undefined,
  outcome: undefined,
  from: timeOf(NOON - DAY),
  before: '~',
  limit: 100,
  ...over,
});
const pagesOf = async (wanted: CallQuery): Promise<readonly (readonly CallRecord[])[]> => {
  const pages = [];
  let before: string | undefined = wanted.before;
  while (before !== undefined) {
    const page = await calls.page({ ...wanted, before });
    pages.push(page.calls);
    before = page.next;
  }
  return pages;
};
const countOf = async (deploymentId: string) =>
  (await calls.days(deploymentId, '2026-11-20', '2026-11-20')).reduce(
    (sum, day) => sum + day.calls,
    0,
  );

describe('storing calls', () => {
  test('keeps each as it was, and counts it', async () => {
    const id = aDeploymentId();
    const whole = aCall(id, {
      outcome: 'no_answer',
      reason: 'timeout',
      clientId: 'mcp_1',
      grantId: 'grant-1',
      tokenId: 'jti-1',
      credentialVersion: 'version-1',
    });

    await callStore.store([whole], 'router-1');

    expect((await calls.page(query(id))).calls).toEqual([whole]);
    expect(await calls.days(id, '2026-11-20', '2026-11-20')).toMatchObject([
      { day: '2026-11-20', tool: 'listPets', calls: 1, noAnswers: 1, latencyMaxMs: 10 },
    ]);
  });

  test('counts a call once, however often and with whatever others it comes', async () => {
    const id = aDeploymentId();
    const all = someCalls(id, 250);

    await callStore.store(all.slice(0, 120), 'router-1');
    await callStore.store(all.slice(60), 'router-2');
    await callStore.store(all, 'router-1');
    await callStore.store([...all, ...all], 'router-3');

    expect(await countOf(id)).toBe(250);
    expect((await pagesOf(query(id))).flat()).toHaveLength(250);
  });

  test('counts exactly where several store at once, the same calls too', async () => {
    const id = aDeploymentId();
    const all = someCalls(id, 300);
    const parts = [all.slice(0, 200), all.slice(100), all.slice(50, 250)];

    await Promise.all(parts.map((part, at) => callStore.store(part, `router-${at}`)));

    expect(await countOf(id)).toBe(300);
  });

  test('takes more tools in one event than a transaction has room for', async () => {
    const id = aDeploymentId();
    const all = Array.from({ length: 130 }, (_, at) =>
      aCall(id, { requestId: `request-${at}`, tool: `tool${at}` }),
    );

    await callStore.store(all, 'router-1');

    expect(await countOf(id)).toBe(130);
  });

  test('keeps the longest time of an hour, whichever call comes last', async () => {
    const id = aDeploymentId();
    for (const [at, durationMs] of [10, 90, 20].entries()) {
      await callStore.store([aCall(id, { index: at, durationMs })], 'router-1');
    }

    expect(await calls.days(id, '2026-11-20', '2026-11-20')).toMatchObject([
      { latencySumMs: 120, latencyMaxMs: 90 },
    ]);
  });
});

describe('the calls of a deployment', () => {
  test('come page by page, the newest first and each once', async () => {
    const id = aDeploymentId();
    const all = someCalls(id, 55);
    await callStore.store(all, 'router-1');

    const pages = await pagesOf(query(id, { limit: 20 }));

    expect(pages.map((page) => page.length)).toEqual([20, 20, 15]);
    const times = pages.flat().map(({ at }) => at);
    expect(times).toEqual(times.toSorted((one, other) => other - one));
    expect(new Set(pages.flat().map(({ requestId }) => requestId)).size).toBe(55);
  });

  test('are found by tool, subject, client and outcome, behind however many others', async () => {
    const id = aDeploymentId();
    const wanted = {
      subject: 'ada',
      clientId: 'mcp_1',
      tool: 'addPet',
      outcome: 'refused',
    } as const;
    await callStore.store([aCall(id, { ...wanted, at: NOON - 1 })], 'router-1');
    await callStore.store(someCalls(id, 2600), 'router-1');

    for (const over of [
      { tool: 'addPet' },
      { subjects: ['nobody', 'ada'] },
      { clientId: 'mcp_1' },
      { outcome: 'refused' as const },
      { tool: 'addPet', subjects: ['ada'], clientId: 'mcp_1', outcome: 'refused' as const },
    ]) {
      expect((await pagesOf(query(id, over))).flat()).toMatchObject([wanted]);
    }
    expect((await pagesOf(query(id, { tool: 'addPet', subjects: ['user-1'] }))).flat()).toEqual([]);
  });

  test('begin with the first moment that counts', async () => {
    const id = aDeploymentId();
    await callStore.store([aCall(id), aCall(id, { at: NOON - 1, index: 1 })], 'router-1');

    expect((await calls.page(query(id, { from: timeOf(NOON) }))).calls).toHaveLength(1);
    expect((await calls.page(query(id, { from: timeOf(NOON - 1) }))).calls).toHaveLength(2);
    expect((await calls.page(query(id, { from: '~' }))).calls).toEqual([]);
  });

  test('are not those of another', async () => {
    await callStore.store([aCall(aDeploymentId())], 'router-1');

    expect(await calls.page(query(aDeploymentId()))).toEqual({ calls: [], next: undefined });
  });
});
