import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { dynamoEvents } from '../../../layers/events/store/events.ts';
import type { ServiceEvent } from '../../../layers/events/rules/service-event.ts';
import { aClock, NOON, startStore } from '../../support/aws/dynamodb-fixtures.ts';

const store = await startStore();
afterAll(() => store.stop());
afterEach(() => {
  store.aws.faults.clear();
  store.aws.calls.reset();
});

const someEvents = () => {
  const lines: Readonly<Record<string, unknown>>[] = [];
  const ids = (function* () {
    for (let number = 1; ; number += 1) yield `id-${number}`;
  })();
  const ports = {
    clock: aClock(NOON + 1),
    log: { write: (line: Readonly<Record<string, unknown>>) => void lines.push(line) },
    random: { id: () => ids.next().value },
  };
  const table = store.tableName('security-events');
  return { lines, ...dynamoEvents(ports, store.instance(), table, 90) };
};

const stored = async (pk: string) => {
  const { Items } = await store.instance().send(
    new QueryCommand({
      TableName: store.tableName('security-events'),
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': pk },
    }),
  );
  return Items;
};

const aBlock = (over: Partial<ServiceEvent & { type: 'security' }> = {}): ServiceEvent => ({
  type: 'security',
  event: 'ip_blocked',
  slug: 'weather',
  subject: '192.0.2.1',
  why: 'five times the limit',
  ...over,
});

describe('recording events', () => {
  test('logs each at once, its fields in snake_case', () => {
    const events = someEvents();
    events.record(aBlock());

    expect(events.lines).toEqual([
      {
        type: 'security',
        event: 'ip_blocked',
        slug: 'weather',
        subject: '192.0.2.1',
        why: 'five times the limit',
        id: 'id-1',
        schema: 1,
      },
    ]);
  });

  test('keeps security events for 90 days, by subject and day', async () => {
    const events = someEvents();
    events.record(aBlock());
    await events.flush();

    expect(await stored('SUBJECT#192.0.2.1#20261120')).toEqual([
      {
        pk: 'SUBJECT#192.0.2.1#20261120',
        sk: '2026-11-20T12:00:01.000Z#id-1',
        type: 'security',
        event: 'ip_blocked',
        subject: '192.0.2.1',
        slug: 'weather',
        why: 'five times the limit',
        at: NOON + 1,
        deleteAfter: NOON + 1 + 90 * 86_400,
      },
    ]);
  });

  test('keeps events of one second apart', async () => {
    const events = someEvents();
    events.record(aBlock({ subject: 'twice', why: 'first' }));
    events.record(aBlock({ subject: 'twice', why: 'second' }));
    await events.flush();

    expect(await stored('SUBJECT#twice#20261120')).toMatchObject([
      { why: 'first' },
      { why: 'second' },
    ]);
  });

  test('stores an event without a slug, and long texts cut', async () => {
    const events = someEvents();
    events.record({
      type: 'security',
      event: 'blocked_target_address',
      subject: 'x'.repeat(5000),
      why: 'y'.repeat(5000),
    });
    await events.flush();

    const [item] = (await stored(`SUBJECT#${'x'.repeat(500)}#20261120`)) ?? [];
    expect(item).not.toHaveProperty('slug');
    expect(item?.['why']).toBe('y'.repeat(500));
  });

  test('stores each event once, however often it is flushed', async () => {
    const events = someEvents();
    events.record(aBlock({ subject: 'once' }));
    await events.flush();
    await events.flush();

    expect(store.aws.calls.count({ operation: 'PutItem' })).toBe(1);
  });

  test('costs no call where there is nothing to store', async () => {
    const events = someEvents();
    await events.flush();

    expect(store.aws.calls.count()).toBe(0);
  });

  test('is reported as a fault when the store is down; the event is in the log, and the next flush is free of it', async () => {
    const events = someEvents();
    events.record(aBlock({ subject: 'unlucky' }));
    store.aws.faults.inject({ kind: 'fail', on: { service: 'dynamodb' } });

    await expect(events.flush()).rejects.toMatchObject({ neighbour: 'dynamodb' });
    expect(events.lines).toMatchObject([{ subject: 'unlucky' }]);
    await expect(events.flush()).resolves.toBeUndefined();
  });
});

describe('invalid tokens', () => {
  const aGuess = (deploymentId: string, subject: string, why: string): ServiceEvent => ({
    type: 'security',
    event: 'authentication_failed',
    deploymentId,
    slug: 'weather',
    subject,
    why,
  });
  const day = (subject: string) => `SUBJECT#${subject}#20261120`;

  test('are one event a minute and deployment, with a count and the latest reason', async () => {
    const [one, other] = [someEvents(), someEvents()];
    for (const events of [one, other, one]) {
      events.record(aGuess('dep-1', '192.0.2.50', 'unknown token'));
      await events.flush();
    }
    one.record(aGuess('dep-1', '192.0.2.50', 'token expired'));
    one.record(aGuess('dep-2', '192.0.2.50', 'unknown token'));
    await one.flush();

    const found = await stored(day('192.0.2.50'));
    expect(found?.map(({ sk, count, why, at }) => ({ sk, count, why, at }))).toEqual([
      {
        sk: '2026-11-20T12:00:00.000Z#authentication_failed#dep-1',
        count: 4,
        why: 'token expired',
        at: NOON,
      },
      {
        sk: '2026-11-20T12:00:00.000Z#authentication_failed#dep-2',
        count: 1,
        why: 'unknown token',
        at: NOON,
      },
    ]);
  });

  test('have a line for each, with an id of its own', () => {
    const events = someEvents();
    events.record(aGuess('dep-1', '192.0.2.52', 'unknown token'));
    events.record(aGuess('dep-1', '192.0.2.52', 'unknown token'));

    expect(events.lines).toMatchObject([
      { id: 'id-1', schema: 1 },
      { id: 'id-2', schema: 1 },
    ]);
  });

  test('of no deployment are an event without one', async () => {
    const events = someEvents();
    const {
      deploymentId: _,
      slug: __,
      ...guess
    } = aGuess('', '192.0.2.51', 'unknown token') as {
      deploymentId: string;
      slug: string;
    } & ServiceEvent;
    events.record(guess as ServiceEvent);
    await events.flush();

    const [found] = (await stored(day('192.0.2.51'))) ?? [];
    expect(found).toMatchObject({ count: 1, deleteAfter: NOON + 90 * 86_400 });
    expect(found).not.toHaveProperty('deploymentId');
  });
});
