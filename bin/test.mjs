// `npm test`: every gate, all of them even if one fails, first the quick ones side by side. A few test
// files that failed run once more, alone, and are named as unsteady if they pass then. The last line
// counts the tests; a gate that fails counts as one failed test.
//
// With `--all`, the long tests too (`jest.config.mjs` names them).
// With `--changed`, only tests that the change since main reaches; `--changed=COMMIT` since another commit.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, relative } from 'node:path';

/** If more files fail, the reason is hardly a busy machine, and none runs again. */
const MOST_FILES_AGAIN = 6;

const folder = mkdtempSync(join(tmpdir(), 'hosted-mcp-test-'));
const program = (path) => [process.execPath, join('node_modules', path)];

const quickGates = [
  // tsc's parallel checkers repeat shared work: 22 seconds of processor time instead of 13, while gates run side by
  // side.
  ['type check', ...program('typescript-native/bin/tsc'), '-p', '.', '--singleThreaded'],
  ['type check of the console', ...program('typescript-native/bin/tsc'), '-p', 'console'],
  ['lint', ...program('oxlint/bin/oxlint'), '--deny-warnings'],
  ['format', ...program('oxfmt/bin/oxfmt'), '--check', '.'],
  [
    'import rules',
    ...program('dependency-cruiser/bin/dependency-cruiser.mjs'),
    '--config',
    '.dependency-cruiser.cjs',
    '--output-type',
    'err',
    'bin',
    'cdk',
    'cli',
    'console',
    'lib',
    'lambdas',
    'layers',
    'local',
  ],
  ['regular expressions', process.execPath, 'test/patterns/check.ts'],
  [
    'cdk synth',
    ...program('aws-cdk/bin/cdk'),
    'synth',
    '--quiet',
    '--output',
    join(folder, 'cdk.out'),
  ],
];

const chosen = process.argv.slice(2).flatMap((argument) => {
  if (argument === '--all') return ['test/'];
  const [changed, commit] = argument.split('=');
  return changed === '--changed' ? testsReachedSince(commit ?? 'main') : [argument];
});
const jest = (name, ...args) => [
  name,
  process.execPath,
  '--no-warnings',
  'node_modules/jest/bin/jest.js',
  '--json',
  `--outputFile=${reportOf(name)}`,
  ...args,
];
const reportOf = (name) => join(folder, `${name}.json`);

const env = {
  ...process.env,
  // `cdk synth`, the tests and the packed constructs have the same layer, which is made once.
  HOSTED_MCP_LAYER_CACHE:
    process.env.HOSTED_MCP_LAYER_CACHE ??
    join(process.cwd(), 'node_modules/.cache/hosted-mcp-layers'),
  // The CDK starts its app as `node`: let it find the Node that runs this.
  PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
  // One folder for both runs of the tests.
  HOSTED_MCP_ACCESS_RECORDS: process.env.HOSTED_MCP_ACCESS_RECORDS ?? join(folder, 'access'),
};

if (chosen.length === 1 && chosen[0] === 'test/') env.HOSTED_MCP_ALL_TESTS_RAN = 'true';

const failures = [];
const secondsSince = (start) => ((performance.now() - start) / 1000).toFixed(1);

await pass(['types of the console', process.execPath, 'bin/console-types.ts'], 'pipe');
/** Two gates run at a time; each prints when it has ended. */
const queue = [...quickGates];
await Promise.all(
  [1, 2].map(async () => {
    for (let gate = queue.shift(); gate; gate = queue.shift()) await pass(gate, 'pipe');
  }),
);
await pass(jest('tests', ...chosen), 'inherit');
const again = filesToRunAgain();
if (again.length > 0) {
  console.log(`\nOnce more, alone: ${again.join(', ')}`);
  failures.splice(failures.indexOf('tests'), 1);
  if (chosen.length === 0) env.HOSTED_MCP_ALL_TESTS_RAN = 'true';
  await pass(jest('tests again', '--runInBand', '--runTestsByPath', ...again), 'inherit');
}

function testsReachedSince(commit) {
  const args = ['--no-warnings', 'test/support/run/changed.ts', commit];
  const tests = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
  console.log(`The change since ${commit} reaches ${tests.length} test files.`);
  return ['--runTestsByPath', ...tests];
}

/** @param output - `inherit` to print at once, `pipe` to print when it has ended */
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
const otherFailures = failures.filter((name) => !name.startsWith('tests') || failed === 0);
if (again.length > 0 && failed === 0) {
  console.log(`\nUnsteady, each is a fault to mend: ${again.join(', ')}`);
}
rmSync(folder, { recursive: true, force: true });
if (failures.length > 0) console.log(`\nfailed: ${failures.join(', ')}`);
console.log(`${passed} passed, ${failed + otherFailures.length} failed`);
process.exitCode = failures.length === 0 ? 0 : 1;

/** @returns Jest's result for each file, by path; empty if Jest failed before it wrote any */
function resultsOf(name) {
  try {
    const { testResults } = JSON.parse(readFileSync(reportOf(name), 'utf8'));
    return new Map(testResults.map((file) => [relative('.', file.name), file]));
  } catch {
    return new Map();
  }
}

function filesToRunAgain() {
  const files = [...resultsOf('tests')].filter(([, { status }]) => status === 'failed');
  return files.length > MOST_FILES_AGAIN ? [] : files.map(([path]) => path);
}

/** A file that ran twice counts with its second run. A file that failed before its tests counts as one test. */
function countTests() {
  const files = [...new Map([...resultsOf('tests'), ...resultsOf('tests again')]).values()];
  const count = (wanted) =>
    files
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ status }) => status === wanted).length;
  const withoutTests = files.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
  );
  return { passed: count('passed'), failed: count('failed') + withoutTests.length };
}
