// Prints, as a JSON list, the test files that a change reaches: `node test/support/run/changed.ts [COMMIT]`.
// The change is what this working tree has beyond its common ancestor with the commit, or with main.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { importersIn, reaching } from './import-graph.ts';

/** These read what no import shows: bundles, templates, documents, records of what is stored. */
const ALWAYS = [
  'test/docs/',
  'test/lib/bundled-functions.test.ts',
  'test/lib/policies.test.ts',
  'test/lib/stateful-resources.test.ts',
  'test/stored/',
  'test/lambdas/',
];

/** What each test runs with. */
const EVERYTHING = ['package-lock.json', 'jest.config.mjs', 'test/support/run/runtime.cjs'];

export const testsReachedBy = (
  changed: readonly string[],
  files: readonly string[],
  root = '.',
): readonly string[] => {
  const tests = files.filter((file) => file.endsWith('.test.ts'));
  if (changed.some((file) => EVERYTHING.includes(file))) return tests;
  const reached = reaching(importersIn(root, files), changed);
  return tests.filter(
    (test) => reached.has(test) || ALWAYS.some((always) => test.startsWith(always)),
  );
};

const git = (...args: readonly string[]): readonly string[] =>
  execFileSync('git', args, { encoding: 'utf8' }).split('\0').filter(Boolean);

const changedSince = (commit: string): readonly string[] => {
  const [base = ''] = git('merge-base', 'HEAD', commit);
  return [
    ...git('diff', '--name-only', '--no-renames', '-z', base.trim()),
    ...git('ls-files', '--others', '--exclude-standard', '-z'),
  ];
};

if (import.meta.main) {
  const [commit = 'main'] = process.argv.slice(2);
  const files = git('ls-files', '--cached', '--others', '--exclude-standard', '-z');
  const present = [...new Set(files)].filter((file) => existsSync(file));
  process.stdout.write(JSON.stringify(testsReachedBy(changedSince(commit), present)));
}
