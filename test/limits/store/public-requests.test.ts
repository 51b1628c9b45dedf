import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { dynamoPublicRequestBlocks } from '../../../layers/limits/store/public-request-blocks.ts';
import { dynamoPublicRequests } from '../../../layers/limits/store/public-requests.ts';
import type {
  BlockedSubject,
  PublicRequestDecision,
} from '../../../layers/limits/rules/decisions.ts';
import type { PublicRequests } from '../../../layers/limits/store/public-requests.ts';
import { NOON, startStore } from '../../support/aws/dynamodb-fixtures.ts';

const LIMIT = 20;
const BLOCK = 5 * LIMIT;
const EVERYWHERE = 50 * LIMIT;
const ALLOWED = { allowed: true } as const;

const store = await startStore();
afterAll(() => store.stop());
afterEach(() => store.aws.faults.clear());

const TableName = () => store.tableName('limits');
const anInstance = () => dynamoPublicRequests(store.instance(), TableName(), LIMIT);
const blocks = () => dynamoPublicRequestBlocks(store.instance(), TableName());
/** All blocks, on pages of so many items. */
const listed = async (now: number, limit = 1000) => {
  const items: BlockedSubject[] = [];
  let after: string | undefined;
  do {
    const page = await blocks().page({ limit, after }, now);
    items.push(...page.items);
    after = page.next;
  } while (after !== undefined);
  return items;
};
const refusedFor = (
  retryAfterSeconds: number,
  blockedNow?: 'here' | 'everywhere',
): PublicRequestDecision => ({
  allowed: false,
  retryAfterSeconds,
  ...(blockedNow && { blockedNow }),
});

/** A request of a subject to a deployment. */
const of = (subject: string, slug = 'weather') => ({ subject, deploymentId: `dep-${slug}`, slug });

const itemOf = async (subject: string) => {
  const Key = { pk: `public_requests_per_minute_per_ip#${subject}` };
  return (await store.instance().send(new GetCommand({ TableName: TableName(), Key }))).Item;
};

/** Single requests, one after the other; the last verdict. */
const send = async (instance: PublicRequests, subject: string, times: number, now = NOON) => {
  let verdict: PublicRequestDecision = ALLOWED;
  for (let sent = 0; sent < times; sent += 1) verdict = await instance.count(of(subject), 1, now);
  return verdict;
};

describe('counting public requests', () => {
  test('lets the last one within the limit pass and refuses the next until the minute ends', async () => {
    const instance = anInstance();

    expect(await send(instance, 'boundary', LIMIT, NOON + 17)).toEqual(ALLOWED);
    expect(await instance.count(of('boundary'), 1, NOON + 17)).toEqual(refusedFor(43));
  });

  test.each([
    ['still refused in its last second', 59, refusedFor(1)],
    ['let pass in the first second of the next', 60, ALLOWED],
    ['let pass long after', 86_400, ALLOWED],
  ])('treats a subject over the limit in one minute as %s', async (name, later, expected) => {
    const instance = anInstance();
    await send(instance, name, LIMIT + 1);

    expect(await instance.count(of(name), 1, NOON + later)).toEqual(expected);
  });

  test('counts each subject for itself', async () => {
    const instance = anInstance();
    await send(instance, 'busy', LIMIT + 1);

    expect(await instance.count(of('quiet'), 1, NOON)).toEqual(ALLOWED);
  });

  test('counts over all instances', async () => {
    const [one, two] = [anInstance(), anInstance()];
    await send(one, 'shared', LIMIT - 1);

    expect(await two.count(of('shared'), 1, NOON)).toEqual(ALLOWED);
    expect(await one.count(of('shared'), 1, NOON)).toEqual(refusedFor(60));
  });

  test('lets exactly the limit pass, of many at once on many instances', async () => {
    const instances = Array.from({ length: 6 }, anInstance);
    const verdicts = await Promise.all(
      instances.flatMap((instance) =>
        Array.from({ length: 50 }, () => instance.count(of('crowd'), 1, NOON)),
      ),
    );

    expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(LIMIT);
    // 300 is beyond five times the limit, and only one of them may report the block.
    expect(verdicts.filter((verdict) => !verdict.allowed && verdict.blockedNow)).toHaveLength(1);
  });

  test('lets exactly the limit pass in each of two minutes whose requests arrive mixed', async () => {
    const instances = Array.from({ length: 4 }, anInstance);
    const verdicts = await Promise.all(
      instances.flatMap((instance) =>
        Array.from({ length: 20 }, (_, i) => instance.count(of('edge'), 1, NOON + 59 + (i % 2))),
      ),
    );

    // A late one may find the next minute open already and count there: fewer may pass, never more.
    const passed = verdicts.filter(({ allowed }) => allowed).length;
    expect(passed).toBeGreaterThanOrEqual(LIMIT);
    expect(passed).toBeLessThanOrEqual(2 * LIMIT);
  });

  test('costs one call, the first time in a minute as well as later', async () => {
    const instance = anInstance();
    store.aws.calls.reset();
    await instance.count(of('cheap'), 1, NOON);
    await instance.count(of('cheap'), 1, NOON);
    await instance.count(of('cheap'), 1, NOON + 60);

    expect(store.aws.calls.list()).toMatchObject([{ operation: 'UpdateItem', times: 3 }]);
  });
});

