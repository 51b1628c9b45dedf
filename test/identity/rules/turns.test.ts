import { describe, expect, test } from '@jest/globals';
import { inTurn } from '../../../layers/identity/rules/turns.ts';
import { DAY, HOUR } from '../../../layers/platform/rules/time.ts';

const NOON = 1_795_176_000;
const people = Array.from({ length: 2000 }, (_, index) => `user-${index}`);

describe('people who are asked about', () => {
  test('have one hour of each day', () => {
    const hours = Array.from({ length: 24 }, (_, hour) => inTurn(people, NOON + hour * HOUR));
    expect(hours.flat().toSorted()).toEqual(people.toSorted());
    expect(Math.max(...hours.map(({ length }) => length))).toBeLessThan(150);
  });

  test('are not always left out, where the time suffices for a part of them', () => {
    const theirs = inTurn(people, NOON);
    const asked = new Set<string>();
    for (let day = 0; day < 30; day += 1) {
      const turn = inTurn(people, NOON + day * DAY);
      expect(turn.toSorted()).toEqual(theirs.toSorted());
      for (const one of turn.slice(0, theirs.length / 4)) asked.add(one);
    }
    expect(asked.size).toBe(theirs.length);
  });
});
