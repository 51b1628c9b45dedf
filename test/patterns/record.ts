// Records the regular expressions of the service that are proved to take linear time: `node
// test/patterns/record.ts`. Those that are recorded already are believed; `npm run fuzz -- --only patterns`
// proves them all anew.
import { writeFileSync } from 'node:fs';
import { known, RECORD, recordedAsLinear, repeats } from './check.ts';
import { prover } from './prove.ts';
import { patternsOfTheService } from './sources.ts';

const { literals } = patternsOfTheService();
const exempt = new Set(known().literals.map(({ text }) => text));
const recorded = new Set(recordedAsLinear());
const places = Map.groupBy(literals, ({ text }) => text);
const wanted = [...places.keys()].filter((text) => repeats(text) && !exempt.has(text));

const whyNotLinear = prover();
const linear = wanted.filter((text) => {
  const why = recorded.has(text) ? undefined : whyNotLinear(text);
  if (why === undefined) return true;
  const at = (places.get(text) ?? []).map((place) => place.at).join(', ');
  process.stdout.write(`${at}: ${text}\n  ${why}\n`);
  process.exitCode = 1;
  return false;
});
writeFileSync(RECORD, `${JSON.stringify(linear.toSorted(), undefined, 2)}\n`);