describe('a batch', () => {
  test('passes if it ends at the limit', async () => {
    const instance = anInstance();
    await instance.count(of('batch'), LIMIT - 5, NOON);

    expect(await instance.count(of('batch'), 5, NOON)).toEqual(ALLOWED);
  });

  test('is refused whole if it would cross the limit, and still counts', async () => {
    const instance = anInstance();
    await instance.count(of('crossing'), LIMIT - 5, NOON);

    expect(await instance.count(of('crossing'), 6, NOON)).toEqual(refusedFor(60));
    expect(await instance.count(of('crossing'), 1, NOON)).toEqual(refusedFor(60));
    expect(await itemOf('crossing')).toMatchObject({ count: LIMIT + 2 });
  });

  test('of more than a minute ever allows is refused whole, and no wait is named that would not help', async () => {
    expect(await anInstance().count(of('greedy'), LIMIT + 1, NOON)).toEqual({ allowed: false });
  });

  test('can block its sender by itself', async () => {
    expect(await anInstance().count(of('flood'), BLOCK, NOON)).toEqual(refusedFor(3600, 'here'));
  });
});

describe('five times the limit in one minute', () => {
  test('blocks for an hour, and one request fewer does not', async () => {
    const instance = anInstance();
    expect(await send(instance, 'abuser', BLOCK - 1, NOON + 30)).toEqual(refusedFor(30));

    expect(await instance.count(of('abuser'), 1, NOON + 30)).toEqual(refusedFor(3600, 'here'));
  });

  test.each([
    ['on the instance that saw it', 0],
    ['on every other', 1],
  ])('is refused until the very second the block ends: %s', async (name, which) => {
    const instances = [anInstance(), anInstance()];
    await instances[0]!.count(of(name), BLOCK, NOON);
    const instance = instances[which]!;

    expect(await instance.count(of(name), 1, NOON + 61)).toEqual(refusedFor(3539));
    expect(await instance.count(of(name), 1, NOON + 3599)).toEqual(refusedFor(1));
    expect(await instance.count(of(name), 1, NOON + 3600)).toEqual(ALLOWED);
  });

  test('costs one call a minute, both where it was seen and where it was learned', async () => {
    const [seen, learned] = [anInstance(), anInstance()];
    await seen.count(of('known'), BLOCK, NOON);
    await learned.count(of('known'), 1, NOON);
    store.aws.calls.reset();

    expect(await send(seen, 'known', 5, NOON + 59)).toEqual(refusedFor(3541));
    expect(await send(learned, 'known', 5, NOON + 59)).toEqual(refusedFor(3541));
    expect(store.aws.calls.count()).toBe(0);

    expect(await send(seen, 'known', 5, NOON + 60)).toEqual(refusedFor(3540));
    expect(await send(learned, 'known', 5, NOON + 60)).toEqual(refusedFor(3540));
    expect(store.aws.calls.count()).toBe(2);
  });

  test('does not lengthen a block that is on', async () => {
    const instance = anInstance();
    await instance.count(of('stubborn'), BLOCK, NOON);
    await anInstance().count(of('stubborn'), BLOCK, NOON + 1800);

    expect(await anInstance().count(of('stubborn'), 1, NOON + 3600)).toEqual(ALLOWED);
  });

  test('can happen again after the block has ended', async () => {
    await anInstance().count(of('relapse'), BLOCK, NOON);

    expect(await anInstance().count(of('relapse'), BLOCK, NOON + 3600)).toEqual(
      refusedFor(3600, 'here'),
    );
  });
});

