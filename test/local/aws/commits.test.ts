import { describe, expect, test } from '@jest/globals';
import { commitTogether } from '../../../local/aws/dynamodb/commits.ts';
import type { Item, Store } from '../../../local/aws/dynamodb/dynalite.ts';

/** A disk that takes a batch when it is let. */
const aDisk = () => {
  const items = new Map<string, string>();
  const batches: { readonly keys: readonly string[]; take(): void; fail(): void }[] = [];
  const batch = (writes: readonly { key: string; value?: string }[]) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    batches.push({
      keys: writes.map(({ key }) => key),
      take: () => {
        for (const { key, value } of writes) {
          if (value === undefined) items.delete(key);
          else items.set(key, value);
        }
        resolve();
      },
      fail: () => reject(new Error('the disk is full')),
    });
    return promise;
  };
  const getSync = (key: string) => JSON.parse(items.get(key) ?? 'null') ?? undefined;
  const store = { db: { batch, getSync } } as unknown as Store;
  commitTogether(store);
  const { db } = store;
  const read = (key: string) =>
    new Promise<Item | undefined>((resolve) => db.get(key, (_, item) => resolve(item)));
  return { db, read, batches };
};

const put = (key: string, n: number) => ({ type: 'put', key, value: { n } }) as const;
/** What came in one turn of the event loop is on its way after it. */
const turn = () => new Promise(setImmediate);
const isDone = (promise: Promise<unknown>) =>
  Promise.race([promise.then(() => true), turn().then(() => false)]);

describe('writes that come while others are under way', () => {
  test('are written together when those are done, and nobody is answered before', async () => {
    const { db, batches } = aDisk();
    const first = db.batch([put('a', 1)]);
    await turn();
    const others = [db.batch([put('a', 2), put('b', 2)]), db.batch([put('c', 3)])];

    expect(batches.map(({ keys }) => keys)).toEqual([['a']]);
    batches[0]?.take();
    await first;
    expect(await isDone(Promise.race(others))).toBe(false);
    expect(batches.map(({ keys }) => keys)).toEqual([['a'], ['a', 'b', 'c']]);
    batches[1]?.take();
    await Promise.all(others);
  });

  test('are written with the first of them where they come in the same turn', async () => {
    const { db, batches } = aDisk();
    const all = Promise.all([db.batch([put('a', 1)]), db.batch([put('b', 2)])]);

    await turn();
    expect(batches.map(({ keys }) => keys)).toEqual([['a', 'b']]);
    batches[0]?.take();
    await all;
  });

  test('are what the next write finds, and what a read waits for', async () => {
    const { db, read, batches } = aDisk();
    const first = db.batch([put('a', 1)]);
    await turn();
    const second = db.batch([{ type: 'del', key: 'a' }, put('b', 2)]);
    const found = read('b');

    expect([db.latest('a'), db.latest('b')]).toEqual([undefined, { n: 2 }]);
    expect(await isDone(found)).toBe(false);
    batches[0]?.take();
    await first;
    await turn();
    batches[1]?.take();
    await second;
    expect(await found).toEqual({ n: 2 });
  });

  test('are waited for by a refusal, which writes nothing', async () => {
    const { db, batches } = aDisk();
    const first = db.batch([put('a', 1)]);
    const refusal = db.batch([]);

    expect(await isDone(refusal)).toBe(false);
    batches[0]?.take();
    await Promise.all([first, refusal]);
    expect(await isDone(db.batch([]))).toBe(true);
  });

  test('fail with those that they may rest on, and are not found any more', async () => {
    const { db, batches } = aDisk();
    const first = db.batch([put('a', 1)]);
    await turn();
    const failed = Promise.allSettled([first, db.batch([put('b', 2)])]);
    batches[0]?.fail();

    expect((await failed).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect([db.latest('a'), db.latest('b')]).toEqual([undefined, undefined]);
    const next = db.batch([put('a', 3)]);
    await turn();
    batches[1]?.take();
    await next;
    expect([batches.length, db.latest('a')]).toEqual([2, { n: 3 }]);
  });
});
