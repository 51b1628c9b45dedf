/** What is linear takes four times as long on four times as much, and what is quadratic sixteen times. */
const MORE = 4;
export const MOST_GROWTH = 10;
const MOST_ROUNDS = 3;

/** Too short to be told from the noise of a machine. */
const LEAST_MS = 5;

/**
 * How many times as long, in processor time, this takes on four times as much; the least of a few tries. What seems more
 * than linear is measured again: a busy machine can slow one of the two down, and the square stays the square.
 *
 * @param run - given how much
 */
export const growth = async (
  run: (size: number) => unknown,
  size: number,
  tries = 3,
): Promise<number> => {
  let least = Infinity;
  for (let round = 0; round < MOST_ROUNDS && least >= MOST_GROWTH; round += 1) {
    const few = await leastMs(() => run(size), tries);
    least = Math.min(least, (await leastMs(() => run(MORE * size), tries)) / few);
  }
  return least;
};

/** Processor time that this takes, the least of a few tries: to be compared with that of something else. */
export const leastMs = async (run: () => unknown, tries = 3): Promise<number> => {
  let ms = Infinity;
  for (let round = 0; round < tries; round += 1) {
    const before = process.cpuUsage();
    await run();
    const { user, system } = process.cpuUsage(before);
    ms = Math.min(ms, (user + system) / 1000);
  }
  return Math.max(ms, LEAST_MS);
};
