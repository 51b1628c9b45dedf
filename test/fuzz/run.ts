/**
 * Fuzzes what strangers send:
 *
 *   npm run fuzz                              10,000 mutated descriptions, 10,000 mutated arguments, 10,000
 *                                             lists of owners multiplied with descriptions, a tenth of that as calls and as requests over HTTP, and proofs
 *                                             that the service's regular expressions are linear,
 *                                             and all runs of the tests of which `npm test` makes a quarter
 *   npm run fuzz -- --count 500 --seed 7      fewer, and others
 *   npm run fuzz -- --only arguments          one subject
 *
 * Ends with a table; each fault is written to `fuzz-faults/`, made as small as it can be.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { fuzzEndpoints } from './endpoints.ts';
import type { Fuzzed } from './counts.ts';
import { fuzz } from './fuzz.ts';
import { runGeneratedTests } from './generated.ts';
import { provePatterns } from './patterns.ts';
import { fuzzRequests } from './requests.ts';
import { fuzzRouter } from './router.ts';
import { type Fault, SUBJECTS } from './subject.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
  },
});
const count = Number(values.count);
const seed = Number(values.seed);
if (!Number.isSafeInteger(count) || count < 1 || !Number.isSafeInteger(seed)) {
  process.stderr.write('--count and --seed are whole numbers, --count at least 1.\n');
  process.exit(2);
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const shown = ({ subject, cases, outcomes, faults, totalMs, ...slow }: Fuzzed): void => {
  say(
    `\n${subject}: ${cases} cases, seed ${seed}, ${(totalMs / 1000).toFixed(0)} s of processor time`,
  );
  for (const [outcome, times] of Object.entries(outcomes).toSorted(([, a], [, b]) => b - a)) {
    say(`  ${String(times).padStart(7)}  ${outcome}`);
  }
  say(`  ${String(faults.length).padStart(7)}  faults`);
  say(`  slowest: ${slow.slowestMs.toFixed(0)} ms, case ${slow.slowestIndex}`);
};

/** One file for each kind of fault, the smallest of its kind. */
const written = (faults: readonly Fault[]): void => {
  for (const [what, all] of Map.groupBy(faults, ({ what: kind }) => kind)) {
    const [fault] = all.toSorted((a, b) => (a.input?.length ?? 0) - (b.input?.length ?? 0));
    if (!fault) continue;
    const name = `fuzz-faults/${fault.subject}-${fault.seed}-${fault.index}`;
    mkdirSync('fuzz-faults', { recursive: true });
    if (fault.input) writeFileSync(`${name}.input`, fault.input);
    writeFileSync(`${name}.txt`, `${what}\n\n${fault.detail}\n`);
    say(`\n  ${all.length} x ${what}\n    ${name}.txt`);
  }
};

const runs: readonly (readonly [string, () => Fuzzed | Promise<Fuzzed>])[] = [
  ...SUBJECTS.map((subject) => [subject, () => fuzz(subject, count, seed)] as const),
  ['router', () => fuzzRouter(Math.ceil(count / 10), seed)],
  ['endpoints', () => fuzzEndpoints(Math.ceil(count / 10), seed)],
  ['requests', () => fuzzRequests(Math.ceil(count / 100), seed)],
  ['patterns', provePatterns],
  ['generated', runGeneratedTests],
];
const ended: Fuzzed[] = [];
for (const [subject, run] of runs) {
  if (values.only === undefined || values.only === subject) ended.push(await run());
}
for (const one of ended) shown(one);
const faults = ended.flatMap((one) => one.faults);
written(faults);
process.exitCode = faults.length > 0 ? 1 : 0;
