import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, describe, expect, test } from '@jest/globals';
import { start } from '../../../lambdas/tally/index.ts';
import { wireTally } from '../../../lambdas/tally/wiring.ts';
import { server } from '../../../layers/activity/routes/tally.ts';
import { dynamoCalls } from '../../../layers/activity/store/calls.ts';
import { dynamoCallStore } from '../../../layers/activity/store/call-store.ts';
import { minuteOf } from '../../../layers/activity/rules/minutes.ts';
import { shardOf } from '../../../layers/activity/rules/touched.ts';
import type { CallRecord } from '../../../layers/events/rules/call-record.ts';
import { callsKey, deploymentKey } from '../../../layers/platform/dynamodb/keys.ts';
import { systemClock, systemPause } from '../../../layers/platform/system/clock.ts';
import { environmentOf } from '../../lambdas/wiring/environments.ts';
import { startStore } from '../../support/aws/dynamodb-fixtures.ts';

const store = await startStore();
afterAll(() => store.stop());

/** What the function was sent by itself. */
const parts: unknown[] = [];
const context = { invokedFunctionArn: 'tally:live', getRemainingTimeInMillis: () => 60_000 };
const tally = start(environmentOf(store, 'tally'));
let isFailing = false;
store.aws.onInvoke(async (name, payload, qualifier) => {
  if (isFailing) return { functionError: 'Unhandled', payload: '{}' };
  parts.push(`${name}:${qualifier}`);
  return { payload: JSON.stringify(await tally(JSON.parse(payload), context)) };
});

const now = systemClock().now();
/** The run of seven minutes past an hour. */
const onceAnHour = () => {
  const ports = wireTally(environmentOf(store, 'tally'));
  const clock = { ...systemClock(), now: () => Math.floor(now / 3600) * 3600 - 53 * 60 };
  return server({ ...ports, clock, tallyRequests: ports.tallyRequestsTo('tally:live') })(
    { tally: 'now' },
    context,
  );
};
const TableName = store.tableName('calls');
const aCall = (deploymentId: string, index = 0): CallRecord => ({
  at: now,
  requestId: 'request-1',
  index,
  deploymentId,
  version: 1,
  tool: 'listPets',
  outcome: 'ok',
  durationMs: 10,
  subject: 'user-1',
  ip: '192.0.2.1',
});
const stored = (...calls: readonly CallRecord[]) => {
  const ports = { clock: systemClock(), pause: systemPause() };
  return dynamoCallStore(ports, store.instance(), TableName, 90).store(calls, 'router-1');
};
const countOf = async (deploymentId: string): Promise<number> => {
  const calls = dynamoCalls(store.instance(), TableName);
  const days = await calls.days(deploymentId, '2020-01-01', '2099-01-01');
  return days.reduce((sum, day) => sum + day.calls, 0);
};
const claimedActor = 'arn:aws:iam::111122223333:role/operator';
const recount = (over: object = {}) =>
  tally({ operator: 'recount', claimedActor, since: now - 60, until: now + 60, ...over }, context);

describe('the function that counts calls, under its policy', () => {
  test('counts what is stored, in parts by itself where that is much, and waits for them', async () => {
    const ids = Array.from({ length: 510 }, (_, at) => `many-${at}`);
    await stored(...ids.map((id) => aCall(id)));

    expect(await tally({ tally: 'now' }, context)).toMatchObject({ minutes: 510, unread: 0 });
    expect(parts).toEqual(Array.from({ length: 16 }, () => 'tally:live'));
    expect(await countOf('many-509')).toBe(1);
    isFailing = true;
    await expect(tally({ tally: 'now' }, context)).rejects.toThrow();
    isFailing = false;
    expect(store.aws.takeDenials()).toEqual([]);
  });

  test('counts a server again at the command of an operator, and leaves a trace', async () => {
    const Item = { ...deploymentKey('orders'), id: 'of-orders' };
    const table = store.tableName('deployments');
    await store.instance().send(new PutCommand({ TableName: table, Item }));
    await stored(aCall('of-orders', 1), aCall('of-orders', 2));

    expect(await recount({ slug: 'orders' })).toEqual({ ok: true, minutes: 1, unread: 0 });
    expect(await countOf('of-orders')).toBe(2);
    expect(await recount({ slug: 'nobody' })).toMatchObject({ ok: false, code: 'not_found' });
    expect(await recount({ until: now - 120 })).toMatchObject({ code: 'invalid_request' });
    expect(store.aws.takeDenials()).toEqual([]);
  });

  test('keeps in its queue which calls it cannot read, until a version reads them', async () => {
    const shard = shardOf('router-1');
    const key = callsKey('of-orders', shard, new Date(now * 1000).toISOString(), 'other');
    const Item = { ...key, calls: Buffer.from('of a version to come') };
    await store.instance().send(new PutCommand({ TableName, Item }));
    const unread = [{ deploymentId: 'of-orders', shard, minute: minuteOf(now) }];

    expect(await recount({ slug: 'orders' })).toMatchObject({ minutes: 1, unread: 1 });
    expect(await store.aws.queued('untallied')).toEqual(unread);
    await onceAnHour();
    expect(await store.aws.queued('untallied')).toEqual(unread);
    await store.instance().send(new DeleteCommand({ TableName, Key: key }));
    await onceAnHour();
    expect(await store.aws.queued('untallied')).toEqual([]);
    expect(store.aws.takeDenials()).toEqual([]);
  });

  test('counts all that wait in its queue within a run, more than it receives at once', async () => {
    const { untallied } = wireTally(environmentOf(store, 'tally'));
    const shard = shardOf('router-1');
    const key = callsKey('unread', shard, new Date(now * 1000).toISOString(), 'other');
    const Item = { ...key, calls: Buffer.from('of a version to come') };
    await store.instance().send(new PutCommand({ TableName, Item }));
    const unread = { deploymentId: 'unread', shard, minute: minuteOf(now) };
    const waiting = Array.from({ length: 450 }, (_, at) => `waiting-${at}`);
    await untallied.tell([...waiting.map((deploymentId) => ({ ...unread, deploymentId })), unread]);

    await onceAnHour();
    expect(await store.aws.queued('untallied')).toEqual([unread]);
    expect(store.aws.takeDenials()).toEqual([]);
  });

  test.each([{}, { tally: 'all' }, { tally: 'now', more: 1 }, { operator: 'sweep', claimedActor }])(
    'refuses what is no event of it: %j',
    async (event) => {
      await expect(tally(event, context)).rejects.toThrow(/^not an? (?:event|command) of this/);
    },
  );
});
