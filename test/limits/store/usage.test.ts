import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { dynamoUsage } from '../../../layers/limits/store/usage.ts';
import { DEFAULT_LIMITS } from '../../../layers/limits/rules/limits.ts';
import { DAY, HOUR } from '../../../layers/platform/rules/time.ts';
import type { Usage } from '../../../layers/limits/store/usage.ts';
import type { QuotaDecision } from '../../../layers/limits/rules/decisions.ts';
import { overtakenBefore } from '../../support/aws/flaky-dynamo.ts';
import { NOON, startStore } from '../../support/aws/dynamodb-fixtures.ts';

const at = (time: string) => Date.parse(time) / 1000;
const NOVEMBER = at('2026-11-01T00:00:00Z');
const DECEMBER = at('2026-12-01T00:00:00Z');

const store = await startStore();
afterAll(() => store.stop());
afterEach(() => {
  store.aws.faults.clear();
  store.aws.calls.reset();
});

const TableName = () => store.tableName('limits');
const usage = (over = {}) =>
  dynamoUsage(store.instance(), TableName(), { ...DEFAULT_LIMITS, ...over });
/** Waits for its answers however long they take, and never asks twice. */
const patient = () =>
  dynamoUsage(
    DynamoDBDocumentClient.from(store.client(DynamoDBClient)),
    TableName(),
    DEFAULT_LIMITS,
  );

const ALLOWED = { allowed: true, warnings: [] } as const;
const refused = (window: 'hour' | 'month', limit: number, retryAfterSeconds: number) => ({
  allowed: false,
  window,
  limit,
  retryAfterSeconds,
});

/** One after the other; the last verdict. */
const take = async (used: Usage, user: string, times: number, now = NOON) => {
  let verdict: QuotaDecision = ALLOWED;
  for (let taken = 0; taken < times; taken += 1) verdict = await used.take(user, 'free', 1, now);
  return verdict;
};

/** As if it had been used so far. */
const hasUsed = async (
  user: string,
  hourCount: number,
  monthCount: number,
  hourStart = NOON,
  monthStart = NOVEMBER,
) => {
  const counts = { hourStart, hourCount, monthStart, monthCount };
  const Item = { pk: `USAGE#${user}`, ...counts, deleteAfter: DECEMBER + DAY };
  await store.instance().send(new PutCommand({ TableName: TableName(), Item }));
};

const itemOf = async (user: string) => {
  const Key = { pk: `USAGE#${user}` };
  return (await store.instance().send(new GetCommand({ TableName: TableName(), Key }))).Item;
};

describe('the hour of a plan', () => {
  test.each([
    ['free', 20],
    ['pro', 1000],
  ] as const)('of %s lets %i pass and refuses the next until it ends', async (plan, limit) => {
    await hasUsed(plan, limit - 1, limit - 1);

    expect(await usage().take(plan, plan, 1, NOON + 600)).toEqual(ALLOWED);
    expect(await usage().take(plan, plan, 1, NOON + 600)).toEqual(refused('hour', limit, 3000));
  });

  test.each([
    ['refused in its last second', HOUR - 1, refused('hour', 20, 1)],
    ['let pass in the first second of the next', HOUR, ALLOWED],
  ])('that is used up is %s', async (user, later, expected) => {
    const used = usage();
    await take(used, user, 21);

    expect(await used.take(user, 'free', 1, NOON + later)).toEqual(expected);
  });

  test('is not what is told where the month of a total is used up too: the longer wait is', async () => {
    await hasUsed('waiting', 20, 20);
    await hasUsed('all-waiting', 0, 1000);
    const used = usage();
    const told = { ...refused('month', 1000, DECEMBER - NOON), isTotal: true };

    expect(await used.take('waiting', 'free', 1, NOON, 'all-waiting')).toEqual(told);
    expect(await used.take('waiting', 'free', 1, NOON, 'all-waiting')).toEqual(told);
  });

  test('names no wait for more than it ever allows', async () => {
    expect(await usage().take('greedy', 'free', 21, NOON)).toEqual({
      allowed: false,
      window: 'hour',
      limit: 20,
    });
  });

  test('counts each user alone', async () => {
    await take(usage(), 'busy', 21);

    expect(await usage().take('quiet', 'free', 1, NOON)).toEqual(ALLOWED);
  });

  test('is larger as soon as the plan is', async () => {
    const used = usage();
    await take(used, 'upgraded', 21);

    expect(await used.take('upgraded', 'pro', 1, NOON)).toEqual(ALLOWED);
  });
});

