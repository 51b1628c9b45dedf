import { describe, expect, test } from '@jest/globals';
import { toldWarnings } from '../../../layers/core/domain/deployments/index.ts';

const warning = (where: string, what: string) => ({ where, what, mend: 'Mend it.' });
const named = (count: number, name: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => warning(`/${at}`, name(at)));

describe('the warnings of a publication', () => {
  test('are told as they are where they are few', () => {
    const few = [warning('/a', 'one'), warning('/b', 'one'), warning('/c', 'other')];
    expect(toldWarnings(few)).toEqual(few);
  });

  test.each([
    [4, 'one more place'],
    [157, '154 more places'],
  ])('name three places of what is said %i times', (count, more) => {
    const told = toldWarnings([...named(count, () => 'nested'), warning('/z', 'other')]);
    expect(told.map(({ where, what }) => [where, what])).toEqual([
      ['/0', 'nested'],
      ['/1', 'nested'],
      ['/2', `nested, and so at ${more}`],
      ['/z', 'other'],
    ]);
  });

  test('end with how many more there are', () => {
    const told = toldWarnings(named(207, String));
    expect(told).toHaveLength(201);
    expect(told.at(-1)?.what).toBe('there are 7 more warnings');
  });
});
