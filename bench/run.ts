/**
 * Runs the benchmarks, each of which prints a table:
 *
 *   npm run bench                     all of them, some minutes
 *   npm run bench -- import-time      only this one
 *
 * They compare what runs side by side in one run, or count processor time; no test depends on them.
 */
import { bench as calls } from './calls.ts';
import { bench as consoleTimes } from './console.ts';
import { bench as growth } from './growth.ts';
import { bench as importTime } from './import-time.ts';
import { bench as memory } from './memory.ts';
import { bench as routerTime } from './router-time.ts';
import { bench as search } from './search/bench.ts';

const BENCHES: Readonly<Record<string, () => Promise<void>>> = {
  'router-time': routerTime,
  'import-time': importTime,
  memory,
  calls,
  search,
  growth,
  console: consoleTimes,
};

const names = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const unknown = names.find((name) => !Object.hasOwn(BENCHES, name));
if (unknown !== undefined) {
  console.error(`There is no benchmark ${unknown}: ${Object.keys(BENCHES).join(', ')}.`);
  process.exit(1);
}
for (const [name, bench] of Object.entries(BENCHES)) {
  if (names.length === 0 || names.includes(name)) await bench();
}
