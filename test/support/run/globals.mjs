import { registerHooks } from 'node:module';

/**
 * Loaded once in each process that runs tests, which are plain modules of Node there: what they import from
 * `@jest/globals` are the globals that the runner has made by then. A test or hook that hangs is ended.
 */
const MOST_MS = 300_000;

/** The same function, which fails after five minutes: nothing is timed, this only ends what hangs. */
const ending = (work) => {
  if (typeof work !== 'function') return work;
  const run = async (...given) => {
    const late = Promise.withResolvers();
    const timer = setTimeout(
      () => late.reject(new Error('It has not ended in 5 minutes.')),
      MOST_MS,
    );
    try {
      return await Promise.race([work(...given), late.promise]);
    } finally {
      clearTimeout(timer);
    }
  };
  return Object.defineProperty(run, 'length', { value: work.length });
};

const hookEnding = (hook) => (work) => hook(ending(work));

/** `test`, `test.only`, and `test.each` and `test.only.each` with a table. */
const testEnding = (test) =>
  new Proxy(test, {
    apply: (_, __, [title, work]) => test(title, ending(work)),
    get: (_, name) => {
      if (name === 'only') return testEnding(test.only);
      if (name !== 'each') return test[name];
      return (...table) => {
        const each = test.each(...table);
        return (title, work) => each(title, ending(work));
      };
    },
  });

globalThis.jestGlobals = () => {
  const { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } = globalThis;
  return {
    describe,
    expect,
    jest,
    test: testEnding(test),
    afterAll: hookEnding(afterAll),
    afterEach: hookEnding(afterEach),
    beforeAll: hookEnding(beforeAll),
    beforeEach: hookEnding(beforeEach),
  };
};

const NAMES = 'afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test';
const GLOBALS = `export const { ${NAMES} } = globalThis.jestGlobals();`;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@jest/globals'
      ? { url: `data:text/javascript,${encodeURIComponent(GLOBALS)}`, shortCircuit: true }
      : next(specifier, context),
});
