import { randomBytes } from 'node:crypto';
import { brotliCompressSync } from 'node:zlib';
import { type DynamoDBDocumentClient, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { shardOf } from '../../../layers/activity/rules/touched.ts';
import { dynamoCallStore } from '../../../layers/activity/store/call-store.ts';
import { dynamoCalls } from '../../../layers/activity/store/calls.ts';
import { type CallRecord, placeOfCall } from '../../../layers/events/rules/call-record.ts';
import { timeOf, DAY } from '../../../layers/platform/rules/time.ts';
import type { CallQuery } from '../../../layers/activity/rules/queries.ts';
import type { Calls } from '../../../layers/activity/store/calls.ts';
import type { CallStore } from '../../../layers/activity/store/call-store.ts';
import { minuteOf } from '../../../layers/activity/rules/minutes.ts';
import { recountMarks } from '../../../layers/activity/steps/tally-calls.ts';
import { tallyPorts } from '../../support/aws/counted-calls.ts';
import { losingAnswers } from '../../support/aws/flaky-dynamo.ts';
import { aClock, NOON, startStore, type Store } from '../../support/aws/dynamodb-fixtures.ts';

let store: Store;
let callStore: CallStore;
let calls: Calls;

beforeAll(async () => {
  store = await startStore();
  const table = store.tableName('calls');
  callStore = dynamoCallStore({ clock: aClock(), pause: AT_ONCE }, store.instance(), table, 90);
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
const storeOn = (dynamo: DynamoDBDocumentClient, clock = aClock()) =>
  dynamoCallStore({ clock, pause: AT_ONCE }, dynamo, store.tableName('calls'), 90);
const AT_ONCE = async () => undefined;
/** Where the items of a deployment stand. */
const itemsOf = async (deploymentId: string): Promise<readonly string[]> => {
  const scan = new ScanCommand({ TableName: store.tableName('calls') });
  const { Items = [] } = await store.instance().send(scan);
  return Items.filter(({ pk }) => String(pk).startsWith(`CALLS#${deploymentId}#`)).map(({ sk }) =>
    String(sk),
  );
};
/** Counts all that was stored at that time, and says what there is of one deployment. */
const countOf = async (deploymentId: string) => {
  await counting();
  return numberOfCalls(deploymentId);
};
const counting = (at = minuteOf(NOON)) =>
  recountMarks(tallyPorts(store), { from: at, to: at, isAnew: false });
const numberOfCalls = async (deploymentId: string) =>
  (await calls.days(deploymentId, '2026-11-20', '2026-11-20')).reduce(
    (sum, day) => sum + day.calls,
    0,
  );

describe('a call that was begun', () => {
  const begunOf = (call: CallRecord): CallRecord => {
    const { status: _, ...others } = call;
    return { ...others, outcome: 'unfinished', durationMs: 0 };
  };
  const listed = async (id: string, over: Partial<CallQuery> = {}) =>
    (await pagesOf(query(id, over))).flat();

  test('is kept as its end alone where both come together, for the price of the end', async () => {
    const id = aDeploymentId();
    const ends = someCalls(id, 20);
    const began = ends.map(begunOf);

    await callStore.store(
      began.flatMap((one, at) => [ends[at] ?? one, one]),
      'router-1',
    );

    expect(await listed(id)).toHaveLength(20);
    expect(await listed(id, { outcome: 'unfinished' })).toEqual([]);
    expect(await itemsOf(id)).toHaveLength(1);
  });

  test('is unfinished until its end comes, and counts once then', async () => {
    const id = aDeploymentId();
    const end = aCall(id);
    await callStore.store([begunOf(end)], 'router-1');
    const before = await listed(id);
    const counted = await countOf(id);
    await callStore.store([end], 'router-1');

    expect([before, counted]).toEqual([[begunOf(end)], 0]);
    expect(await listed(id)).toEqual([end]);
    expect(await countOf(id)).toBe(1);
  });

  test('never takes the place of its end, in whatever order and company they come, how often ever', async () => {
    const id = aDeploymentId();
    const ends = someCalls(id, 150);
    const began = ends.map(begunOf);
    const lost = someCalls(id, 30, { tool: 'lost' }).map((call, at) =>
      begunOf({ ...call, requestId: `lost-${at}` }),
    );
    await callStore.store(began.slice(0, 100), 'router-1');
    await callStore.store([...began.slice(90), ...lost], 'router-1');
    await callStore.store([...ends.slice(0, 70), ...began.slice(60)], 'router-1');
    await callStore.store(ends, 'router-1');
    await callStore.store([...began, ...lost], 'router-1');

    const all = await listed(id, { limit: 7 });
    expect(
      all
        .filter(({ outcome }) => outcome === 'ok')
        .map(placeOfCall)
        .sort(),
    ).toEqual(ends.map(placeOfCall).sort());
    expect(
      all
        .filter(({ outcome }) => outcome !== 'ok')
        .map(placeOfCall)
        .sort(),
    ).toEqual(lost.map(placeOfCall).sort());
    expect(await listed(id, { outcome: 'unfinished' })).toHaveLength(30);
    expect(await listed(id, { tool: 'lost', limit: 4 })).toHaveLength(30);
    expect(await countOf(id)).toBe(150);
  });
});

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
    await counting();

    expect((await calls.page(query(id))).calls).toEqual([whole]);
    expect(await calls.days(id, '2026-11-20', '2026-11-20')).toMatchObject([
      { day: '2026-11-20', tool: 'listPets', calls: 1, noAnswers: 1, latencyMaxMs: 10 },
    ]);
  });

  test('counts a call once, however often and with whatever others it comes', async () => {
    const id = aDeploymentId();
    const all = someCalls(id, 250);

    await callStore.store(all.slice(0, 120), 'router-1');
    await callStore.store(all.slice(60), 'router-1');
    await callStore.store(all, 'router-1');
    await callStore.store([...all, ...all].toReversed(), 'router-1');
    for (const call of all.slice(0, 20)) await callStore.store([call], 'router-1');

    expect(await countOf(id)).toBe(250);
    expect((await pagesOf(query(id))).flat()).toHaveLength(250);
  });

  test('counts exactly where several store at once, the same calls too', async () => {
    const id = aDeploymentId();
    const all = someCalls(id, 300);
    const parts = [all.slice(0, 200), all.slice(100), all.slice(50, 250)];

    const sources = ['router-1', 'router-2', 'router-3'];
    // A line comes from one source: others have calls of their own.
    const renamed = (part: readonly CallRecord[], source: string) =>
      part.map((call) => ({ ...call, requestId: `${source}-${call.requestId}` }));
    const stored = sources.flatMap((source) =>
      parts.map((part) => callStore.store(renamed(part, source), source)),
    );

    await Promise.all(stored);

    expect(await countOf(id)).toBe(900);
    const places = (await pagesOf(query(id))).flat().map(({ requestId }) => requestId);
    expect(places).toHaveLength(900);
    expect(new Set(places).size).toBe(900);
  });

  test('reads nothing, and writes each minute of a deployment once with one mark', async () => {
    const dynamo = store.instance();
    const sent: string[] = [];
    dynamo.middlewareStack.add(
      (next, { commandName = '' }) =>
        async (request) => {
          sent.push(commandName);
          return next(request);
        },
      { step: 'initialize' },
    );
    const writing = storeOn(dynamo);
    const id = aDeploymentId();

    await writing.store(someCalls(id, 20), 'router-1');
    expect(sent).toEqual(['PutItemCommand', 'PutItemCommand']);

    // Within the same minute by the clock, the mark stands.
    await writing.store(someCalls(id, 20, { tool: 'addPet', index: 1 }), 'router-1');
    expect(sent).toEqual(['PutItemCommand', 'PutItemCommand', 'PutItemCommand']);
  });

  test('marks once more in the next minute by the clock', async () => {
    const id = aDeploymentId();
    const clock = aClock();
    const writing = storeOn(store.instance(), clock);
    await writing.store([aCall(id)], 'router-1');
    await counting();
    clock.time = NOON + 60;
    await writing.store([aCall(id, { index: 1 })], 'router-1');

    await counting(minuteOf(NOON + 60));
    expect(await numberOfCalls(id)).toBe(2);
  });

  test('remembers no mark that does not stand', async () => {
    const id = aDeploymentId();
    const dynamo = store.instance();
    let isBroken = true;
    dynamo.middlewareStack.add(
      (next) => async (request) => {
        if (isBroken && JSON.stringify(request.input).includes('TOUCHED#')) {
          throw Object.assign(new Error('killed here'), { name: 'Killed' });
        }
        return next(request);
      },
      { step: 'initialize', priority: 'high' },
    );
    const writing = storeOn(dynamo);
    await expect(writing.store([aCall(id)], 'router-1')).rejects.toThrow('Killed');
    isBroken = false;
    await writing.store([aCall(id)], 'router-1');

    expect(await countOf(id)).toBe(1);
  });

  test('counts each once where the answer to a write is lost', async () => {
    const id = aDeploymentId();
    const losing = losingAnswers(store.instance(), { to: 'PutItem' });

    await storeOn(losing).store(someCalls(id, 30), 'router-1');

    expect(await countOf(id)).toBe(30);
    expect((await pagesOf(query(id))).flat()).toHaveLength(30);
  });

  test('keeps calls that come together in one item', async () => {
    const id = aDeploymentId();

    await callStore.store(someCalls(id, 20), 'router-1');
    await callStore.store(someCalls(id, 20), 'router-1');

    expect(await itemsOf(id)).toHaveLength(1);
  });

  test('keeps calls of different times and minutes apart, and never more than an item may hold', async () => {
    const id = aDeploymentId();
    const apart = [0, 30, 31, 3600].map((after) => aCall(id, { at: NOON + after }));
    await callStore.store(apart, 'router-1');
    expect(await itemsOf(id)).toHaveLength(3);

    const minutes = aDeploymentId();
    await callStore.store(
      [aCall(minutes, { at: NOON - 1 }), aCall(minutes, { at: NOON })],
      'router-1',
    );
    expect(await itemsOf(minutes)).toHaveLength(2);

    const other = aDeploymentId();
    const long = Array.from({ length: 60 }, (_, index) =>
      aCall(other, { index, reason: randomBytes(6000).toString('latin1') }),
    );
    await callStore.store(long, 'router-1');
    expect((await itemsOf(other)).length).toBeGreaterThan(2);
    expect((await pagesOf(query(other))).flat()).toEqual(long.toReversed());
  });

  test('counts many tools of one event', async () => {
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
    await counting();

    expect(await calls.days(id, '2026-11-20', '2026-11-20')).toMatchObject([
      { latencySumMs: 120, latencyMaxMs: 90 },
    ]);
  });
});

