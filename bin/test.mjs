// `npm test`: every gate, one after the other, all of them even if one fails. The last line counts
// the tests; a gate that fails counts as one failed test.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'hosted-mcp-test-'));
const report = join(folder, 'jest.json');
const program = (path) => [process.execPath, join('node_modules', path)];

const gates = [
  ['type check', ...program('typescript-native/bin/tsc'), '-p', '.'],
  ['lint', ...program('oxlint/bin/oxlint'), '--deny-warnings'],
  ['format', ...program('prettier/bin/prettier.cjs'), '--check', '--log-level', 'warn', '.'],
  [
    'import rules',
    ...program('dependency-cruiser/bin/dependency-cruiser.mjs'),
    '--config',
    '.dependency-cruiser.cjs',
    '--output-type',
    'err',
    'bin',
    'cli',
    'lib',
    'lambdas',
    'layers',
    'local',
  ],
  [
    'tests',
    process.execPath,
    '--experimental-vm-modules',
    '--no-warnings',
    'node_modules/jest/bin/jest.js',
    '--json',
    `--outputFile=${report}`,
    ...process.argv.slice(2),
  ],
  [
    'cdk synth',
    ...program('aws-cdk/bin/cdk'),
    'synth',
    '--quiet',
    '--output',
    join(folder, 'cdk.out'),
  ],
];

// The CDK starts its app as `node`: let it find the Node that runs this.
const env = { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}` };

const failures = [];
for (const [name, command, ...args] of gates) {
  const started = performance.now();
  console.log(`\n── ${name}`);
  const { status } = spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'], env });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`── ${name}: ${status === 0 ? 'passed' : 'FAILED'} in ${seconds} s`);
  if (status !== 0) failures.push(name);
}

const { passed, failed } = countTests();
const otherFailures = failures.filter((name) => name !== 'tests' || failed === 0);
rmSync(folder, { recursive: true, force: true });
if (failures.length > 0) console.log(`\nfailed: ${failures.join(', ')}`);
console.log(`${passed} passed, ${failed + otherFailures.length} failed`);
process.exitCode = failures.length === 0 ? 0 : 1;

function countTests() {
  try {
    const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = JSON.parse(
      readFileSync(report, 'utf8'),
    );
    return { passed: numPassedTests, failed: numFailedTests + numRuntimeErrorTestSuites };
  } catch {
    return { passed: 0, failed: 0 };
  }
}
