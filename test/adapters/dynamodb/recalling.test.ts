import { describe, expect, test } from '@jest/globals';
import { recalling } from '../../../layers/core/adapters/dynamodb/recalling.ts';
import { aClock, NOON } from './fixtures.ts';

/** Loads `key:1`, `key:2` … so that a value tells which load it came from. */
const aMemory = ({ keepSeconds = 15, maxWeight = 100, weight = 1 } = {}) => {
  const clock = aClock();
  const loads = new Map<string, number>();
  const recall = recalling<string>(clock, {
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

describe('remembering what was loaded', () => {
  test.each([
    ['given out again', 14, 'a:1'],
    ['loaded anew from the second it is too old', 15, 'a:2'],
    ['loaded anew when the clock was set back', -1, 'a:2'],
  ])('a value is %s', async (_, later, expected) => {
    const { clock, recall } = aMemory();
    await recall('a');
    clock.time = NOON + later;

    expect(await recall('a')).toBe(expected);
  });

  test.each([
    ['to its last second', 14, true],
    ['not from the second it is too old', 15, false],
    ['not when the clock was set back', -1, false],
  ])('a value is known %s', async (_, later, known) => {
    const { clock, recall, recallWith } = aMemory();
    expect(recallWith.knows('a')).toBe(false);
    await recall('a');
    clock.time = NOON + later;

    expect(recallWith.knows('a')).toBe(known);
    expect(recallWith.knows('b')).toBe(false);
  });

  test('age counts from when the load began, not from when it ended', async () => {
    const { clock, recall, recallWith } = aMemory();
    await recallWith('a', async () => {
      clock.time = NOON + 10;
      return 'slow';
    });
    clock.time = NOON + 15;

    expect(await recall('a')).toBe('a:1');
  });

  test('calls for one key share a load that is under way', async () => {
    const { recall } = aMemory({ keepSeconds: 0 });

    expect(await Promise.all([recall('a'), recall('a'), recall('b')])).toEqual([
      'a:1',
      'a:1',
      'b:1',
    ]);
  });

  test('nothing is kept that may be kept for no time', async () => {
    const { recall } = aMemory({ keepSeconds: 0 });
    await recall('a');

    expect(await recall('a')).toBe('a:2');
  });

  test('a failed load is told to all who waited and is then forgotten', async () => {
    const { recall, recallWith } = aMemory();
    const failing = async () => {
      throw new Error('down');
    };
    const both = await Promise.allSettled([recallWith('a', failing), recallWith('a', failing)]);

    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await recall('a')).toBe('a:1');
  });

  test('what was unused for longest makes room', async () => {
    const { recall } = aMemory({ maxWeight: 2 });
    await recall('a');
    await recall('b');
    await recall('a');
    await recall('c');

    expect(await recall('a')).toBe('a:1');
    expect(await recall('b')).toBe('b:2');
  });

  test('a value that is heavier than all room is given out but not kept', async () => {
    const { recall } = aMemory({ maxWeight: 2, weight: 3 });

    expect(await recall('a')).toBe('a:1');
    expect(await recall('a')).toBe('a:2');
  });

  test('a value that was loaded again weighs once', async () => {
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