describe('a call whose caller was erased', () => {
  test('stays so where an event that was cut otherwise brings the name back', async () => {
    const id = aDeploymentId();
    const [first, second] = [aCall(id, { index: 1 }), aCall(id, { index: 2 })];
    await callStore.store([{ ...first, subject: 'erased', ip: 'erased' }, second], 'router-1');
    await callStore.store([first], 'router-1');

    expect((await pagesOf(query(id))).flat()).toMatchObject([second, { subject: 'erased' }]);
    expect((await pagesOf(query(id, { subjects: ['user-1'] }))).flat()).toEqual([second]);
    expect(await countOf(id)).toBe(2);
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

  test('come whole wherever a page ends within an item, whatever else was called at that time', async () => {
    const id = aDeploymentId();
    const all = Array.from({ length: 4 }, (_, source) =>
      someCalls(id, 45, { tool: source === 3 ? 'rare' : 'listPets' }).map((call, at) => ({
        ...call,
        requestId: `${source}-${call.requestId}`,
        at: NOON + ((at * 7) % 90),
      })),
    );
    for (const [source, its] of all.entries()) {
      await callStore.store(its.slice(0, 30), `router-${source}`);
      for (const call of its.slice(30)) await callStore.store([call], `router-${source}`);
    }
    const places = all.flat().map(placeOfCall).toSorted().toReversed();

    for (const limit of [11, 100, 1000]) {
      const read = (await pagesOf(query(id, { limit }))).flat();
      expect(read.map(placeOfCall)).toEqual(places);
    }
    const rare = (await pagesOf(query(id, { limit: 9, tool: 'rare' }))).flat();
    expect(rare.map(placeOfCall)).toEqual((all[3] ?? []).map(placeOfCall).toSorted().toReversed());
  });

  test('go on from any place that somebody makes up', async () => {
    const id = aDeploymentId();
    await callStore.store([aCall(id)], 'router-1');

    for (const before of [
      '~',
      '9999-12-31T23:59:59.999Z',
      '+275760-09-13T00:00:00.000Z',
      '2026-1',
      'x',
    ]) {
      const { calls: read } = await calls.page(query(id, { before }));
      expect(read).toHaveLength(before > timeOf(NOON) ? 1 : 0);
    }
  });

  test('are refused where an item does not hold what was packed', async () => {
    for (const bytes of [
      Buffer.from('no Brotli'),
      brotliCompressSync('{}'),
      brotliCompressSync('[{}]'),
    ]) {
      const id = aDeploymentId();
      await callStore.store([aCall(id)], 'router-1');
      const [sk] = await itemsOf(id);
      const pk = `CALLS#${id}#${shardOf('router-1')}`;
      const TableName = store.tableName('calls');
      await store.instance().send(new PutCommand({ TableName, Item: { pk, sk, calls: bytes } }));

      await expect(calls.page(query(id))).rejects.toThrow(/calls of deployment/);
    }
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
