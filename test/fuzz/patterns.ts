import { recordedAsLinear } from '../patterns/check.ts';
import { prover } from '../patterns/prove.ts';
import type { Fuzzed } from './fuzz.ts';
import type { Fault } from './subject.ts';

/** Each takes the square of a text, one for each way to. A prover that says otherwise proves nothing. */
const SLOW = [
  String.raw`/\s*;\s*/`,
  String.raw`/\/+$/`,
  String.raw`/"(?:[^"\\]|\\.)*"/g`,
  String.raw`/<meta\s[^>]*charset/i`,
  String.raw`/^\s*\d+\.\d+(\.\d+)?\S*\s*$/`,
  String.raw`/^(?:a|a)*$/`,
  String.raw`/^[a-z]{1,100}[a-z-]*[a-z]*!/`,
];

/** Proves anew that the regular expressions of the service take linear time. */
export const provePatterns = (): Fuzzed => {
  const whyNotLinear = prover();
  const faults: Fault[] = [];
  let [slowestMs, slowestIndex, totalMs] = [0, 0, 0];
  const linear = recordedAsLinear();
  for (const [index, pattern] of [...linear, ...SLOW].entries()) {
    const { user: before } = process.cpuUsage();
    const why = whyNotLinear(pattern);
    const ms = (process.cpuUsage().user - before) / 1000;
    totalMs += ms;
    if (ms > slowestMs) [slowestMs, slowestIndex] = [ms, index];
    if ((why === undefined) === index < linear.length) continue;
    const what = `${pattern} ${why === undefined ? 'is taken for linear' : 'is not linear'}`;
    faults.push({ subject: 'patterns', seed: 0, index, what, detail: why ?? '' });
  }
  const cases = linear.length + SLOW.length;
  const outcomes = { 'proved as recorded': cases - faults.length };
  return { subject: 'patterns', cases, outcomes, faults, slowestMs, slowestIndex, totalMs };
};
