import { PutCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { shardOf } from '../../../layers/activity/rules/touched.ts';
import { chunkName, packCalls } from '../../../layers/activity/store/call-item.ts';
import { dynamoCallStore } from '../../../layers/activity/store/call-store.ts';
import { dynamoCalls } from '../../../layers/activity/store/calls.ts';
import { dynamoCallTally } from '../../../layers/activity/store/call-tally.ts';
import {
  recountDeployment,
  tallyNow,
  tallyPart,
} from '../../../layers/activity/steps/tally-calls.ts';
import { minuteOf, minutesAfter } from '../../../layers/activity/rules/minutes.ts';
import { type CallRecord, placeOfCall } from '../../../layers/events/rules/call-record.ts';
import { callsKey } from '../../../layers/platform/dynamodb/keys.ts';
import { tallyPorts } from '../../support/aws/counted-calls.ts';
import { dyingBefore } from '../../support/aws/flaky-dynamo.ts';
import {
  aClock,
  NOON,
  type SettableClock,
  startStore,
  type Store,
} from '../../support/aws/dynamodb-fixtures.ts';

let store: Store;
/** Each test has a day of its own, since what runs count is everybody's. */
let days = 0;
let clock: SettableClock;
beforeAll(async () => {
  store = await startStore();
});
afterAll(() => store.stop());

const aDay = async (): Promise<ReturnType<typeof tallyPorts>> => {
  clock = aClock(NOON + 86_400 * 20 * (days += 1));
  const ports = tallyPorts(store, clock);
  // No minute of before waits.
  await ports.callTally.raiseDone(minuteOf(clock.time - 360));
  return ports;
};

let deployments = 0;
const aDeploymentId = () => `dep-${(deployments += 1)}`;
let requests = 0;
const aCall = (deploymentId: string, over: Partial<CallRecord> = {}): CallRecord => ({
  at: clock.time,
  requestId: `request-${(requests += 1)}`,
  index: 0,
  deploymentId,
  version: 1,
  tool: 'listPets',
  outcome: 'ok',
  durationMs: 10,
  subject: 'user-1',
  ip: '192.0.2.1',
  ...over,
});
const stored = (...calls: readonly CallRecord[]) =>
  dynamoCallStore(
    { clock, pause: async () => undefined },
    store.instance(),
    store.tableName('calls'),
    90,
  ).store(calls, 'router-1');
const countOf = async (deploymentId: string): Promise<number> => {
  const calls = dynamoCalls(store.instance(), store.tableName('calls'));
  const found = await calls.days(deploymentId, '2026-01-01', '2030-01-01');
  return found.reduce((sum, day) => sum + day.calls, 0);
};
const minutesLater = (count: number) => void (clock.time += 60 * count);
/** Each minute, one run. */
const runs = async (ports: ReturnType<typeof tallyPorts>, count: number) => {
  for (let run = 0; run < count; run += 1) {
    minutesLater(1);
    await ports.run();
  }
};
/** Ports of a run whose calls to AWS are others. */
const on = (ports: ReturnType<typeof tallyPorts>, dynamo: DynamoDBDocumentClient) => ({
  ...ports,
  callTally: dynamoCallTally(dynamo, store.tableName('calls'), 90),
});

describe('a run', () => {
  test('counts what was stored in this minute and the one before, for charts', async () => {
    const ports = await aDay();
    const id = aDeploymentId();
    await stored(aCall(id), aCall(id));
    await ports.run();
    expect(await countOf(id)).toBe(2);

    await stored(aCall(id));
    minutesLater(1);
    await ports.run();
    expect(await countOf(id)).toBe(3);
  });

  test('counts for good what was stored five minutes ago, each minute once', async () => {
    const ports = await aDay();
    const id = aDeploymentId();
    await stored(aCall(id));
    const storedIn = minuteOf(clock.time);
    minutesLater(4);
    expect((await ports.run()).done).toBe(minutesAfter(storedIn, -1));
    expect(await countOf(id)).toBe(0);

    minutesLater(1);
    expect((await ports.run()).done).toBe(storedIn);
    expect(await countOf(id)).toBe(1);
    expect(await ports.run()).toMatchObject({ done: storedIn, minutes: 0 });
  });

  test('makes up for all minutes in which there was none', async () => {
    const ports = await aDay();
    const id = aDeploymentId();
    for (let minute = 0; minute < 40; minute += 1) {
      await stored(aCall(id));
      minutesLater(1);
    }
    minutesLater(5);
    await ports.run();
    await ports.run();

    expect(await countOf(id)).toBe(40);
  });

  test('leaves its minute to the next one where it dies, at whichever call to AWS', async () => {
    const ports = await aDay();
    const id = aDeploymentId();
    await stored(aCall(id), aCall(id, { at: clock.time - 60 }));
    minutesLater(5);
    let nth = 0;
    for (let isOver = false; !isOver;) {
      nth += 1;
      const dying = on(ports, dyingBefore(store.instance(), nth));
      isOver = await tallyNow(dying).then(
        () => true,
        () => false,
      );
    }

    expect(nth).toBeGreaterThan(30);
    expect(await countOf(id)).toBe(2);
  });

  test('makes the sum of an hour again, where another one has written a minute and died', async () => {
    const ports = await aDay();
    const id = aDeploymentId();
    await stored(aCall(id));
    const minute = { deploymentId: id, shard: shardOf('router-1'), minute: minuteOf(clock.time) };
    const count = await ports.callTally.count(minute, { isForGood: true });
    await ports.callTally.putMinute(minute, count, { isAnew: false });
    minutesLater(5);
    await ports.run();

    expect(await countOf(id)).toBe(1);
  });

  test('leaves a newer count where it stands', async () => {
    const ports = await aDay();
    const id = aDeploymentId();
    await stored(aCall(id));
    const minute = { deploymentId: id, shard: shardOf('router-1'), minute: minuteOf(clock.time) };
    const older = await ports.callTally.count(minute, { isForGood: false });
    await stored(aCall(id));
    await ports.run();
    await ports.callTally.putMinute(minute, older, { isAnew: false });
    await ports.callTally.putHour(id, minute.minute.slice(0, 13), older, { isAnew: false });
    expect(await countOf(id)).toBe(2);

    // Whoever counts anew replaces it all the same.
    await ports.callTally.putHour(id, minute.minute.slice(0, 13), older, { isAnew: true });
    expect(await countOf(id)).toBe(1);
  });

  test('never lets the minute that is counted for good go back', async () => {
    const ports = await aDay();
    const tallied = await ports.callTally.tallied();
    await ports.callTally.raiseDone('2026-01-01T00:00');

    expect(await ports.callTally.tallied()).toEqual(tallied);
  });

  test('says so where it is late and does not catch up, and only then', async () => {
    const ports = await aDay();
    minutesLater(60);
    let elapsedMs = 0;
    const slow = { ...clock, now: () => clock.time, elapsedMs: () => (elapsedMs += 41_000) };

    await expect(tallyNow({ ...ports, clock: slow })).rejects.toThrow(
      'the tally of calls is 65 minutes late and does not catch up',
    );
    expect(await ports.run()).toMatchObject({ done: minuteOf(clock.time - 35 * 60) });
  });
});

describe('a minute by the clock with more than one run counts', () => {
  test('is counted run by run, each going on where the one before ended', async () => {
    const ports = await aDay();
    const id = aDeploymentId();
    // Each in a minute of its own, as where a queue of six hours is stored at once.
    const calls = Array.from({ length: 100 }, (_, at) => aCall(id, { at: clock.time - 60 * at }));
    await stored(...calls);
    const seenAt = minuteOf(clock.time);
    minutesLater(5);
    // No part has time for a second batch of 32.
    let elapsedMs = 0;
    const slow = { now: () => clock.time, elapsedMs: () => (elapsedMs += 26_000) };
    const begun: unknown[] = [];
    for (let done = ''; done < seenAt; minutesLater(1)) {
      await tallyNow({ ...ports, clock: slow });
      const tallied = await ports.callTally.tallied();
      done = tallied?.done ?? '';
      begun.push(...(tallied?.begun?.counted ?? []).filter((count) => count > 0));
    }

    expect(begun).toEqual([32, 64, 96]);
    expect(await countOf(id)).toBe(100);
  });

  test('is counted by others where it is very much, and they say how far they have come', async () => {
    const ports = await aDay();
    const ids = [aDeploymentId(), aDeploymentId()];
    for (const id of ids) {
      const calls = Array.from({ length: 300 }, (_, at) => aCall(id, { at: clock.time - 60 * at }));
      await stored(...calls);
    }
    minutesLater(5);
    const sent: unknown[] = [];
    let elapsedMs = 0;
    const slow = { now: () => clock.time, elapsedMs: () => (elapsedMs += 26_000) };
    const send = (event: object) => {
      sent.push(event);
      const part = event as Parameters<typeof tallyPart>[1];
      // The one that is counted by whoever has more time.
      return tallyPart({ ...ports, ...(part.from === 0 && { clock: slow }) }, part);
    };
    const withOthers = { ...ports, tallyRequests: { send } };
    for (let run = 0; run < 9; run += 1) {
      await tallyNow(withOthers);
      minutesLater(1);
    }

    for (const id of ids) expect(await countOf(id)).toBe(300);
    expect(sent).toContainEqual(expect.objectContaining({ from: 32, isForGood: true }));
  });
});

describe('calls that cannot be read', () => {
  test('are left out, told of when they are counted for good, and counted once they can be', async () => {
    const ports = await aDay();
    const id = aDeploymentId();
    const first = aCall(id);
    await stored(first);
    const shard = shardOf('router-1');
    const key = callsKey(id, shard, placeOfCall(first), 'another');
    const TableName = store.tableName('calls');
    const put = (calls: Uint8Array) =>
      store.instance().send(new PutCommand({ TableName, Item: { ...key, calls } }));
    await put(Buffer.from('of a version to come'));
    await ports.run();
    expect(ports.untold).toEqual([]);
    const minute = { deploymentId: id, shard, minute: minuteOf(first.at) };
    await runs(ports, 5);
    expect([await countOf(id), ports.untold]).toEqual([1, [minute]]);

    await put(packCalls([aCall(id, { at: first.at })]));
    while (!minuteOf(clock.time).endsWith(':07')) minutesLater(1);
    await ports.run();
    expect([await countOf(id), ports.untold]).toEqual([2, []]);
  });
});

describe('a minute whose items have no more than its count has seen', () => {
  test('is not unpacked, until there is more, or it is counted anew', async () => {
    const ports = await aDay();
    const id = aDeploymentId();
    const first = aCall(id);
    await stored(first);
    await ports.run();
    const shard = shardOf('router-1');
    const minute = { deploymentId: id, shard, minute: minuteOf(first.at) };
    // Whoever unpacked it would tell of it.
    const key = callsKey(id, shard, placeOfCall(first), chunkName([first]));
    const Item = { ...key, calls: Buffer.from('of a version to come'), seen: 1 };
    const TableName = store.tableName('calls');
    await store.instance().send(new PutCommand({ TableName, Item }));
    await runs(ports, 5);
    expect([await countOf(id), ports.untold]).toEqual([1, []]);

    const of = { deploymentId: id, from: minute.minute, to: minute.minute };
    expect(await recountDeployment(ports, { ...of, isAnew: false })).toMatchObject({ unread: 0 });
    await stored(aCall(id, { at: first.at }));
    await runs(ports, 6);
    expect(ports.untold).toEqual([minute]);
    expect(await recountDeployment(ports, { ...of, isAnew: true })).toMatchObject({ unread: 1 });
  });

  test('is unpacked where an event that was cut otherwise has brought a call twice', async () => {
    const ports = await aDay();
    const id = aDeploymentId();
    const [one, other, third] = [aCall(id), aCall(id), aCall(id)];
    await stored(one, other);
    await ports.run();
    await stored(other, third);
    await runs(ports, 6);

    expect(await countOf(id)).toBe(3);
  });
});

describe('a recount', () => {
  test('of a server counts all minutes that have calls, marked or not', async () => {
    const ports = await aDay();
    const id = aDeploymentId();
    const times = [0, -3600, -7200].map((ago) => clock.time + ago);
    await stored(...times.map((at) => aCall(id, { at })));
    const [from = '', to = ''] = [-7200, 0].map((ago) => minuteOf(clock.time + ago));
    const span = { deploymentId: id, from, to, isAnew: false };

    expect(await recountDeployment(ports, span)).toEqual({ minutes: 3, unread: 0 });
    expect(await countOf(id)).toBe(3);
  });

  test('goes on where its time was over', async () => {
    const ports = await aDay();
    const id = aDeploymentId();
    await stored(aCall(id), aCall(id, { at: clock.time - 3600 }));
    let elapsedMs = 0;
    const slow = { ...clock, now: () => clock.time, elapsedMs: () => (elapsedMs += 41_000) };
    const [from = '', to = ''] = [-3600, 0].map((ago) => minuteOf(clock.time + ago));
    const span = { deploymentId: id, isAnew: false };
    const slowly = { ...ports, clock: slow };

    expect(await recountDeployment(slowly, { ...span, from, to })).toEqual({
      minutes: 1,
      unread: 0,
      next: to,
    });
    expect(await recountDeployment(slowly, { ...span, from: to, to })).toEqual({
      minutes: 1,
      unread: 0,
    });
  });
});
