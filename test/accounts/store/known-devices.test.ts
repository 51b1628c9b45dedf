import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, describe, expect, test } from '@jest/globals';
import { dynamoKnownDevices } from '../../../layers/accounts/store/known-devices.ts';
import { fingerprint } from '../../../layers/platform/rules/fingerprint.ts';
import { NOON, startStore } from '../../support/aws/dynamodb-fixtures.ts';

const store = await startStore();
afterAll(() => store.stop());

const devices = () => dynamoKnownDevices(store.instance(), store.tableName('users'));

const EMAIL = 'ada@example.com';
const DAYS_90 = 90 * 86_400;
const known = { email: EMAIL, createdAt: NOON, expiresAt: NOON + DAYS_90 };

describe('a device that has signed in before', () => {
  test('counts its own failures, up to the lock, however many come at once', async () => {
    const device = fingerprint('counting');
    await devices().remember(device, known);
    const states = await Promise.all(
      Array.from({ length: 20 }, () => devices().reserve(device, EMAIL, NOON)),
    );

    const counts = states.flatMap((state) => state?.failed?.failures ?? []).sort();
    expect(counts).toEqual([1, 2, 3, 4, 5]);
    expect(states.every((state) => state?.createdAt === NOON)).toBe(true);
    expect(await devices().reserve(device, EMAIL, NOON + 899)).toEqual({ createdAt: NOON });
    expect(await devices().reserve(device, EMAIL, NOON + 900)).toMatchObject({
      failed: { failures: 6 },
    });
  });

  test('begins without failures each time that it is remembered', async () => {
    const device = fingerprint('again');
    await devices().remember(device, known);
    await devices().reserve(device, EMAIL, NOON);
    await devices().remember(device, known);

    expect(await devices().reserve(device, EMAIL, NOON)).toMatchObject({ failed: { failures: 1 } });
  });

  test('is known to its own account alone', async () => {
    const device = fingerprint('own');
    await devices().remember(device, known);

    expect(await devices().reserve(device, 'grace@example.com', NOON)).toBeUndefined();
    expect(await devices().reserve(device, 'ADA@example.com', NOON)).toBeDefined();
  });

  test('is known until the last second of its time', async () => {
    const device = fingerprint('timed');
    await devices().remember(device, known);

    expect(await devices().reserve(device, EMAIL, NOON + DAYS_90 - 1)).toBeDefined();
    expect(await devices().reserve(device, EMAIL, NOON + DAYS_90)).toBeUndefined();
  });

  test('is not known if nobody remembered it', async () => {
    expect(await devices().reserve(fingerprint('strange'), EMAIL, NOON)).toBeUndefined();
  });

  test('is stored without the address of its account', async () => {
    const { Items } = await store
      .instance()
      .send(new ScanCommand({ TableName: store.tableName('users') }));

    expect(Items?.length).toBeGreaterThan(0);
    expect(JSON.stringify(Items)).not.toContain('ada@');
  });
});
