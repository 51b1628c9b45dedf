import { describe, expect, test } from '@jest/globals';
import { cycleFinder, pathFinder } from '../../../layers/openapi/json-schema/reference-graph.ts';

const REFERENCES: Readonly<Record<string, readonly string[]>> = {
  tree: ['leaf', 'tree'],
  leaf: [],
  dog: ['owner', 'leaf'],
  owner: ['address', 'pets'],
  pets: ['dog'],
  address: [],
  city: ['owner'],
};

const referencesOf = (ref: string): readonly string[] => REFERENCES[ref] ?? [];

describe('a reference', () => {
  test.each(['tree', 'dog', 'owner', 'pets'])('that leads back to itself is a cycle: %s', (ref) => {
    expect(cycleFinder(referencesOf)(ref)).toBe(true);
  });

  test.each(['leaf', 'address', 'city', 'unknown'])(
    'that never leads back to itself is no cycle, even if it leads to one: %s',
    (ref) => {
      expect(cycleFinder(referencesOf)(ref)).toBe(false);
    },
  );

  test('is found to be a cycle whatever was looked up before', () => {
    const refs = Object.keys(REFERENCES);
    const isCycle = cycleFinder(referencesOf);
    const inOrder = refs.map(isCycle);
    const reversed = cycleFinder(referencesOf);

    expect(inOrder).toEqual(refs.map((ref) => cycleFinder(referencesOf)(ref)));
    expect(refs.toReversed().map(reversed).toReversed()).toEqual(inOrder);
  });

  test('leads to another one directly or through others', () => {
    const leadsTo = pathFinder(referencesOf);

    expect(leadsTo('city', 'dog')).toBe(true);
    expect(leadsTo('dog', 'dog')).toBe(true);
    expect(leadsTo('dog', 'city')).toBe(false);
    expect(leadsTo('leaf', 'leaf')).toBe(false);
  });

  test('may begin a chain of a hundred thousand references', () => {
    const next = (ref: string): readonly string[] =>
      ref === '100000' ? [] : [`${Number(ref) + 1}`];

    expect(cycleFinder(next)('0')).toBe(false);
    expect(pathFinder(next)('0', '100000')).toBe(true);
  });
});
