import { randomOf } from '../support/random.ts';
import type { Turns, Version } from './versions.ts';

/** One after the other, each function by itself: what one version has begun, the other one goes on with. */
export const alternating = (first: Version): Turns => {
  const second: Version = first === 'new' ? 'former' : 'new';
  const counts = new Map<string, number>();
  return (name) => {
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    return count % 2 === 0 ? first : second;
  };
};

/** As chance has it, and the same again for the same seed. */
export const byChance = (seed: number): Turns => {
  const random = randomOf(seed);
  return () => random.pick(['former', 'new']);
};
