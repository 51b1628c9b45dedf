import { expect, test } from '@jest/globals';
import { replayed } from '../support/aws/replayed-calls.ts';

const SEEDS = Array.from({ length: 25 }, (_, at) => 100 + at);

test.each([
  ['one busy server', { rate: 20, seconds: 300 }],
  [
    'many servers whose calls come one by one',
    { rate: 10, seconds: 240, servers: 80, perEvent: 1 },
  ],
  ['an outage of most of an hour', { rate: 4, seconds: 900, servers: 4, outage: [60, 3000] }],
] as const)('counts are exact for %s, with many seeds', async (_, stage) => {
  for (const seed of SEEDS) {
    expect([seed, await replayed({ ...stage, seed })]).toEqual([seed, []]);
  }
});
