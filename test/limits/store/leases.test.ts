import { afterAll, describe, expect, test } from '@jest/globals';
import { dynamoLeases } from '../../../layers/limits/store/leases.ts';
import { systemRandom } from '../../../layers/platform/system/random.ts';
import { DEFAULT_LIMITS } from '../../../layers/limits/rules/limits.ts';
import { losingAnswers } from '../../support/aws/flaky-dynamo.ts';
import { NOON, startStore } from '../../support/aws/dynamodb-fixtures.ts';
import { type Lease, type NoLease } from '../../../layers/limits/rules/decisions.ts';

const LIMIT = 'trials_at_once_per_user';
const SECONDS = 30;

const store = await startStore();
afterAll(() => store.stop());

const leases = (dynamo = store.instance()) =>
  dynamoLeases(dynamo, store.tableName('limits'), DEFAULT_LIMITS, systemRandom());

const giveBack = async (lease: Lease | NoLease): Promise<void> => {
  if ('giveBack' in lease) await lease.giveBack();
};

describe('leases of one subject', () => {
  test('are as many at once as the limit says, however many ask at the same time', async () => {
    const { take } = leases();
    const taken = await Promise.all(
      Array.from({ length: 10 }, () => take(LIMIT, 'many', SECONDS, NOON)),
    );

    expect(taken.filter((lease) => 'giveBack' in lease)).toHaveLength(DEFAULT_LIMITS[LIMIT]);
    expect(await take(LIMIT, 'another', SECONDS, NOON)).toHaveProperty('giveBack');
  });

  test('are free again once given back', async () => {
    const { take } = leases();
    await take(LIMIT, 'returned', SECONDS, NOON);
    const second = await take(LIMIT, 'returned', SECONDS, NOON);
    await giveBack(second);

    expect(await take(LIMIT, 'returned', SECONDS, NOON)).toHaveProperty('giveBack');
    expect(await take(LIMIT, 'returned', SECONDS, NOON)).toHaveProperty('until');
  });

  test('end by themselves, to the second, where nobody gives them back', async () => {
    const { take } = leases();
    await take(LIMIT, 'killed', SECONDS, NOON);
    await take(LIMIT, 'killed', SECONDS, NOON);

    expect(await take(LIMIT, 'killed', SECONDS, NOON + SECONDS - 1)).toEqual({
      until: NOON + SECONDS,
    });
    expect(await take(LIMIT, 'killed', SECONDS, NOON + SECONDS)).toHaveProperty('giveBack');
  });

  test('that have ended are not released for their present holder', async () => {
    const { take } = leases();
    const late = await take(LIMIT, 'late', SECONDS, NOON);
    await take(LIMIT, 'late', SECONDS, NOON);
    await take(LIMIT, 'late', SECONDS, NOON + SECONDS);
    await take(LIMIT, 'late', SECONDS, NOON + SECONDS);
    await giveBack(late);

    expect(await take(LIMIT, 'late', SECONDS, NOON + SECONDS)).toHaveProperty('until');
  });

  test('are taken once where the answer is lost and the SDK asks again', async () => {
    const { take } = leases(losingAnswers(store.instance(), { to: 'PutItem' }));
    await take(LIMIT, 'lost', SECONDS, NOON);

    expect(await take(LIMIT, 'lost', SECONDS, NOON)).toHaveProperty('giveBack');
  });
});
