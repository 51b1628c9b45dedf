export default {
  testEnvironment: '<rootDir>/test/support/run/environment.cjs',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/test/support/esbuild-transformer.cjs' },
  watchman: false,
  globalSetup: '<rootDir>/test/support/run/begin.cjs',
  globalTeardown: '<rootDir>/test/support/run/end.cjs',
  // Nothing is timed: this only ends what hangs.
  testTimeout: 300_000,
  // A module graph per test file is never quite given back: a worker that has grown is replaced.
  maxWorkers: 3,
  workerIdleMemoryLimit: '1GB',
};