describe('a flood at one deployment', () => {
  test('blocks its sender there alone', async () => {
    const instance = anInstance();
    await instance.count(of('neighbour', 'flooded'), BLOCK, NOON);

    expect(await instance.count(of('neighbour', 'flooded'), 1, NOON + 60)).toEqual(
      refusedFor(3540),
    );
    expect(await instance.count(of('neighbour', 'other'), 1, NOON + 60)).toEqual(ALLOWED);
  });

  test('is no block where as many requests went to several', async () => {
    const instance = anInstance();
    const slugs = ['one', 'two', 'three'];
    for (const slug of slugs) await instance.count(of('spread', slug), BLOCK - 1, NOON);

    for (const slug of slugs) {
      expect(await instance.count(of('spread', slug), 1, NOON + 60)).toEqual(ALLOWED);
    }
  });

  test('does not count any more once it is blocked there', async () => {
    const instance = anInstance();
    await instance.count(of('deaf'), BLOCK, NOON);
    await anInstance().count(of('deaf'), EVERYWHERE, NOON);

    expect(await itemOf('deaf')).toMatchObject({ count: BLOCK });
  });
});

describe('fifty times the limit over all deployments', () => {
  const spread = async (instance: PublicRequests, subject: string, requests: number) => {
    let last: PublicRequestDecision = ALLOWED;
    for (let at = 0; at < requests; at += BLOCK - 1) {
      const cost = Math.min(BLOCK - 1, requests - at);
      last = await instance.count(of(subject, `d-${at}`), cost, NOON);
    }
    return last;
  };

  test('blocks everywhere, and one request fewer does not', async () => {
    const instance = anInstance();
    await spread(instance, 'crawler', EVERYWHERE - 1);
    expect(await instance.count(of('crawler', 'fresh'), 1, NOON + 60)).toEqual(ALLOWED);

    expect(await spread(anInstance(), 'worse', EVERYWHERE)).toEqual(refusedFor(3600, 'everywhere'));
    for (const other of [instance, anInstance()]) {
      expect(await other.count(of('worse', 'fresh'), 1, NOON + 60)).toEqual(refusedFor(3540));
    }
  });

  test('is listed and lifted beside blocks of single deployments, each by itself', async () => {
    const now = NOON + 2 * 86_400;
    const subject = '192.0.2.201';
    await anInstance().count(of(subject, 'one'), BLOCK, now);
    await anInstance().count(of(subject, 'two'), BLOCK, now);
    await anInstance().count(of(subject, 'three'), EVERYWHERE, now);
    const places = async () => (await listed(now)).map(({ slug = 'everywhere' }) => slug).sort();
    expect(await places()).toEqual(['everywhere', 'one', 'two']);

    expect(await blocks().unblock(subject, 'one', now)).toBe(true);
    expect(await blocks().unblock(subject, 'one', now)).toBe(false);
    expect(await places()).toEqual(['everywhere', 'two']);

    expect(await blocks().unblock(subject, undefined, now)).toBe(true);
    expect(await places()).toEqual([]);
    expect(await anInstance().count(of(subject, 'two'), 1, now)).toEqual(ALLOWED);
  });
});

describe('what is stored of blocks', () => {
  test('loses those that have ended with the next one', async () => {
    await anInstance().count(of('history', 'first'), BLOCK, NOON);
    await anInstance().count(of('history', 'second'), BLOCK, NOON + 3600);

    expect((await itemOf('history'))?.['blocks']).toEqual({
      'dep-second': { slug: 'second', until: NOON + 7200 },
    });
  });

  test('of an item without deployments, as it was written before, is one for all', async () => {
    const Item = {
      pk: 'public_requests_per_minute_per_ip#before',
      window: NOON / 60,
      count: LIMIT,
      blockedUntil: NOON + 100,
    };
    await store.instance().send(new PutCommand({ TableName: TableName(), Item }));

    expect(await anInstance().count(of('before'), 1, NOON)).toEqual(refusedFor(100));
    expect(await anInstance().count(of('before'), 1, NOON + 100)).toEqual(ALLOWED);
  });

  test('of an item without deployments starts again in this very minute', async () => {
    const Item = {
      pk: 'public_requests_per_minute_per_ip#upgraded',
      window: NOON / 60,
      count: LIMIT,
    };
    await store.instance().send(new PutCommand({ TableName: TableName(), Item }));

    expect(await anInstance().count(of('upgraded'), 1, NOON)).toEqual(ALLOWED);
  });
});

