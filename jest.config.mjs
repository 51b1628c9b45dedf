/**
 * Two fifths of the time of all tests, for what few changes break: long descriptions of real APIs, sizes at their limits,
 * every place at which work can break off, races, a type check of a copy of the sources, and pages of the console in
 * Chromium that `browser/console` walks, too, and whose routes have tests of their own.
 * `npm test -- --all` has them, as have `--changed` and whoever names files.
 */
const LONG = [
  'activity/replay-long',
  'beside/beside',
  'browser/console-account',
  'browser/console-and-command-line',
  'browser/console-cases',
  'browser/console-changed-server',
  'browser/console-connect',
  'browser/console-connection',
  'browser/console-credential-form',
  'browser/console-declared',
  'browser/console-descriptions',
  'browser/console-edit-tools',
  'browser/console-names',
  'browser/console-numbers',
  'browser/console-operations',
  'browser/console-operator',
  'browser/console-preview',
  'browser/console-recorded',
  'browser/console-several-files',
  'browser/console-talk',
  'browser/console-try-it',
  'browser/console-words',
  'cdk/package',
  'cli/doctor-at-the-service',
  'conformance/long-answers',
  'conformance/names-of-prototypes',
  'conformance/races',
  'conformance/real-descriptions',
  'conformance/security/accountable-calls',
  'conformance/security/counted-before',
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
