import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { dynamoCounters } from '../../../layers/limits/store/counters.ts';
import { DEFAULT_LIMITS, type WindowLimit } from '../../../layers/limits/rules/limits.ts';
import { DAY, HOUR, MINUTE } from '../../../layers/platform/rules/time.ts';
import type { Counters } from '../../../layers/limits/store/counters.ts';
import type { LimitDecision } from '../../../layers/limits/rules/decisions.ts';
import { NOON, startStore } from '../../support/aws/dynamodb-fixtures.ts';

const store = await startStore();
afterAll(() => store.stop());
afterEach(() => {
  store.aws.faults.clear();
  store.aws.calls.reset();
});

const TableName = () => store.tableName('limits');
const counters = (over = {}) =>
  dynamoCounters(store.instance(), TableName(), { ...DEFAULT_LIMITS, ...over });
/** Waits for its answers however long they take, and never asks twice. */
const patient = () => {
  const dynamo = DynamoDBDocumentClient.from(store.client(DynamoDBClient));
  return dynamoCounters(dynamo, TableName(), DEFAULT_LIMITS);
};

const HOURLY = 'registration_per_hour_per_ip';
const ALLOWED = { allowed: true } as const;
const refusedFor = (retryAfterSeconds: number): LimitDecision => ({
  allowed: false,
  retryAfterSeconds,
});

/** One after the other; the last verdict. */
const take = async (
  counter: Counters,
  limit: WindowLimit,
  subject: string,
  times: number,
  now = NOON,
) => {
  let verdict: LimitDecision = ALLOWED;
  for (let taken = 0; taken < times; taken += 1) verdict = await counter.take(limit, subject, now);
  return verdict;
};

const itemOf = async (pk: string) =>
  (await store.instance().send(new GetCommand({ TableName: TableName(), Key: { pk } }))).Item;

describe('a limit', () => {
  test.each([
    ['token_per_minute_per_client', 10, MINUTE],
    [HOURLY, 20, HOUR],
    ['gallery_per_day', 20, 12 * HOUR],
  ] as const)(
    '%s lets %i pass and refuses the next until the window ends',
    async (limit, most, left) => {
      const counter = counters();

      expect(await take(counter, limit, 'boundary', most)).toEqual(ALLOWED);
      expect(await counter.take(limit, 'boundary', NOON)).toEqual(refusedFor(left));
    },
  );

  test.each([
    ['refused in the last second of the window', HOUR - 1, refusedFor(1)],
    ['let pass in the first second of the next', HOUR, ALLOWED],
  ])('that is reached is %s', async (name, later, expected) => {
    const counter = counters();
    await take(counter, HOURLY, name, 21);

    expect(await counter.take(HOURLY, name, NOON + later)).toEqual(expected);
  });

  test('counts each subject and each limit for itself', async () => {
    const counter = counters();
    await take(counter, HOURLY, 'busy', 21);

    expect(await counter.take(HOURLY, 'quiet', NOON)).toEqual(ALLOWED);
    expect(await counter.take('authorize_per_hour_per_ip', 'busy', NOON)).toEqual(ALLOWED);
  });

  test('may be set by an operator', async () => {
    const counter = counters({ [HOURLY]: 2 });

    expect(await take(counter, HOURLY, 'operated', 2)).toEqual(ALLOWED);
    expect(await counter.take(HOURLY, 'operated', NOON)).toMatchObject({ allowed: false });
  });

  test('lets exactly 20 of 1,000 at once pass, over many instances', async () => {
    const instances = Array.from({ length: 10 }, patient);
    const verdicts = await Promise.all(
      Array.from({ length: 1000 }, (_, i) => instances[i % 10]!.take(HOURLY, 'crowd', NOON)),
    );

    expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(20);
  });

  test('is exact in both windows where clocks are 5 s apart at the edge', async () => {
    const [early, late] = [patient(), patient()];
    const edge = NOON + HOUR;
    const verdicts = await Promise.all(
      Array.from({ length: 60 }, async (_, i) =>
        i % 2 ? early.take(HOURLY, 'edge', edge + 2) : late.take(HOURLY, 'edge', edge - 3),
      ),
    );

    const passed = (own: number) => verdicts.filter(({ allowed }, i) => allowed && i % 2 === own);
    expect([passed(0).length, passed(1).length]).toEqual([20, 20]);
  });
});

describe('a request that is let pass', () => {
  test('is one call', async () => {
    await counters().take(HOURLY, 'cheap', NOON);

    expect(store.aws.calls.list()).toMatchObject([{ operation: 'UpdateItem', times: 1 }]);
  });

  test('is counted in an item that is deleted a day after the window', async () => {
    await counters().take(HOURLY, '192.0.2.7', NOON);

    expect(await itemOf(`${HOURLY}#192.0.2.7#${NOON}`)).toEqual({
      pk: `${HOURLY}#192.0.2.7#${NOON}`,
      count: 1,
      deleteAfter: NOON + HOUR + DAY,
    });
  });
});

describe('a request that is refused', () => {
  test('writes nothing', async () => {
    await take(counters(), HOURLY, 'unwritten', 20);
    await take(counters(), HOURLY, 'unwritten', 5);

    expect(await itemOf(`${HOURLY}#unwritten#${NOON}`)).toMatchObject({ count: 20 });
  });

  test('costs no call once the instance knows, until the window ends', async () => {
    const counter = counters();
    await take(counter, HOURLY, 'known', 21);
    store.aws.calls.reset();
    await take(counter, HOURLY, 'known', 10, NOON + HOUR - 1);
    expect(store.aws.calls.count()).toBe(0);

    await counter.take(HOURLY, 'known', NOON + HOUR);
    expect(store.aws.calls.count()).toBe(1);
  });

  test('is counted among the first of a window that began on another clock', async () => {
    const counter = counters();
    await take(counter, HOURLY, 'ahead', 21, NOON + HOUR);

    expect(await counter.take(HOURLY, 'ahead', NOON + HOUR - 1)).toEqual(ALLOWED);
  });
});

describe('a subject', () => {
  test.each([
    ['empty', ''],
    ['long', `https://client.example/${'x'.repeat(5000)}`],
    ['with the separator in it', 'a#b#c'],
    ['in any script', 'ключ-鍵'.repeat(100)],
  ])('is counted, whatever it is: %s', async (_, subject) => {
    const counter = counters();

    expect(await take(counter, HOURLY, subject, 20)).toEqual(ALLOWED);
    expect(await counter.take(HOURLY, subject, NOON)).toMatchObject({ allowed: false });
    expect(await counter.take(HOURLY, `${subject}.`, NOON)).toEqual(ALLOWED);
  });
});

describe('a store that is down', () => {
  test.each(['fail', 'throttle', 'drop'] as const)('is reported as a fault (%s)', async (kind) => {
    store.aws.faults.inject({ kind, on: { service: 'dynamodb' } });

    await expect(counters().take(HOURLY, 'down', NOON)).rejects.toMatchObject({
      neighbour: 'dynamodb',
    });
  });
});
