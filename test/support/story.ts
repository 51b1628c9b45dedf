import { test } from '@jest/globals';

/**
 * `test` for the steps of a story: each goes on from where the one before it ended. After one that failed or hung, the
 * others fail at once instead of waiting for a page that does not come.
 */
export const inOrder = (): ((title: string, step: () => Promise<void> | void) => void) => {
  let unfinished: string | undefined;
  return (title, step) =>
    test(title, async () => {
      if (unfinished !== undefined) throw new Error(`not tried, after "${unfinished}"`);
      unfinished = title;
      await step();
      unfinished = undefined;
    });
};
