export default {
  // Processes of bare Node, which keep the modules of the service from one test file to the next: in contexts of
  // their own, as Jest's runner has them, all tests together took a third more processor time.
  runner: 'jest-light-runner/child-process',
  setupFiles: ['<rootDir>/test/support/run/globals.mjs'],
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  watchman: false,
  globalSetup: '<rootDir>/test/support/run/begin.cjs',
  globalTeardown: '<rootDir>/test/support/run/end.cjs',
  maxWorkers: 3,
};
