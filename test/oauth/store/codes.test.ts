import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { dynamoCodes } from '../../../layers/oauth/store/codes.ts';
import { type Fingerprint, fingerprint } from '../../../layers/platform/rules/fingerprint.ts';
import { losingAnswers } from '../../support/aws/flaky-dynamo.ts';
import { NOON, startStore } from '../../support/aws/dynamodb-fixtures.ts';
import { aCode } from '../../support/oauth/oauth-fixtures.ts';
import { committed } from '../../support/aws/committed.ts';

const store = await startStore();
afterAll(() => store.stop());
afterEach(() => store.aws.faults.clear());

const codes = () => dynamoCodes(store.instance(), store.tableName('oauth'));
const spend = (code: Fingerprint, now: number, dynamo = store.instance()) =>
  committed(dynamo, codes().spending(code, 'request-1', now));
const issued = async (secret: string, over = {}) => {
  await committed(store.instance(), codes().storing(fingerprint(secret), aCode(over)));
  return fingerprint(secret);
};

describe('an authorization code', () => {
  test('is found as it was issued', async () => {
    expect(await codes().find(await issued('whole'))).toEqual(aCode());
  });

  test('is not found where none was issued', async () => {
    expect(await codes().find(fingerprint('never issued'))).toBeUndefined();
  });

  test('says when it was used', async () => {
    const code = await issued('told');
    await spend(code, NOON + 5);

    expect(await codes().find(code)).toEqual(aCode({ usedAt: NOON + 5 }));
  });
});

describe('using a code', () => {
  test('succeeds for the first request and for no other', async () => {
    const code = await issued('once');

    expect(await spend(code, NOON)).toBe(true);
    expect(await spend(code, NOON)).toBe(false);
  });

  test('succeeds where the answer was lost on its way', async () => {
    const code = await issued('lost');
    const shaken = losingAnswers(store.instance(), { to: 'TransactWriteItems' });

    expect(await spend(code, NOON, shaken)).toBe(true);
    expect(await spend(code, NOON)).toBe(false);
  });

  test('succeeds for exactly one of 500 at once', async () => {
    const code = await issued('raced');
    const instances = Array.from({ length: 10 }, () => store.instance());

    const won = await Promise.all(
      Array.from({ length: 500 }, (_, i) => spend(code, NOON, instances[i % 10])),
    );

    expect(won.filter(Boolean)).toHaveLength(1);
  });

  test.each([
    ['in its last second', 599, true],
    ['from the second on in which it expires', 600, false],
  ])('is decided by the time of the request: %s', async (_, later, expected) => {
    const code = await issued(`expiring-${later}`);

    expect(await spend(code, NOON + later)).toBe(expected);
  });

  test('stores nothing for a code that was never issued', async () => {
    expect(await spend(fingerprint('absent'), NOON)).toBe(false);
    expect(await codes().find(fingerprint('absent'))).toBeUndefined();
  });

  test('is reported as a fault when the store is down', async () => {
    const code = await issued('down');
    store.aws.faults.inject({ kind: 'fail', on: { service: 'dynamodb' } });

    await expect(spend(code, NOON)).rejects.toMatchObject({
      neighbour: 'dynamodb',
    });
  });
});

describe('the time to live of a code', () => {
  test('ends a day after the code, so that a replay is recognized', async () => {
    const code = await issued('kept');
    const end = NOON + 600;

    await store.aws.sweep(end + 86_399);
    expect(await codes().find(code)).toBeDefined();
    await store.aws.sweep(end + 86_400);
    expect(await codes().find(code)).toBeUndefined();
  });
});