describe('the month of a plan', () => {
  test.each([
    ['free', 1000],
    ['pro', 50_000],
  ] as const)('of %s lets %i pass and refuses the next until it ends', async (plan, limit) => {
    const user = `month-${plan}`;
    await hasUsed(user, 0, limit - 1);

    expect(await usage().take(user, plan, 1, NOON)).toEqual(ALLOWED);
    expect(await usage().take(user, plan, 1, NOON)).toEqual(
      refused('month', limit, DECEMBER - NOON),
    );
  });

  test('is what is named where both are used up', async () => {
    await hasUsed('both', 20, 1000);

    expect(await usage().take('both', 'free', 1, NOON)).toMatchObject({ window: 'month' });
  });

  test('goes on through its hours', async () => {
    await hasUsed('hours', 20, 999);

    expect(await usage().take('hours', 'free', 1, NOON + HOUR)).toEqual(ALLOWED);
    expect(await itemOf('hours')).toMatchObject({
      hourStart: NOON + HOUR,
      hourCount: 1,
      monthStart: NOVEMBER,
      monthCount: 1000,
    });
    expect(await usage().take('hours', 'free', 1, NOON + 2 * HOUR)).toMatchObject({
      window: 'month',
    });
  });

  test.each([
    ['refused in its last second', DECEMBER - 1, refused('month', 1000, 1)],
    ['let pass in the first second of the next', DECEMBER, ALLOWED],
  ])('that is used up is %s', async (user, now, expected) => {
    await hasUsed(user, 0, 1000, DECEMBER - HOUR);

    expect(await usage().take(user, 'free', 1, now)).toEqual(expected);
  });

  test('is a new one even where the hour was used up in the old one', async () => {
    await hasUsed('turn', 20, 500, DECEMBER - HOUR);

    expect(await usage().take('turn', 'free', 1, DECEMBER)).toEqual(ALLOWED);
    expect(await itemOf('turn')).toEqual({
      pk: 'USAGE#turn',
      hourStart: DECEMBER,
      hourCount: 1,
      monthStart: DECEMBER,
      monthCount: 1,
      deleteAfter: at('2027-01-01T00:00:00Z') + DAY,
    });
  });
});

describe('a batch', () => {
  test('is taken whole if it ends at the limit', async () => {
    await hasUsed('fits', 15, 15);

    expect(await usage().take('fits', 'free', 5, NOON)).toMatchObject({ allowed: true });
    expect(await itemOf('fits')).toMatchObject({ hourCount: 20, monthCount: 20 });
  });

  test.each([
    ['hour', 16, 16],
    ['month', 0, 996],
  ] as const)('is refused whole if it would cross the %s', async (window, hour, month) => {
    await hasUsed(`crosses-${window}`, hour, month);

    expect(await usage().take(`crosses-${window}`, 'free', 5, NOON)).toMatchObject({
      allowed: false,
      window,
    });
    expect(await itemOf(`crosses-${window}`)).toMatchObject({ hourCount: hour, monthCount: month });
  });

  test('that was refused leaves what is left to smaller ones', async () => {
    const used = usage();
    await hasUsed('leaves', 16, 16);
    await used.take('leaves', 'free', 5, NOON);

    expect(await used.take('leaves', 'free', 4, NOON)).toMatchObject({ allowed: true });
    expect(await used.take('leaves', 'free', 1, NOON)).toMatchObject({ allowed: false });
  });

  test.each([21, 1001])('of %i never fits, not even as the first', async (cost) => {
    expect(await usage().take(`huge-${cost}`, 'free', cost, NOON)).toMatchObject({
      allowed: false,
    });
    expect(await itemOf(`huge-${cost}`)).toBeUndefined();
  });
});

describe('the warning at 80 percent', () => {
  test.each([
    ['hour', 'free', 20, 15, 15],
    ['hour', 'pro', 1000, 799, 799],
    ['month', 'free', 1000, 0, 799],
    ['month', 'pro', 50_000, 0, 39_999],
  ] as const)(
    'is for the request that reaches it: %s of %s',
    async (window, plan, limit, hourCount, monthCount) => {
      const user = `warned-${window}-${plan}`;
      await hasUsed(user, hourCount, monthCount);

      const warned = { allowed: true, warnings: [{ window, limit }] };
      expect(await usage().take(user, plan, 1, NOON)).toEqual(warned);
      expect(await usage().take(user, plan, 1, NOON)).toEqual(ALLOWED);
    },
  );

  test('is not for the one before', async () => {
    await hasUsed('unwarned', 14, 14);

    expect(await usage().take('unwarned', 'free', 1, NOON)).toEqual(ALLOWED);
  });

  test('names both windows where one request reaches both', async () => {
    await hasUsed('both-warned', 15, 799);

    expect(await usage().take('both-warned', 'free', 1, NOON)).toMatchObject({
      warnings: [{ window: 'month' }, { window: 'hour' }],
    });
  });

  test('is for the batch that jumps over it', async () => {
    await hasUsed('jumped', 10, 10);

    expect(await usage().take('jumped', 'free', 8, NOON)).toMatchObject({
      warnings: [{ window: 'hour', limit: 20 }],
    });
  });

  test('is for exactly one of many at once, and comes again in the next hour', async () => {
    for (const now of [NOON, NOON + HOUR]) {
      const verdicts = await Promise.all(
        Array.from({ length: 40 }, () => patient().take('crowd-warned', 'free', 1, now)),
      );
      const warnings = verdicts.flatMap((verdict) => (verdict.allowed ? verdict.warnings : []));
      expect(warnings).toEqual([{ window: 'hour', limit: 20 }]);
    }
  });
});

