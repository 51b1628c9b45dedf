/** What test files import from `@jest/globals`. Each of them is given its own. */
export let afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test;

export const giveGlobals = (globals) => {
  ({ afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } = globals);
};
