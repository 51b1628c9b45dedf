import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { dynamoEvents } from '../../../layers/core/adapters/dynamodb/events.ts';
import type { ServiceEvent } from '../../../layers/core/ports.ts';
import { aClock, NOON, startStore, type Store } from './fixtures.ts';

let store: Store;
beforeAll(async () => {
  store = await startStore();
});
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
    mint: { id: () => ids.next().value },
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

const aCall: ServiceEvent = {
  type: 'tool_invocation',
  deploymentId: 'dep-1',
  slug: 'weather',
  tool: 'getForecast',
  outcome: 'target_error',
  status: 503,
  durationMs: 12,
};

describe('recording events', () => {
  test('logs each at once, named as on the wire', () => {
    const events = someEvents();
    events.record(aCall);
    events.record(aBlock());

    expect(events.lines).toEqual([
      {
        type: 'tool_invocation',
        deployment_id: 'dep-1',
        slug: 'weather',
        tool: 'getForecast',
        outcome: 'target_error',
        status: 503,
        duration_ms: 12,
      },
      {
        type: 'security',
        event: 'ip_blocked',
        slug: 'weather',
        subject: '192.0.2.1',
        why: 'five times the limit',
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
        expires_at: NOON + 1 + 90 * 86_400,
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
    events.record(aCall);
    await events.flush();

    expect(store.aws.calls.count()).toBe(0);
  });

  test('is a fault when the store is down; the event is in the log, and the next flush is free of it', async () => {
    const events = someEvents();
    events.record(aBlock({ subject: 'unlucky' }));
    store.aws.faults.inject({ kind: 'fail', on: { service: 'dynamodb' } });

    await expect(events.flush()).rejects.toMatchObject({ neighbour: 'dynamodb' });
    expect(events.lines).toMatchObject([{ subject: 'unlucky' }]);
    await expect(events.flush()).resolves.toBeUndefined();
  });
});
