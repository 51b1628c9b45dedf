import { afterAll, describe, expect, test } from '@jest/globals';
import { dynamoLeases } from '../../../layers/limits/store/leases.ts';
import { systemRandom } from '../../../layers/platform/system/random.ts';
import { DEFAULT_LIMITS } from '../../../layers/limits/rules/limits.ts';
import { losingAnswers } from '../../support/aws/flaky-dynamo.ts';
import { NOON, startStore } from '../../support/aws/dynamodb-fixtures.ts';

const LIMIT = 'trials_at_once_per_user';
const SECONDS = 30;

const store = await startStore();
afterAll(() => store.stop());

const leases = (dynamo = store.instance()) =>
  dynamoLeases(dynamo, store.tableName('limits'), DEFAULT_LIMITS, systemRandom());

describe('leases of one subject', () => {
  test('are as many at once as the limit says, however many ask at the same time', async () => {
    const { take } = leases();
    const taken = await Promise.all(
      Array.from({ length: 10 }, () => take(LIMIT, 'many', SECONDS, NOON)),
    );

    expect(taken.filter((lease) => lease !== undefined)).toHaveLength(DEFAULT_LIMITS[LIMIT]);
    expect(await take(LIMIT, 'another', SECONDS, NOON)).toBeDefined();
  });

  test('are free again once given back', async () => {
    const { take } = leases();
    await take(LIMIT, 'returned', SECONDS, NOON);
    const second = await take(LIMIT, 'returned', SECONDS, NOON);
    await second?.giveBack();

    expect(await take(LIMIT, 'returned', SECONDS, NOON)).toBeDefined();
    expect(await take(LIMIT, 'returned', SECONDS, NOON)).toBeUndefined();
  });

  test('end by themselves, to the second, where nobody gives them back', async () => {
    const { take } = leases();
    await take(LIMIT, 'killed', SECONDS, NOON);
    await take(LIMIT, 'killed', SECONDS, NOON);

    expect(await take(LIMIT, 'killed', SECONDS, NOON + SECONDS - 1)).toBeUndefined();
    expect(await take(LIMIT, 'killed', SECONDS, NOON + SECONDS)).toBeDefined();
  });

  test('that have ended are not released for their present holder', async () => {
    const { take } = leases();
    const late = await take(LIMIT, 'late', SECONDS, NOON);
    await take(LIMIT, 'late', SECONDS, NOON);
    await take(LIMIT, 'late', SECONDS, NOON + SECONDS);
    await take(LIMIT, 'late', SECONDS, NOON + SECONDS);
    await late?.giveBack();

    expect(await take(LIMIT, 'late', SECONDS, NOON + SECONDS)).toBeUndefined();
  });

  test('are taken once where the answer is lost and the SDK asks again', async () => {
    const { take } = leases(losingAnswers(store.instance(), { to: 'PutItem' }));
    await take(LIMIT, 'lost', SECONDS, NOON);

    expect(await take(LIMIT, 'lost', SECONDS, NOON)).toBeDefined();
  });
});
