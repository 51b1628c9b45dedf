import { recordedAsLinear } from '../patterns/check.ts';
import { prover } from '../patterns/prove.ts';
import { countsOf, type Fuzzed } from './counts.ts';

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
  const counts = countsOf('patterns', 0);
  const linear = recordedAsLinear();
  for (const [index, pattern] of [...linear, ...SLOW].entries()) {
    const { user: before } = process.cpuUsage();
    const why = whyNotLinear(pattern);
    counts.took((process.cpuUsage().user - before) / 1000, index);
    if ((why === undefined) === index < linear.length) counts.ended('proved as recorded');
    else {
      const what = `${pattern} ${why === undefined ? 'is taken for linear' : 'is not linear'}`;
      counts.failed({ index, what, detail: why ?? '' });
    }
  }
  return counts.fuzzed(linear.length + SLOW.length);
};
