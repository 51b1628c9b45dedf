import { describe, expect, test } from '@jest/globals';
import { placesOf, scoreOf } from '../../bench/search/wishes.ts';
import { hasRealDescriptions } from '../support/service/publisher.ts';

if (!hasRealDescriptions) {
  test.skip('real descriptions: the folder shared/openapi is not here', () => {});
}

/** Whoever tunes the search reads only the first half; what it does to the other one shows here. */
if (hasRealDescriptions)
  describe('of the wishes of ten real descriptions', () => {
    const opened: Parameters<typeof placesOf>[1] = new Map();
    test.each([
      ['tuned by', 96],
      ['set apart', 90],
    ] as const)('%s, at least %i of 100 are among the first three', (half, least) => {
      const places = placesOf(half, opened);
      const [, three] = scoreOf(places);

      expect(places.length).toBeGreaterThanOrEqual(120);
      expect((100 * three) / places.length).toBeGreaterThanOrEqual(least);
    });

    test.each([
      ['first', 88],
      ['second', 84],
    ] as const)('of other descriptions, the %s set, at least %i of 100 are', (set, least) => {
      const places = placesOf(set, opened);
      const [, three] = scoreOf(places);

      expect(places.length).toBeGreaterThanOrEqual(80);
      expect((100 * three) / places.length).toBeGreaterThanOrEqual(least);
    });
  });
