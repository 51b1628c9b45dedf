import * as fc from 'fast-check';
import { description } from './description.ts';
import type { Node } from './dialect.ts';

export type { Node } from './dialect.ts';

/** So many generated descriptions, the same for every seed. */
export const descriptions = (count: number, seed: number): readonly Node[] =>
  fc.sample(description, { numRuns: count, seed });
