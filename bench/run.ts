/**
 * Runs the benchmarks, each of which prints a table:
 *
 *   npm run bench                     all of them, some minutes
 *   npm run bench -- import-time      only this one
 *
 * They compare what runs side by side in one run, or count processor time; no test depends on them.
 */
const BENCHES = new Map([
  ['router-time', './router-time.ts'],
  ['import-time', './import-time.ts'],
  ['memory', './memory.ts'],
  ['calls', './calls.ts'],
  ['search', './search/bench.ts'],
]);

const names = process.argv.slice(2);
const unknown = names.find((name) => !BENCHES.has(name));
if (unknown !== undefined) {
  console.error(`There is no benchmark ${unknown}: ${[...BENCHES.keys()].join(', ')}.`);
  process.exit(1);
}
for (const [name, file] of BENCHES) {
  if (names.length > 0 && !names.includes(name)) continue;
  const { bench } = (await import(file)) as { bench: () => Promise<void> };
  await bench();
}
