import { describe, expect, test } from '@jest/globals';
import { summarizeWarnings } from '../../../layers/servers/rules/summarize-warnings.ts';

const warning = (where: string, what: string) => ({ where, what, hint: 'Mend it.' });
const named = (count: number, name: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => warning(`/${at}`, name(at)));

describe('the summary of the warnings of a publication', () => {
  test('repeats every warning where there are few', () => {
    const few = [warning('/a', 'one'), warning('/b', 'one'), warning('/c', 'other')];
    expect(summarizeWarnings(few)).toEqual(few);
  });

  test.each([
    [4, 'one more place'],
    [157, '154 more places'],
  ])('names three of %i places with the same warning', (count, more) => {
    const told = summarizeWarnings([...named(count, () => 'nested'), warning('/z', 'other')]);
    expect(told.map(({ where, what }) => [where, what])).toEqual([
      ['/0', 'nested'],
      ['/1', 'nested'],
      ['/2', `nested, and so at ${more}`],
      ['/z', 'other'],
    ]);
  });

  test('ends with the number of warnings it leaves out', () => {
    const told = summarizeWarnings(named(207, String));
    expect(told).toHaveLength(201);
    expect(told.at(-1)?.what).toBe('there are 7 more warnings');
  });
});