describe('many requests at once', () => {
  test.each([
    ['a new user', 'fresh', NOON],
    ['a new hour', 'hourly', NOON + HOUR],
    ['a new month', 'monthly', DECEMBER],
  ])('let exactly the limit pass, as the first of %s', async (_, user, now) => {
    if (user !== 'fresh') await hasUsed(user, 20, 100);
    const instances = Array.from({ length: 8 }, patient);
    const verdicts = await Promise.all(
      Array.from({ length: 200 }, (_, i) => instances[i % 8]!.take(user, 'free', 1, now)),
    );

    expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(20);
    expect(await itemOf(user)).toMatchObject({
      hourCount: 20,
      monthCount: user === 'hourly' ? 120 : 20,
    });
  });
});

describe('a clock that is late', () => {
  test.each([
    ['hour', NOON + HOUR, NOON + HOUR - 3],
    ['month', DECEMBER, DECEMBER - 3],
  ])('counts in the newer %s, and resets nothing', async (window, newer, late) => {
    const user = `late-${window}`;
    await take(usage(), user, 19, newer);

    expect(await usage().take(user, 'free', 1, late)).toEqual(ALLOWED);
    expect(await itemOf(user)).toMatchObject({ hourStart: newer, hourCount: 20 });
    expect(await usage().take(user, 'free', 1, late)).toEqual(refused('hour', 20, HOUR + 3));
  });

  test('resets nothing either where the newer month began just before its own', async () => {
    await hasUsed('overtaken', 20, 500, NOVEMBER - HOUR, at('2026-10-01T00:00:00Z'));
    const late = overtakenBefore(store.instance(), 'monthStart = :month, monthCount = :cost', () =>
      take(usage(), 'overtaken', 19, DECEMBER),
    );

    const used = dynamoUsage(late, TableName(), DEFAULT_LIMITS);
    expect(await used.take('overtaken', 'free', 1, DECEMBER - 3)).toEqual(ALLOWED);
    expect(await itemOf('overtaken')).toMatchObject({
      hourStart: DECEMBER,
      hourCount: 20,
      monthStart: DECEMBER,
      monthCount: 20,
    });
  });

  test('is refused until the end of the newer hour without another call', async () => {
    const used = usage();
    await take(used, 'late-known', 21, NOON + HOUR);
    store.aws.calls.reset();

    expect(await used.take('late-known', 'free', 1, NOON + HOUR - 3)).toEqual(
      refused('hour', 20, HOUR + 3),
    );
    expect(store.aws.calls.count()).toBe(0);
  });
});

describe('the cost of counting', () => {
  const calls = () => store.aws.calls.list().map(({ operation, times }) => `${times} ${operation}`);

  test('is one update in the usual case', async () => {
    await hasUsed('usual', 3, 3);
    await usage().take('usual', 'free', 1, NOON);

    expect(store.aws.calls.count({ operation: 'UpdateItem' })).toBe(1);
    expect(store.aws.calls.count({ operation: 'GetItem' })).toBe(0);
  });

  test('is two updates for the first of an hour', async () => {
    await hasUsed('first', 3, 3);
    store.aws.calls.reset();
    await usage().take('first', 'free', 1, NOON + HOUR);

    expect(calls()).toEqual(['2 UpdateItem']);
  });

  test('is nothing for a request that this instance knows to be over', async () => {
    const used = usage();
    await hasUsed('over', 20, 20);
    await used.take('over', 'free', 1, NOON);
    store.aws.calls.reset();
    await used.take('over', 'free', 1, NOON + HOUR - 1);

    expect(calls()).toEqual([]);
  });

  test('is no write for any that is refused', async () => {
    await hasUsed('unwritten', 20, 20);
    const before = await itemOf('unwritten');
    await usage().take('unwritten', 'free', 1, NOON);

    expect(await itemOf('unwritten')).toEqual(before);
  });
});

