import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { createStore } from '../../../local/aws/dynamodb/dynalite.ts';
import { closeIterators } from '../../../local/aws/dynamodb/value-streams.ts';

const folder = await mkdtemp(join(tmpdir(), 'value-streams-'));
const store = createStore({ path: join(folder, 'level') });
const { db } = store;
await db.open();
afterAll(async () => {
  await store.lifecycleManager.gracefulClose();
  await rm(folder, { recursive: true });
});

const VALUES = Array.from({ length: 2500 }, (_, n) => ({ n }));
const keyOf = (n: number) => `item-${String(n).padStart(4, '0')}`;
await db.batch(VALUES.map((value) => ({ type: 'put', key: keyOf(value.n), value })));

const openIterators = new Set<unknown>();
const values = db.values.bind(db);
db.values = (range) => {
  const iterator = values(range);
  openIterators.add(iterator);
  const close = iterator.close.bind(iterator);
  iterator.close = async () => {
    await close();
    openIterators.delete(iterator);
  };
  return iterator;
};
closeIterators(store);

test('the values of a range come in their order, and its iterator is closed then', async () => {
  const read = await db.createValueStream({ gte: keyOf(10), lt: 'item-~' }).toArray();

  expect(read).toEqual(VALUES.slice(10));
  expect(openIterators.size).toBe(0);
});

test('of a stream that nobody reads to its end the iterator is closed, too', async () => {
  const stream = db.createValueStream({ gte: keyOf(0) });
  const [first] = (await once(stream, 'data')) as [unknown];
  stream.destroy();
  await once(stream, 'close');

  expect(first).toEqual(VALUES[0]);
  expect(openIterators.size).toBe(0);
});

test('what cannot be read is an error of the stream', async () => {
  db.values = (range) => ({
    ...values(range),
    nextv: () => Promise.reject(new Error('the disk is gone')),
    close: async () => undefined,
  });

  await expect(db.createValueStream({ gte: keyOf(0) }).toArray()).rejects.toThrow(
    'the disk is gone',
  );
});
