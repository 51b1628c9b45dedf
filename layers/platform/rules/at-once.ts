/** Runs at most `most` at a time; starts no more after a failure. @returns results in the order of the items */
export const eachAtOnce = async <Item, Result>(
  most: number,
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> => {
  const results: Result[] = [];
  const waiting = items.entries();
  let hasFailed = false;
  const goOn = async () => {
    for (const [at, item] of waiting) {
      if (hasFailed) return;
      results[at] = await work(item).catch((error: unknown) => {
        hasFailed = true;
        throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, goOn));
  return results;
};