describe('reading the usage', () => {
  test.each([
    ['in the same hour', NOON + 5, { hour: 7, month: 70 }],
    ['in a later hour', NOON + HOUR, { hour: 0, month: 70 }],
    ['in a later month', DECEMBER, { hour: 0, month: 0 }],
    ['by a late clock', NOON - 5, { hour: 7, month: 70 }],
  ])('returns what counts %s', async (user, now, expected) => {
    await hasUsed(user, 7, 70);

    expect(await usage().read(user, 'free', now)).toEqual(expected);
  });

  test('returns zeros for a user that has used nothing', async () => {
    expect(await usage().read('nobody', 'free', NOON)).toEqual({ hour: 0, month: 0 });
  });
});

describe('the total of an issuer', () => {
  test('has limits of its own, and says that it is the total', async () => {
    await hasUsed('all-of-pro', 19_999, 19_999);
    const used = usage();

    expect(await used.take('one-of-pro', 'pro', 1, NOON, 'all-of-pro')).toEqual(ALLOWED);
    expect(await used.take('two-of-pro', 'pro', 1, NOON, 'all-of-pro')).toEqual({
      ...refused('hour', 20_000, HOUR),
      isTotal: true,
    });
  });
});

describe('a plan of more than a million requests an hour', () => {
  const many = { pro_requests_per_hour: 1_600_007, pro_requests_per_month: 900_000_000 };
  const PARTS = 16;
  const partOf = (user: string, index: number) => (index === 0 ? user : `${user}#${index}`);
  /** Sixteenths of it, the last seven of which are one larger. */
  const allowedOf = (index: number) => (index < 9 ? 100_000 : 100_001);

  test('is counted in sixteen items, each of which has its part, and refused when all are full', async () => {
    let left = 0;
    for (let index = 0; index < PARTS; index += 1) {
      const free = index % 4;
      left += free;
      const count = allowedOf(index) - free;
      await hasUsed(partOf('hot', index), count, count);
    }
    const instances = [usage(many), usage(many), usage(many)];
    const verdicts = await Promise.all(
      Array.from({ length: 2 * left }, async (_, index) =>
        instances[index % instances.length]?.take('hot', 'pro', 1, NOON),
      ),
    );

    expect(left).toBe(24);
    expect(verdicts.filter((verdict) => verdict?.allowed)).toHaveLength(left);
    expect(await usage(many).take('hot', 'pro', 1, NOON)).toEqual(
      refused('hour', many.pro_requests_per_hour, HOUR),
    );
    expect((await usage(many).read('hot', 'pro', NOON)).hour).toBe(many.pro_requests_per_hour);
  });

  test('is spread over them, and what is known to be full costs no call', async () => {
    const used = usage(many);
    for (let count = 0; count < 2 * PARTS; count += 1) await used.take('even', 'pro', 1, NOON);
    const counts = await Promise.all(
      Array.from({ length: PARTS }, async (_, index) => itemOf(partOf('even', index))),
    );
    expect(counts.map((item) => item?.['hourCount'])).toEqual(
      Array.from({ length: PARTS }, () => 2),
    );

    for (let index = 0; index < PARTS; index += 1) {
      await hasUsed(partOf('full', index), allowedOf(index), allowedOf(index));
    }
    await used.take('full', 'pro', 1, NOON);
    store.aws.calls.reset();
    expect(await used.take('full', 'pro', 1, NOON)).toMatchObject({ allowed: false });
    expect(store.aws.calls.list()).toEqual([]);
  });

  test('goes on from what was counted before its limit was raised', async () => {
    await hasUsed('raised', 500_000, 500_000);

    expect(await usage(many).take('raised', 'pro', 1, NOON)).toEqual(ALLOWED);
    expect((await usage(many).read('raised', 'pro', NOON)).hour).toBe(500_001);
  });
});

describe('a user of an external issuer', () => {
  test('is counted, however long an issuer and a subject may be', async () => {
    const user = `https://issuer.example/ ${'x'.repeat(5000)}`;
    await take(usage(), user, 3);

    expect(await usage().read(user, 'free', NOON)).toEqual({ hour: 3, month: 3 });
  });
});

describe('a store that is down', () => {
  test.each(['fail', 'throttle', 'drop'] as const)('is reported as a fault (%s)', async (kind) => {
    store.aws.faults.inject({ kind, on: { service: 'dynamodb' } });
    const fault = { neighbour: 'dynamodb' };

    await expect(usage().take('down', 'free', 1, NOON)).rejects.toMatchObject(fault);
    await expect(usage().read('down', 'free', NOON)).rejects.toMatchObject(fault);
  });
});
