/**
 * Breaks single operators of what the security of the service rests on, one at a time in a copy of a commit,
 * and runs the tests next to each:
 *
 *   npm run mutation                        60 operators of HEAD
 *   npm run mutation -- --count 10 --seed 7 fewer, and others
 *   npm run mutation -- --commit main --record mutants.json
 *   npm run mutation -- --replay mutants.json
 *                                           the same operators in another commit, found by name of file and text of line
 *
 * A mutant that no test notices survives: a rule that nothing holds, or an operator that does not matter. Only
 * tests of rules, stores and handlers run, the nearest twelve (`--tests`); those of the whole service may
 * notice more. A test that fails without any mutant is named at the end.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { importersIn, reaching } from '../support/run/import-graph.ts';
import { randomOf } from '../support/random.ts';
import { copyOf } from './copy.ts';
import { type Mutant, mutated, placesIn, someMutants } from './mutants.ts';

/** Of paths below `lambdas` and `layers`. */
const SECURITY =
  /oauth|jwt|token|access|mask|credential|sign-?in|session|password|csrf|origin|redirect|target|guard|authenticat/;
/** Others start the whole service, browsers or processes. */
const FAST =
  /^test\/(?!(?:beside|browser|cli|clients|conformance|console|docs|fuzz|lib|local|patterns|real-apis|stored)\/).*\.test\.ts$/;
/** A run that takes longer hangs. */
const MOST_MS = 600_000;
/** Tests of the first run; most mutants end there. */
const FIRST = 3;
/** In the process that is killed when it hangs. */
const QUIETLY = ['--runInBand', '--bail', '--silent'];

const checkout = fileURLToPath(new URL('../../', import.meta.url));
const { values } = parseArgs({
  options: {
    commit: { type: 'string', default: 'HEAD' },
    count: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    tests: { type: 'string', default: '12' },
    record: { type: 'string' },
    replay: { type: 'string' },
  },
});
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const temporary = mkdtempSync(join(tmpdir(), 'hosted-mcp-mutation-'));
const folder = join(temporary, 'copy');
copyOf(values.commit, checkout, folder);
const files = execFileSync('git', ['ls-tree', '-r', '-z', '--name-only', values.commit], {
  cwd: checkout,
  encoding: 'utf8',
})
  .split('\0')
  .filter(Boolean);
const importers = importersIn(folder, files);
const sources = new Map(
  files
    .filter((file) => /^(?:lambdas|layers)\/.*\.ts$/.test(file) && SECURITY.test(file))
    .map((file) => [file, readFileSync(join(folder, file), 'utf8')]),
);

/** Where a mutant of another commit stands in this one. */
const found = (mutant: Mutant): Mutant | undefined => {
  const candidates = [...sources.keys()].toSorted(
    (a, b) => shared(b, mutant.file) - shared(a, mutant.file),
  );
  return candidates
    .flatMap((file) => placesIn(file, sources.get(file) ?? ''))
    .find(
      ({ line, from, occurrence }) =>
        line === mutant.line && from === mutant.from && occurrence === mutant.occurrence,
    );
};

const wordsOf = (path: string): ReadonlySet<string> =>
  new Set(path.replace(/\.test\.ts$|\.ts$/, '').split(/[/-]/));
const shared = (one: string, other: string): number =>
  [...wordsOf(one)].filter((word) => wordsOf(other).has(word)).length +
  (basename(one) === basename(other) ? 10 : 0);

/** The nearest first: those that import it, then those whose names have most words in common with its own. */
const testsOf = (file: string): readonly string[] => {
  const distances = reaching(importers, [file]);
  const near = (test: string): number => (distances.get(test) === 1 ? 100 : 0) + shared(test, file);
  return [...distances.keys()]
    .filter((path) => FAST.test(path))
    .toSorted((a, b) => near(b) - near(a))
    .slice(0, Number(values.tests));
};

/** @returns whether they pass; a run that hangs does not */
const pass = async (tests: readonly string[]): Promise<boolean> => {
  const jest = ['--no-warnings', 'node_modules/jest/bin/jest.js'];
  const child = spawn(
    process.execPath,
    [
      ...jest,
      ...QUIETLY,
      '--cacheDirectory',
      join(temporary, 'cache'),
      '--runTestsByPath',
      ...tests,
    ],
    { cwd: folder, stdio: 'ignore', timeout: MOST_MS, killSignal: 'SIGKILL' },
  );
  const [status] = await once(child, 'close');
  return status === 0;
};

const noticedBy = async (tests: readonly string[]): Promise<readonly string[] | undefined> => {
  for (const some of [tests.slice(0, FIRST), tests.slice(FIRST)]) {
    if (some.length > 0 && !(await pass(some))) return some;
  }
  return undefined;
};

const recorded: readonly Mutant[] | undefined =
  values.replay === undefined ? undefined : JSON.parse(readFileSync(values.replay, 'utf8'));
const wanted =
  recorded ?? someMutants(sources, Number(values.count), randomOf(Number(values.seed)));
if (values.record !== undefined) {
  writeFileSync(values.record, `${JSON.stringify(wanted, undefined, 2)}\n`);
}

const counts = { noticed: 0, survived: 0, gone: 0 };
const believed = new Set<string>();
try {
  for (const [index, sought] of wanted.entries()) {
    const mutant = recorded ? found(sought) : sought;
    const { file, line, from, to } = mutant ?? sought;
    const what = `${index + 1} ${file}: ${from} → ${to || 'nothing'} in: ${line}`;
    if (!mutant) {
      counts.gone += 1;
      say(`gone      ${what}`);
      continue;
    }
    const source = sources.get(file) ?? '';
    writeFileSync(join(folder, file), mutated(source, mutant));
    const tests = await noticedBy(testsOf(file));
    writeFileSync(join(folder, file), source);
    for (const test of tests ?? []) believed.add(test);
    counts[tests ? 'noticed' : 'survived'] += 1;
    say(`${tests ? 'noticed ' : 'SURVIVED'}  ${what}`);
  }
  for (const test of believed) {
    if (!(await pass([test]))) say(`fails without any mutant: ${test}`);
  }
} finally {
  rmSync(temporary, { recursive: true });
}
say(`${counts.noticed} noticed, ${counts.survived} survived, ${counts.gone} no longer there`);
