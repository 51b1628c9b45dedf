import { afterAll, describe, expect, test } from '@jest/globals';
import { dynamoMailTokens } from '../../../layers/accounts/store/mail-tokens.ts';
import { systemRandom } from '../../../layers/platform/system/random.ts';
import { fingerprint } from '../../../layers/platform/rules/fingerprint.ts';
import { DAY } from '../../../layers/platform/rules/time.ts';
import { LINK_PURPOSES, type MailToken } from '../../../layers/accounts/rules/user.ts';
import type { WantedMailToken } from '../../../layers/accounts/rules/records.ts';
import { losingAnswers } from '../../support/aws/flaky-dynamo.ts';
import { NOON, startStore } from '../../support/aws/dynamodb-fixtures.ts';
import { aMailToken } from '../../support/oauth/oauth-fixtures.ts';
import { committed } from '../../support/aws/committed.ts';

const store = await startStore();
afterAll(() => store.stop());

const tokens = (dynamo = store.instance()) =>
  dynamoMailTokens(dynamo, store.tableName('users'), systemRandom());
const wanted = (secret: string, over: Partial<MailToken> = {}): WantedMailToken => {
  const { purpose, email } = aMailToken(over);
  return { purpose, address: fingerprint(email), secret: fingerprint(secret) };
};
const take = (token: WantedMailToken, dynamo = store.instance()) =>
  committed(dynamo, tokens().spending(token));
const sent = async (secret: string, over: Partial<MailToken> = {}) => {
  await tokens().put(fingerprint(secret), aMailToken(over));
  return wanted(secret, over);
};

describe('the token of a mail', () => {
  test.each(LINK_PURPOSES)('reads back as it was sent: %s', async (purpose) => {
    expect(await tokens().find(await sent(purpose, { purpose }))).toEqual(aMailToken({ purpose }));
  });

  test('is claimed once, and then not found any more', async () => {
    const token = await sent('once');

    expect(await take(token)).toBe(true);
    expect(await take(token)).toBe(false);
    expect(await tokens().find(token)).toBeUndefined();
  });

  test('is claimed by exactly one of many at once', async () => {
    const token = await sent('raced');
    const taken = await Promise.all(Array.from({ length: 50 }, () => take(token)));

    expect(taken.filter(Boolean)).toHaveLength(1);
  });

  test('is claimed where the answer was lost on its way', async () => {
    const token = await sent('lost');
    const shaken = losingAnswers(store.instance(), { to: 'TransactWriteItems' });

    expect(await take(token, shaken)).toBe(true);
  });

  test('is held by one of many at once, until its time is over or it is taken', async () => {
    const token = await sent('held');
    const hold = (now: number) => tokens().hold(token, now + 30, now);
    const held = await Promise.all(Array.from({ length: 20 }, () => hold(NOON)));
    const later = [await hold(NOON + 29), await hold(NOON + 30), await hold(NOON + 30)];
    await take(token);

    expect(held.filter((isHeld) => isHeld)).toHaveLength(1);
    expect(later).toEqual([false, true, false]);
    expect(await hold(NOON + 90)).toBe(false);
    expect(await tokens().hold(wanted('guessed'), NOON + 120, NOON + 90)).toBe(false);
  });

  test('is held where the answer was lost on its way', async () => {
    const token = await sent('held and lost');
    const shaken = tokens(losingAnswers(store.instance(), { to: 'UpdateItem' }));

    expect(await shaken.hold(token, NOON + 30, NOON)).toBe(true);
  });

  test('is not taken where none was sent', async () => {
    const none = wanted('none', { email: 'nobody@example.com' });

    expect(await take(none)).toBe(false);
    expect(await tokens().find(none)).toBeUndefined();
  });

  test('ends the one before of the same purpose and address, and no other', async () => {
    const earlier = await sent('earlier');
    const reset = await sent('of a reset', { purpose: 'reset_password' });
    const bobs = await sent('to Bob', { email: 'bob@example.com' });
    const later = await sent('later');

    expect(await tokens().find(earlier)).toBeUndefined();
    expect(await take(earlier)).toBe(false);
    for (const one of [reset, bobs, later]) expect(await take(one)).toBe(true);
  });

  test('is deleted a day after it has expired', async () => {
    const token = await sent('swept');
    const end = NOON + DAY;

    await store.aws.sweep(end + DAY - 1);
    expect(await tokens().find(token)).toBeDefined();
    await store.aws.sweep(end + DAY);
    expect(await tokens().find(token)).toBeUndefined();
  });
});
