import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { dynamoLockouts } from '../../../layers/accounts/store/lockouts.ts';
import { DAY } from '../../../layers/platform/rules/time.ts';
import { NOON, startStore } from '../../support/aws/dynamodb-fixtures.ts';

const store = await startStore();
afterAll(() => store.stop());
afterEach(() => store.aws.faults.clear());

const lockouts = () => dynamoLockouts(store.instance(), store.tableName('users'));

const NEXT = 'next@example.com';

describe('failed sign-ins in a row', () => {
  test('are counted, with the time of the latest', async () => {
    await lockouts().reserve('ada@example.com', NOON);

    const state = { failures: 2, failedAt: NOON + 7 };
    expect(await lockouts().reserve('ada@example.com', NOON + 7)).toEqual(state);
  });

  test('are the same account, however its e-mail is written', async () => {
    await lockouts().reserve('Bob@Example.com', NOON);

    expect(await lockouts().reserve('bob@example.COM', NOON)).toMatchObject({ failures: 2 });
  });

  test('are counted up to the lock and no further, however many come at once', async () => {
    const states = await Promise.all(
      Array.from({ length: 60 }, () => lockouts().reserve('crowd@example.com', NOON)),
    );

    const counts = states.flatMap((state) => state?.failures ?? []).sort();
    expect(counts).toEqual([1, 2, 3, 4, 5]);
  });

  test.each([
    [5, 900],
    [10, 3600],
    [15, DAY],
    [16, DAY],
  ])('are refused from number %i on for exactly %i seconds', async (failures, seconds) => {
    const email = `${failures}@example.com`;
    let now = NOON;
    for (let state = await lockouts().reserve(email, now); state?.failures !== failures;) {
      now += DAY;
      state = await lockouts().reserve(email, now);
    }

    expect(await lockouts().reserve(email, now + seconds - 1)).toBeUndefined();
    expect(await lockouts().reserve(email, now + seconds)).toMatchObject({
      failures: failures + 1,
    });
  });

  test('are five more until the next lock', async () => {
    for (let count = 0; count < 5; count += 1) await lockouts().reserve(NEXT, NOON);
    const later = NOON + 900;
    const states = [];
    for (let count = 0; count < 6; count += 1) states.push(await lockouts().reserve(NEXT, later));

    expect(states.map((state) => state?.failures)).toEqual([6, 7, 8, 9, 10, undefined]);
  });

  test('are forgotten by a reset, which may be repeated', async () => {
    await lockouts().reserve('reset@example.com', NOON);
    await lockouts().reset('reset@example.com');
    await lockouts().reset('reset@example.com');

    expect(await lockouts().reserve('reset@example.com', NOON)).toMatchObject({ failures: 1 });
  });

  test('are kept for 30 days after the latest', async () => {
    await lockouts().reserve('kept@example.com', NOON - DAY);
    await lockouts().reserve('kept@example.com', NOON);

    await store.aws.sweep(NOON + 30 * DAY - 1);
    const kept = await lockouts().reserve('kept@example.com', NOON);
    await store.aws.sweep(NOON + 30 * DAY);
    const forgotten = await lockouts().reserve('kept@example.com', NOON);

    expect([kept?.failures, forgotten?.failures]).toEqual([3, 1]);
  });

  test('are stored without the address, which may be nobody’s or somebody else’s', async () => {
    await lockouts().reserve('hidden@example.com', NOON);
    const { Items } = await store
      .instance()
      .send(new ScanCommand({ TableName: store.tableName('users') }));

    expect(Items?.length).toBeGreaterThan(0);
    expect(JSON.stringify(Items)).not.toContain('hidden');
  });

  test.each(['fail', 'drop'] as const)(
    'are reported as a fault when the store is down (%s)',
    async (kind) => {
      store.aws.faults.inject({ kind, on: { service: 'dynamodb' } });
      const fault = { neighbour: 'dynamodb' };

      await expect(lockouts().reserve('a@example.com', NOON)).rejects.toMatchObject(fault);
      await expect(lockouts().reset('a@example.com')).rejects.toMatchObject(fault);
    },
  );
});
