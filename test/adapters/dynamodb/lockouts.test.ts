import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { dynamoLockouts } from '../../../layers/core/adapters/dynamodb/lockouts.ts';
import { DAY } from '../../../layers/core/domain/time.ts';
import { NOON, startStore, type Store } from './fixtures.ts';

let store: Store;
beforeAll(async () => {
  store = await startStore();
});
afterAll(() => store.stop());
afterEach(() => store.aws.faults.clear());

const lockouts = () => dynamoLockouts(store.instance(), store.tableName('users'));

describe('failed sign-ins', () => {
  test('are none at first', async () => {
    expect(await lockouts().read('new@example.com')).toBeUndefined();
  });

  test('are counted, with the time of the latest', async () => {
    await lockouts().recordFailure('ada@example.com', NOON);

    const state = { failures: 2, failedAt: NOON + 7 };
    expect(await lockouts().recordFailure('ada@example.com', NOON + 7)).toEqual(state);
    expect(await lockouts().read('ada@example.com')).toEqual(state);
  });

  test('are the same account, however its e-mail is written', async () => {
    await lockouts().recordFailure('Bob@Example.com', NOON);

    expect(await lockouts().read('bob@example.COM')).toMatchObject({ failures: 1 });
  });

  test('keep the latest time where a clock is late', async () => {
    await lockouts().recordFailure('late@example.com', NOON);

    expect(await lockouts().recordFailure('late@example.com', NOON - 5)).toEqual({
      failures: 2,
      failedAt: NOON,
    });
  });

  test('are all counted, of many at once and by clocks that differ', async () => {
    const states = await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        lockouts().recordFailure('crowd@example.com', NOON + (i % 6)),
      ),
    );

    const counts = states.map(({ failures }) => failures).sort((one, other) => one - other);
    expect(counts).toEqual(Array.from({ length: 60 }, (_, i) => i + 1));
    expect(await lockouts().read('crowd@example.com')).toEqual({
      failures: 60,
      failedAt: NOON + 5,
    });
  });

  test('are forgotten by a reset, which may be repeated', async () => {
    await lockouts().recordFailure('reset@example.com', NOON);
    await lockouts().reset('reset@example.com');
    await lockouts().reset('reset@example.com');

    expect(await lockouts().read('reset@example.com')).toBeUndefined();
    expect(await lockouts().recordFailure('reset@example.com', NOON)).toMatchObject({
      failures: 1,
    });
  });

  test('are kept for 30 days after the latest', async () => {
    await lockouts().recordFailure('kept@example.com', NOON - DAY);
    await lockouts().recordFailure('kept@example.com', NOON);

    await store.aws.sweep(NOON + 30 * DAY - 1);
    expect(await lockouts().read('kept@example.com')).toMatchObject({ failures: 2 });
    await store.aws.sweep(NOON + 30 * DAY);
    expect(await lockouts().read('kept@example.com')).toBeUndefined();
  });

  test('are stored without the address, which may be nobody’s or somebody else’s', async () => {
    await lockouts().recordFailure('hidden@example.com', NOON);
    const { Items } = await store
      .instance()
      .send(new ScanCommand({ TableName: store.tableName('users') }));

    expect(Items?.length).toBeGreaterThan(0);
    expect(JSON.stringify(Items)).not.toContain('hidden');
  });

  test.each(['fail', 'drop'] as const)('are a fault when the store is down: %s', async (kind) => {
    store.aws.faults.inject({ kind, on: { service: 'dynamodb' } });
    const fault = { neighbour: 'dynamodb' };

    await expect(lockouts().read('a@example.com')).rejects.toMatchObject(fault);
    await expect(lockouts().recordFailure('a@example.com', NOON)).rejects.toMatchObject(fault);
    await expect(lockouts().reset('a@example.com')).rejects.toMatchObject(fault);
  });
});
