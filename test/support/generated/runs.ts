/**
 * How many generated cases a test runs: a quarter of them in `npm test`, all of them with `ALL_RUNS=1`, as
 * `npm run fuzz` sets it for each test file that imports this.
 */
export const runs = (all: number): number =>
  process.env['ALL_RUNS'] === '1' ? all : Math.ceil(all / 4);
