import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, expect, test } from '@jest/globals';
import { dynamoCallStore } from '../../../layers/activity/store/call-store.ts';
import type { CallRecord } from '../../../layers/events/rules/call-record.ts';
import { tallyPorts } from '../../support/aws/counted-calls.ts';
import { type Item, memoryTable } from '../../support/aws/memory-table.ts';
import { aClock, NOON, startStore, type Store } from '../../support/aws/dynamodb-fixtures.ts';

const store = await startStore();
afterAll(() => store.stop());

/** Calls that come twice, late, and without an end, counted twice. */
const played = async (on: Pick<Store, 'instance' | 'tableName'>): Promise<void> => {
  const clock = aClock();
  const ports = tallyPorts(on, clock);
  await ports.callTally.raiseDone('2026-11-20T11:54');
  const pause = async () => undefined;
  const calls = dynamoCallStore({ clock, pause }, on.instance(), on.tableName('calls'), 90);
  const all = Array.from({ length: 60 }, (_, at): CallRecord => ({
    at: NOON - at * 7,
    requestId: `request-${at}`,
    index: 0,
    deploymentId: `dep-${at % 3}`,
    version: 1,
    tool: `tool${at % 4}`,
    outcome: at % 9 === 0 ? 'unfinished' : 'ok',
    durationMs: at,
    subject: 'user-1',
    ip: '192.0.2.1',
  }));
  for (const [from, to] of [
    [0, 40],
    [0, 40],
    [30, 60],
  ] as const) {
    await calls.store(all.slice(from, to), 'router-1');
    await ports.run();
  }
  clock.time += 360;
  await ports.run();
};

const sorted = (items: readonly Item[]) =>
  items
    .map((item) => ({ key: `${String(item['pk'])} ${String(item['sk'])}`, ...item }))
    .toSorted((one, other) => (one.key < other.key ? -1 : 1))
    .map((item) => JSON.stringify(item, Object.keys(item).toSorted()));

test('the table of simulations holds the same after the same as the embedded one', async () => {
  const table = memoryTable();
  await played({ instance: () => table.client(), tableName: () => 'calls' });
  await played(store);
  const scan = new ScanCommand({ TableName: store.tableName('calls') });
  const { Items = [] } = await store.instance().send(scan);

  expect(sorted(table.items())).toEqual(sorted(Items));
  expect(table.units().written).toBeGreaterThan(10);
});

test('it takes nothing that it does not know', async () => {
  const client = memoryTable().client();

  await expect(client.send(new ScanCommand({ TableName: 'calls' }))).rejects.toThrow('no such');
});
