import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { dynamoMailTokens } from '../../../layers/core/adapters/dynamodb/mail-tokens.ts';
import { randomMint } from '../../../layers/core/adapters/system/mint.ts';
import { fingerprint } from '../../../layers/core/domain/oauth/records.ts';
import { DAY } from '../../../layers/core/domain/time.ts';
import { losingAnswers } from '../../support/flaky-dynamo.ts';
import { NOON, startStore, type Store } from './fixtures.ts';
import { aMailToken } from './oauth-fixtures.ts';

let store: Store;
beforeAll(async () => {
  store = await startStore();
});
afterAll(() => store.stop());

const tokens = (dynamo = store.instance()) =>
  dynamoMailTokens(dynamo, store.tableName('users'), randomMint());
const sent = async (secret: string, over = {}) => {
  await tokens().put(fingerprint(secret), aMailToken(over));
  return fingerprint(secret);
};

describe('the token of a mail', () => {
  test.each(['verify_email', 'reset_password'] as const)(
    'reads back as it was sent: %s',
    async (purpose) => {
      expect(await tokens().find(await sent(purpose, { purpose }))).toEqual(
        aMailToken({ purpose }),
      );
    },
  );

  test('is taken once, with what it stands for, and then found no more', async () => {
    const token = await sent('once');

    expect(await tokens().take(token)).toEqual(aMailToken());
    expect(await tokens().take(token)).toBeUndefined();
    expect(await tokens().find(token)).toBeUndefined();
  });

  test('is taken by exactly one of many at once', async () => {
    const token = await sent('raced');
    const taken = await Promise.all(Array.from({ length: 50 }, () => tokens().take(token)));

    expect(taken.filter((record) => record !== undefined)).toEqual([aMailToken()]);
  });

  test('is taken where the answer was lost on its way', async () => {
    const token = await sent('lost');
    const shaken = tokens(losingAnswers(store.instance(), { to: 'UpdateItem' }));

    expect(await shaken.take(token)).toEqual(aMailToken());
  });

  test('is not taken where none was sent', async () => {
    expect(await tokens().take(fingerprint('none'))).toBeUndefined();
    expect(await tokens().find(fingerprint('none'))).toBeUndefined();
  });

  test('is swept a day after it expired', async () => {
    const token = await sent('swept');
    const end = NOON + DAY;

    await store.aws.sweep(end + DAY - 1);
    expect(await tokens().find(token)).toBeDefined();
    await store.aws.sweep(end + DAY);
    expect(await tokens().find(token)).toBeUndefined();
  });
});
