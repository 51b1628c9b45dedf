import { spawnSync } from 'node:child_process';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';

const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url));
const FOLDER = 'test/local/fixtures/test-files';

interface Report {
  readonly success: boolean;
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly title: string; readonly status: string }[];
  }[];
}

/** Of test files that ran in one process, one after the other. */
const run = spawnSync(
  process.execPath,
  [
    '--no-warnings',
    'node_modules/jest/bin/jest.js',
    '--json',
    '--runInBand',
    '--testMatch',
    `<rootDir>/${FOLDER}/{failing,one,other}.ts`,
    '--testPathPatterns',
    FOLDER,
  ],
  { cwd: CHECKOUT, env: { PATH: process.env['PATH'] }, encoding: 'utf8' },
);
const report = JSON.parse(run.stdout) as Report;
const resultOf = (file: string) => report.testResults.find(({ name }) => basename(name) === file);

describe('a test file', () => {
  test.each(['one.ts', 'other.ts'])(
    'finds variables, folder, spies and modules of tests as none had run before (%s)',
    (file) => {
      const { message, assertionResults } = resultOf(file) ?? {};

      expect(message).toBe('');
      expect(assertionResults).toMatchObject([{ status: 'passed' }]);
    },
  );

  test('fails for all that its tests and hooks throw, whenever they do', () => {
    const { message, assertionResults = [] } = resultOf('failing.ts') ?? {};

    expect(assertionResults.map(({ title, status }) => [title, status])).toEqual([
      ['passes', 'passed'],
      ['fails what it expects', 'failed'],
      ['rejects what nobody waits for', 'failed'],
      ['throws outside of any promise', 'failed'],
      ['is failed by what goes before', 'failed'],
    ]);
    expect(message).toContain('after all');
    expect([report.success, run.status]).toEqual([false, 1]);
  });
});
