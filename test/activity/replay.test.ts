import { describe, expect, test } from '@jest/globals';
import { type Plant, type Replay, replayed } from '../support/aws/replayed-calls.ts';

/** More of them are in `replay-long.test.ts`. */
const SEEDS = [1, 2];

const STAGES: readonly (readonly [string, Omit<Replay, 'seed'>])[] = [
  ['one server', { rate: 2, seconds: 240 }],
  ['some servers whose calls come one by one', { rate: 4, seconds: 150, servers: 5, perEvent: 1 }],
  ['no run for 23 minutes', { rate: 2, seconds: 300, servers: 3, outage: [60, 1440] }],
];

describe('counts of calls', () => {
  test.each(STAGES)('are exact for %s, whatever comes twice, late or dies', async (_, stage) => {
    for (const seed of SEEDS) {
      expect([seed, await replayed({ ...stage, seed })]).toEqual([seed, []]);
    }
  });
});

/** Calls that nothing of their minute comes after: whoever forgets one of them is found. */
const SPARSE = { rate: 2, seconds: 180, servers: 60, perEvent: 1 };
/** Looked for with so many seeds. */
const MOST_SEEDS = 12;

let marks = 0;
const plants: readonly (readonly [string, Plant])[] = [
  [
    'a mark that is remembered and does not stand',
    {
      ofActivity: {
        isLost: ({ pk }) => String(pk).startsWith('TOUCHED#') && (marks += 1) % 7 === 0,
      },
    },
  ],
  ['a count for good of the current minute', { aheadSeconds: 300 }],
  [
    'a run that makes no sum where no minute has changed',
    { ofTally: (tally) => ({ ...tally, hour: async () => NEWER }) },
  ],
  [
    'calls that count once each time that they come',
    {
      ofEvent: (calls, delivery) =>
        calls.map((call) => ({ ...call, requestId: `${call.requestId}-${delivery}` })),
    },
  ],
  [
    'a count for good of what was there a moment ago',
    {
      ofTally: (tally) => ({
        ...tally,
        count: (minute) => tally.count(minute, { isForGood: false }),
        touched: (seenAt, part) => tally.touched(seenAt, part, { isForGood: false }),
      }),
    },
  ],
];

describe('the replay finds', () => {
  test.each(plants)('%s', async (_, plant) => {
    let wrong: readonly string[] = [];
    for (let seed = 1; seed <= MOST_SEEDS && wrong.length === 0; seed += 1) {
      wrong = await replayed({ ...SPARSE, seed, plant });
    }

    expect(wrong).not.toEqual([]);
  });
});

const NEWER = { rules: 99, seen: Infinity, tools: new Map() };
