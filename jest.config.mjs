/**
 * A third of the time of all tests, for what few changes break: whole descriptions of others, sizes at their limits,
 * every place at which work can break off, the oldest runtime, two type checks of a copy of the sources, and pages of
 * the console whose routes have tests of their own.
 * `npm test -- --all` has them, as has whoever names files.
 */
const LONG = [
  'activity/replay-long',
  'beside/beside',
  'browser/console-and-command-line',
  'browser/console-cases',
  'browser/console-names',
  'browser/console-operator',
  'browser/console-talk',
  'cdk/oldest-node',
  'conformance/long-answers',
  'conformance/real-descriptions',
  'conformance/security/largest-answers',
  'declarations/broken-off',
  'fuzz/fuzz',
  'lib/router-memory',
  'local/start-descriptions',
  'openapi/intake/real-descriptions',
  'openapi/real-descriptions',
  'openapi/shared-parts',
  'servers/adding-a-kind',
  'tools/answer/large-json',
  'tools/request/requests-of-real',
];
const isAll = process.argv.some((argument) => /(?:^|\/)test\//.test(argument));

export default {
  testEnvironment: '<rootDir>/test/support/run/environment.cjs',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  testPathIgnorePatterns: isAll ? [] : LONG.map((name) => `/test/${name}\\.test\\.ts$`),
  // Node loads the tests, and strips their types.
  runtime: '<rootDir>/test/support/run/runtime.cjs',
  transform: {},
  injectGlobals: false,
  watchman: false,
  globalSetup: '<rootDir>/test/support/run/begin.cjs',
  globalTeardown: '<rootDir>/test/support/run/end.cjs',
  // Nothing is timed: this only ends what hangs.
  testTimeout: 300_000,
  maxWorkers: 4,
  // Node keeps each test file that it has loaded, with what that holds: a worker that has grown is replaced.
  workerIdleMemoryLimit: '1GB',
};
