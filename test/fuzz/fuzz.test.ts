import { describe, expect, test } from '@jest/globals';
import { fuzzEndpoints } from './endpoints.ts';
import { fuzz } from './fuzz.ts';
import { fuzzRouter } from './router.ts';
import { SUBJECTS } from './subject.ts';

/** A short run; `npm run fuzz` makes a long one. */
const SEED = 20_261_120;

describe('mutated valid input', () => {
  test.each(SUBJECTS)('is handled without a fault: %s', async (subject) => {
    const { faults, outcomes } = await fuzz(subject, 150, SEED);

    expect(faults).toEqual([]);
    expect(Object.keys(outcomes).length).toBeGreaterThan(1);
  });

  test('is handled without a fault in calls over HTTP', async () => {
    const { faults, outcomes } = await fuzzRouter(100, SEED);

    expect(faults).toEqual([]);
    expect(Object.keys(outcomes).length).toBeGreaterThan(2);
  });

  test('is handled without a fault by accounts, the authorization server and the management API', async () => {
    const { faults, outcomes } = await fuzzEndpoints(200, SEED);

    expect(faults).toEqual([]);
    expect(Object.keys(outcomes)).toEqual(expect.arrayContaining(['status 400', 'status 422']));
  });
});

describe('the fuzzer', () => {
  const bounds = { mostMs: 100, hangsAfterMs: 2000, mostMegabytes: 128 };

  test('finds every kind of fault and continues with the next case', async () => {
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

  test('reports a fault with the smallest input that causes it', async () => {
    const { faults } = await fuzz('faulty', 2, SEED, bounds);

    expect(Buffer.from(faults[0]?.input ?? []).toString()).toBe('{"case":1}');
  });
});
