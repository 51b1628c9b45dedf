import { describe, expect, jest, test } from '@jest/globals';
import { fuzz } from './fuzz.ts';
import { fuzzRouter } from './router.ts';
import { SUBJECTS } from './subject.ts';

// The service starts here; a machine under load may take its time.
jest.setTimeout(120_000);

/** A short run; `npm run fuzz` makes a long one. */
const SEED = 20_261_120;

describe('mutations of what was right once', () => {
  test.each(SUBJECTS)('end well: %s', async (subject) => {
    const { faults, outcomes } = await fuzz(subject, 300, SEED);

    expect(faults).toEqual([]);
    expect(Object.keys(outcomes).length).toBeGreaterThan(1);
  });

  test('end well: calls over HTTP', async () => {
    const { faults, outcomes } = await fuzzRouter(100, SEED);

    expect(faults).toEqual([]);
    expect(Object.keys(outcomes).length).toBeGreaterThan(2);
  });
});

describe('a case', () => {
  const bounds = { mostMs: 100, hangsAfterMs: 5000, mostMegabytes: 128 };

  test('that ends badly is found, whatever its end, and the cases after it are run', async () => {
    const { faults, outcomes } = await fuzz('faulty', 8, SEED, bounds);

    expect(faults.map(({ index, what }) => `${index} ${what}`)).toEqual([
      expect.stringMatching(/^1 TypeError: Cannot read properties of null/),
      expect.stringMatching(/^2 took more than 100 ms/),
      expect.stringMatching(/^3 Error: a prototype was polluted/),
      expect.stringMatching(/^5 it hangs/),
      expect.stringMatching(/^6 the thread died: .*memory/),
    ]);
    expect(outcomes).toEqual({ fine: 3 });
  });

  test('that ends badly is told as small as it can be', async () => {
    const { faults } = await fuzz('faulty', 2, SEED, bounds);

    expect(Buffer.from(faults[0]?.input ?? []).toString()).toBe('{"case":1}');
  });
});
