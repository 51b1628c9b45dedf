/**
 * Does some work on each item, at most `width` at a time, and keeps the results in the items' order.
 * Nothing is left running: if a piece of work fails, the others end before the failure is thrown.
 */
export const inOrder = async <Item, Result>(
  items: readonly Item[],
  width: number,
  work: (item: Item, index: number) => Promise<Result>,
): Promise<readonly Result[]> => {
  const results: Result[] = [];
  const waiting = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of waiting) results[index] = await work(item, index);
  };
  const ends = await Promise.allSettled(
    Array.from({ length: Math.min(width, items.length) }, worker),
  );
  const failure = ends.find((end) => end.status === 'rejected');
  if (failure) throw failure.reason;
  return results;
};