describe('a block that is lifted', () => {
  test('lets its subject in again at once where it was not known, with a new count', async () => {
    await anInstance().count(of('pardoned'), BLOCK, NOON);
    const instance = anInstance();

    expect(await blocks().unblock('pardoned', undefined, NOON + 1)).toBe(true);
    expect(await send(instance, 'pardoned', LIMIT, NOON + 1)).toEqual(ALLOWED);
    expect(await instance.count(of('pardoned'), 1, NOON + 1)).toEqual(refusedFor(59));
  });

  test('is let go by instances that know of it within a minute', async () => {
    const instance = anInstance();
    await instance.count(of('far'), BLOCK, NOON);
    await blocks().unblock('far', undefined, NOON + 1);

    expect(await instance.count(of('far'), 1, NOON + 59)).toMatchObject({ allowed: false });
    expect(await instance.count(of('far'), 1, NOON + 60)).toEqual(ALLOWED);
  });

  test.each([
    ['was none', async () => undefined],
    ['was only a full minute', (subject: string) => send(anInstance(), subject, LIMIT + 1)],
    ['has ended', (subject: string) => anInstance().count(of(subject), BLOCK, NOON - 3600)],
  ])('says so where there %s', async (name, before) => {
    await before(name);

    expect(await blocks().unblock(name, undefined, NOON)).toBe(false);
  });

  test('is not among the blocked ones any more', async () => {
    const now = NOON + 86_400;
    for (const subject of ['2001:db8::/64', '192.0.2.200']) {
      await anInstance().count(of(subject), BLOCK, now);
    }
    const subjects = async () =>
      (await listed(now, 1)).map(({ subject, until }) => [subject, until]).sort();
    expect(await subjects()).toEqual([
      ['192.0.2.200', now + 3600],
      ['2001:db8::/64', now + 3600],
    ]);

    await blocks().unblock('192.0.2.200', undefined, now);
    expect(await subjects()).toEqual([['2001:db8::/64', now + 3600]]);
  });
});

describe('clocks that differ', () => {
  test('count in the minute that the later one has opened', async () => {
    const [early, late] = [anInstance(), anInstance()];
    await send(early, 'skew', LIMIT - 1, NOON);

    expect(await late.count(of('skew'), 1, NOON - 5)).toEqual(ALLOWED);
    expect(await late.count(of('skew'), 1, NOON - 5)).toEqual(refusedFor(65));
  });

  test('do not open an older minute again', async () => {
    const [early, late] = [anInstance(), anInstance()];
    await send(late, 'backwards', LIMIT, NOON - 5);
    await send(early, 'backwards', LIMIT, NOON);

    expect(await late.count(of('backwards'), 1, NOON - 3)).toMatchObject({ allowed: false });
    expect(await early.count(of('backwards'), 1, NOON + 2)).toMatchObject({ allowed: false });
  });
});

describe('the stored count', () => {
  test('expires a day after its minute, or a day after its block', async () => {
    await anInstance().count(of('expiring'), 1, NOON);
    await anInstance().count(of('blocked'), BLOCK, NOON);

    expect(await itemOf('expiring')).toMatchObject({ deleteAfter: NOON + 60 + 86_400 });
    expect(await itemOf('blocked')).toMatchObject({ deleteAfter: NOON + 3600 + 86_400 });
  });

  test('is reported as a fault if it is not as it was stored', async () => {
    const Item = {
      pk: 'public_requests_per_minute_per_ip#odd',
      window: NOON / 60,
      count: 1,
      blockedUntil: 'soon',
    };
    await store.instance().send(new PutCommand({ TableName: TableName(), Item }));

    await expect(anInstance().count(of('odd'), 1, NOON)).rejects.toMatchObject({ name: 'Fault' });
  });

  test.each(['fail', 'throttle', 'drop'] as const)(
    'cannot be counted while the store is down: %s',
    async (kind) => {
      const instance = anInstance();
      await instance.count(of('outage'), 1, NOON);
      store.aws.faults.inject({ kind, on: { service: 'dynamodb' } });

      await expect(instance.count(of('outage'), 1, NOON)).rejects.toMatchObject({
        neighbour: 'dynamodb',
      });
    },
  );

  test('survives one lost answer', async () => {
    const instance = anInstance();
    store.aws.faults.inject({ kind: 'drop', on: { operation: 'UpdateItem' }, times: 1 });

    expect(await instance.count(of('lost'), 1, NOON)).toEqual(ALLOWED);
  });
});
