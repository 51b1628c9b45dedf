// Records the stateful resources of the template: `node test/support/stacks/record-stateful.ts`. What would lose
// data or fail a deployment is refused, unless `--knowingly` is there.
import { writeFileSync } from 'node:fs';
import { changesOf, RECORD, recorded, statefulIn } from './stateful.ts';
import { synthesized } from './synthesized.ts';

const now = statefulIn(synthesized());
const { faults, changes } = changesOf(recorded(), now);
for (const sentence of [...faults, ...changes]) process.stdout.write(`${sentence}\n`);
if (faults.length > 0 && !process.argv.includes('--knowingly')) {
  process.exitCode = 1;
} else {
  writeFileSync(RECORD, `${JSON.stringify(now, undefined, 2)}\n`);
}
