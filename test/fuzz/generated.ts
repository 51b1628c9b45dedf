import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Fuzzed } from './counts.ts';

interface Report {
  readonly testResults: readonly {
    readonly message: string;
    readonly assertionResults: readonly {
      readonly title: string;
      readonly status: string;
      readonly duration?: number;
    }[];
  }[];
}

/** Runs the test files that make only a quarter of their generated cases in `npm test` with all of them. */
export const runGeneratedTests = (): Fuzzed => {
  const folder = mkdtempSync(join(tmpdir(), 'hosted-mcp-generated-'));
  try {
    const report = join(folder, 'report.json');
    const files = globSync('test/**/*.test.ts').filter((file) =>
      readFileSync(file, 'utf8').includes('/generated/runs.ts'),
    );
    const jest = ['--no-warnings', 'node_modules/jest/bin/jest.js'];
    const args = ['--json', `--outputFile=${report}`, '--runTestsByPath', ...files];
    const env = { ...process.env, ALL_RUNS: '1' };
    spawnSync(process.execPath, [...jest, ...args], { env, stdio: 'ignore' });
    return summaryOf(JSON.parse(readFileSync(report, 'utf8')) as Report);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

const summaryOf = ({ testResults }: Report): Fuzzed => {
  const tests = testResults.flatMap(({ message, assertionResults }) =>
    assertionResults.map(({ title, status, duration = 0 }) => ({
      title,
      status,
      duration,
      message,
    })),
  );
  const durations = tests.map(({ duration }) => duration);
  const slowestMs = Math.max(...durations);
  return {
    subject: 'generated',
    cases: tests.length,
    outcomes: { 'tests that passed': tests.filter(({ status }) => status === 'passed').length },
    faults: tests.flatMap(({ title, status, message }, index) =>
      status === 'failed'
        ? [{ subject: 'generated', seed: 0, index, what: title, detail: message }]
        : [],
    ),
    slowestMs,
    slowestIndex: durations.indexOf(slowestMs),
    totalMs: durations.reduce((sum, one) => sum + one, 0),
  };
};
