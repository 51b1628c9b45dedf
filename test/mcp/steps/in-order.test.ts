import { describe, expect, test } from '@jest/globals';
import { inOrder } from '../../../layers/mcp/steps/answer-rpc.ts';

/** Work that ends when it is told to. */
const held = () => {
  const waiting = new Map<number, () => void>();
  const begun: number[] = [];
  return {
    begun,
    end: async (item: number) => {
      waiting.get(item)?.();
      await new Promise(setImmediate);
    },
    work: (item: number) =>
      new Promise<string>((resolve) => {
        begun.push(item);
        waiting.set(item, () => resolve(`did ${item}`));
      }),
  };
};

describe('working through items with limited concurrency', () => {
  test('runs a few items at a time and returns results in order', async () => {
    const { begun, end, work } = held();
    const results = inOrder([1, 2, 3, 4], 2, work);
    expect(begun).toEqual([1, 2]);

    await end(2);
    expect(begun).toEqual([1, 2, 3]);
    await end(3);
    await end(4);
    await end(1);

    expect(await results).toEqual(['did 1', 'did 2', 'did 3', 'did 4']);
  });

  test('returns nothing for no items', async () => {
    expect(await inOrder([], 5, async () => 1)).toEqual([]);
  });

  test('finishes the items in progress before it fails', async () => {
    const done: number[] = [];
    const working = inOrder([1, 2, 3, 4], 2, async (item) => {
      if (item === 1) throw new Error('one');
      await new Promise(setImmediate);
      done.push(item);
    });

    await expect(working).rejects.toThrow('one');
    expect(done).toEqual([2, 3, 4]);
  });
});
