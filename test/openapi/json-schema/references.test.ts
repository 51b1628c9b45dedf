import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { cycleFinder } from '../../../layers/openapi/json-schema/reference-graph.ts';
import { requiredReferences } from '../../../layers/openapi/json-schema/subschemas.ts';
import { runs } from '../../support/generated/runs.ts';

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

type Graph = Readonly<Record<string, readonly string[]>>;

const graphs: fc.Arbitrary<Graph> = fc.record(
  Object.fromEntries(NAMES.map((name) => [name, fc.subarray(NAMES, { maxLength: 3 })])),
);

/** Whether a name leads to another, step by step. */
const leadsTo = (graph: Graph, from: string, to: string): boolean => {
  const reached = new Set(graph[from]);
  for (const name of reached) for (const next of graph[name] ?? []) reached.add(next);
  return reached.has(to);
};

describe('a cycle of references', () => {
  test('is found for the names that lead back to themselves, and for no others', () => {
    const property = fc.property(graphs, (graph) => {
      const isCyclic = cycleFinder((name) => graph[name] ?? []);

      expect(NAMES.filter(isCyclic)).toEqual(NAMES.filter((name) => leadsTo(graph, name, name)));
    });

    fc.assert(property, { numRuns: runs(2000), seed: 1 });
  });

  test('is found behind a chain of 100,000 references', () => {
    const isCyclic = cycleFinder((name) => [name === 'n100000' ? 'n99999' : nextOf(name)]);

    expect(['n0', 'n99998', 'n99999', 'n100000'].filter(isCyclic)).toEqual(['n99999', 'n100000']);
  });
});

const nextOf = (name: string): string => `n${Number(name.slice(1)) + 1}`;

describe('the references that a value of a schema needs', () => {
  test('are those without a property in between that may be left out', () => {
    const schema = {
      type: 'object',
      required: ['needed', 'list'],
      properties: {
        needed: { $ref: '#/$defs/Needed' },
        list: { type: 'array', items: { anyOf: [{ $ref: '#/$defs/One' }, { type: 'null' }] } },
        optional: { $ref: '#/$defs/Optional' },
      },
      allOf: [{ $ref: '#/$defs/Base' }],
    };

    expect([...requiredReferences(schema)].sort()).toEqual([
      '#/$defs/Base',
      '#/$defs/Needed',
      '#/$defs/One',
    ]);
  });
});
