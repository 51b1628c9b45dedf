import { afterAll, describe, expect, test } from '@jest/globals';
import { dynamoActivity } from '../../../layers/activity/store/activity.ts';
import { dynamoEvents } from '../../../layers/events/store/events.ts';
import type { ServiceEvent } from '../../../layers/events/rules/service-event.ts';
import { aClock, NOON, startStore } from '../../support/aws/dynamodb-fixtures.ts';

const store = await startStore();
afterAll(() => store.stop());

const aRefusal = (deploymentId: string, why: string): ServiceEvent => ({
  type: 'security',
  event: 'access_denied',
  deploymentId,
  slug: 'pets',
  subject: '192.0.2.1',
  why,
});
const aWarning = (deploymentId: string): ServiceEvent => ({
  type: 'quota_warning',
  deploymentId,
  slug: 'pets',
  subject: 'user-1',
  plan: 'free',
  window: 'hour',
  limit: 20,
});

const table = () => store.tableName('security-events');

/** One event a second, from `NOON` on. */
const happened = async (...events: readonly ServiceEvent[]): Promise<void> => {
  const clock = aClock();
  const log = { write: () => undefined };
  let ids = 0;
  const random = { id: () => `id-${(ids += 1)}` };
  const recorder = dynamoEvents({ clock, log, random }, store.instance(), table(), 90);
  for (const event of events) {
    recorder.record(event);
    clock.time += 1;
  }
  await recorder.flush();
};

const ALL = { type: undefined, from: '2026', before: '~', limit: 100 } as const;
const read = (deploymentId: string, over: object = {}) =>
  dynamoActivity(store.instance(), table()).events({ ...ALL, of: { deploymentId }, ...over });

describe('the events of an account', () => {
  test('are its own, and stand on no deployment’s time line', async () => {
    const failed = (accountId: string): ServiceEvent => ({
      type: 'security',
      event: 'login_failed',
      accountId,
      subject: '192.0.2.1',
      why: 'wrong password',
    });
    await happened(failed('user-1'), failed('user-2'), aRefusal('dep-of-user', 'expired'));

    expect(await read('user-1')).toEqual({ events: [], next: undefined });
    expect(await read('', { of: { accountId: 'user-1' } })).toEqual({
      events: [
        {
          type: 'security',
          place: '2026-11-20T12:00:00.000Z#id-1',
          at: NOON,
          details: { event: 'login_failed', subject: '192.0.2.1', why: 'wrong password' },
        },
      ],
      next: undefined,
    });
  });
});

describe('the events of a deployment', () => {
  test('are listed with all that is known of them, the newest first', async () => {
    await happened(aRefusal('dep-told', 'expired'), aWarning('dep-told'));

    expect(await read('dep-told')).toEqual({
      events: [
        {
          type: 'quota_warning',
          place: '2026-11-20T12:00:01.000Z#id-2',
          at: NOON + 1,
          details: { subject: 'user-1', plan: 'free', window: 'hour', limit: 20 },
        },
        {
          type: 'security',
          place: '2026-11-20T12:00:00.000Z#id-1',
          at: NOON,
          details: { event: 'access_denied', subject: '192.0.2.1', why: 'expired' },
        },
      ],
      next: undefined,
    });
  });

  test('are listed for that deployment only', async () => {
    const { deploymentId: _, ...nowhere } = aRefusal('', 'no deployment') as { deploymentId: '' };
    await happened(aRefusal('dep-other', 'other'), nowhere as unknown as ServiceEvent);

    expect((await read('dep-mine')).events).toEqual([]);
  });

  test('can be filtered by type', async () => {
    await happened(aRefusal('dep-typed', 'x'), aWarning('dep-typed'), aRefusal('dep-typed', 'y'));

    expect((await read('dep-typed', { type: 'quota_warning' })).events).toHaveLength(1);
    expect((await read('dep-typed', { type: 'security' })).events).toHaveLength(2);
    expect((await read('dep-typed', { type: 'credential_access' })).events).toEqual([]);
  });

  test('come page by page, each once', async () => {
    const whys = Array.from({ length: 25 }, (_, number) => `why-${number}`);
    await happened(...whys.map((why) => aRefusal('dep-paged', why)));

    const seen: unknown[] = [];
    let before: string | undefined = '~';
    while (before !== undefined) {
      const { events, next } = await read('dep-paged', { before, limit: 10 });
      seen.push(...events.map(({ details }) => details['why']));
      before = next;
    }
    expect(seen).toEqual(whys.toReversed());
  });

  test.each([
    ['from a moment on', { from: '2026-11-20T12:00:02.000Z' }, ['c', 'd']],
    ['before a moment', { before: '2026-11-20T12:00:01.000Z' }, ['a']],
    ['in no time at all', { from: '2026-11-21', before: '2026-11-20' }, []],
  ])('can be asked for %s', async (title, over, expected) => {
    const deploymentId = `dep ${title}`;
    await happened(...['a', 'b', 'c', 'd'].map((why) => aRefusal(deploymentId, why)));

    const { events } = await read(deploymentId, over);
    expect(events.map(({ details }) => details['why']).toReversed()).toEqual(expected);
  });
});
