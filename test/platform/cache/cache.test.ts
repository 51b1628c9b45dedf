import { describe, expect, test } from '@jest/globals';
import { cached } from '../../../layers/platform/cache/cache.ts';
import { aClock, NOON } from '../../support/aws/dynamodb-fixtures.ts';

/** Loads `key:1`, `key:2` … so that a value tells which load it came from. */
const aMemory = ({ keepSeconds = 15, maxWeight = 100, weight = 1 } = {}) => {
  const clock = aClock();
  const loads = new Map<string, number>();
  const recall = cached<string>(clock, {
    keepSeconds: () => keepSeconds,
    weigh: () => weight,
    maxWeight,
  });
  const load = async (key: string) => {
    const number = (loads.get(key) ?? 0) + 1;
    loads.set(key, number);
    return `${key}:${number}`;
  };
  return { clock, recall: (key: string) => recall(key, () => load(key)), recallWith: recall };
};

describe('a cache of loaded values', () => {
  test.each([
    ['returned from the cache', 14, 'a:1'],
    ['loaded again from the second it expires', 15, 'a:2'],
    ['loaded again when the clock was set back', -1, 'a:2'],
  ])('returns a value that is %s', async (_, later, expected) => {
    const { clock, recall } = aMemory();
    await recall('a');
    clock.time = NOON + later;

    expect(await recall('a')).toBe(expected);
  });

  test.each([
    ['until its last second', 14, true],
    ['not from the second it expires', 15, false],
    ['not when the clock was set back', -1, false],
  ])('knows a value %s', async (_, later, known) => {
    const { clock, recall, recallWith } = aMemory();
    expect(recallWith.knows('a')).toBe(false);
    await recall('a');
    clock.time = NOON + later;

    expect(recallWith.knows('a')).toBe(known);
    expect(recallWith.knows('b')).toBe(false);
  });

  test('counts the age of a value from the start of its load', async () => {
    const { clock, recall, recallWith } = aMemory();
    await recallWith('a', async () => {
      clock.time = NOON + 10;
      return 'slow';
    });
    clock.time = NOON + 15;

    expect(await recall('a')).toBe('a:1');
  });

  test('shares one load among concurrent calls for a key', async () => {
    const { recall } = aMemory({ keepSeconds: 0 });

    expect(await Promise.all([recall('a'), recall('a'), recall('b')])).toEqual([
      'a:1',
      'a:1',
      'b:1',
    ]);
  });

  test('keeps nothing if its lifetime is zero', async () => {
    const { recall } = aMemory({ keepSeconds: 0 });
    await recall('a');

    expect(await recall('a')).toBe('a:2');
  });

  test('reports a failed load to all callers and then forgets it', async () => {
    const { recall, recallWith } = aMemory();
    const failing = async () => {
      throw new Error('down');
    };
    const both = await Promise.allSettled([recallWith('a', failing), recallWith('a', failing)]);

    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await recall('a')).toBe('a:1');
  });

  test('evicts the value that was unused for longest', async () => {
    const { recall } = aMemory({ maxWeight: 2 });
    await recall('a');
    await recall('b');
    await recall('a');
    await recall('c');

    expect(await recall('a')).toBe('a:1');
    expect(await recall('b')).toBe('b:2');
  });

  test('returns a value that is larger than the cache without keeping it', async () => {
    const { recall } = aMemory({ maxWeight: 2, weight: 3 });

    expect(await recall('a')).toBe('a:1');
    expect(await recall('a')).toBe('a:2');
  });

  test('counts the weight of a value once after it was loaded again', async () => {
    const { clock, recall } = aMemory({ maxWeight: 2 });
    await recall('a');
    await recall('b');
    clock.time = NOON + 15;
    await recall('a');
    await recall('b');

    expect(await recall('a')).toBe('a:2');
    expect(await recall('b')).toBe('b:2');
  });
});
