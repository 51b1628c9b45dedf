export default {
  testEnvironment: '<rootDir>/test/support/run/environment.cjs',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  // Node loads the tests, and strips their types.
  runtime: '<rootDir>/test/support/run/runtime.cjs',
  transform: {},
  injectGlobals: false,
  watchman: false,
  globalSetup: '<rootDir>/test/support/run/begin.cjs',
  globalTeardown: '<rootDir>/test/support/run/end.cjs',
  // Nothing is timed: this only ends what hangs.
  testTimeout: 300_000,
  maxWorkers: 3,
  // Node keeps each test file that it has loaded, with what that holds: a worker that has grown is replaced.
  workerIdleMemoryLimit: '1GB',
};
