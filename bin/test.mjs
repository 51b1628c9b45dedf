// `npm test`: every gate, all of them even if one fails, first the quick ones side by side. The last
// line counts the tests; a gate that fails counts as one failed test.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'hosted-mcp-test-'));
const report = join(folder, 'jest.json');
const program = (path) => [process.execPath, join('node_modules', path)];

const quickGates = [
  ['type check', ...program('typescript-native/bin/tsc'), '-p', '.'],
  ['type check of the console', ...program('typescript-native/bin/tsc'), '-p', 'console'],
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
    'console',
    'lib',
    'lambdas',
    'layers',
    'local',
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

const tests = [
  'tests',
  process.execPath,
  '--experimental-vm-modules',
  '--no-warnings',
  'node_modules/jest/bin/jest.js',
  '--json',
  `--outputFile=${report}`,
  ...process.argv.slice(2),
];

// The CDK starts its app as `node`: let it find the Node that runs this.
const env = { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}` };

const failures = [];
const secondsSince = (start) => ((performance.now() - start) / 1000).toFixed(1);

/** Two at a time, each heard when it has ended. */
const queue = [...quickGates];
await Promise.all(
  [1, 2].map(async () => {
    for (let gate = queue.shift(); gate; gate = queue.shift()) await pass(gate, 'pipe');
  }),
);
await pass(tests, 'inherit');

/** @param output - `inherit` to be heard at once */
async function pass([name, command, ...args], output) {
  const begun = performance.now();
  if (output === 'inherit') console.log(`\n── ${name}`);
  const gate = spawn(command, args, { stdio: ['ignore', output, output], env });
  const heard = [];
  for (const stream of [gate.stdout, gate.stderr]) stream?.on('data', (chunk) => heard.push(chunk));
  const [status] = await once(gate, 'close');
  if (heard.length > 0) process.stdout.write(`\n${Buffer.concat(heard)}`);
  console.log(`── ${name}: ${status === 0 ? 'passed' : 'FAILED'} in ${secondsSince(begun)} s`);
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
