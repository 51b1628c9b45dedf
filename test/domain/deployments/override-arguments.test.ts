import { describe, expect, test } from '@jest/globals';
import { applyOverrides } from '../../../layers/core/domain/deployments/index.ts';
import type { IndexedTool } from '../../../layers/core/domain/tool-index.ts';

const aTool = (properties: object, $defs: object): IndexedTool => ({
  name: 'one',
  listed: JSON.stringify({ name: 'one', inputSchema: { type: 'object', properties, $defs } }),
  operation: {
    method: 'GET',
    path: '/one',
    serverUrl: 'https://api.example.com',
    operationId: 'one',
    parameters: [],
    accept: [],
  },
});

/** The names of the definitions that clients see once the argument `gone` is taken away. */
const definitionsLeft = (properties: object, definitions: object): readonly string[] => {
  const tools = [aTool({ ...properties, gone: { $ref: '#/$defs/Gone' } }, definitions)];
  const overrides = { one: { arguments: { gone: { hidden: true } } } } as const;
  const [tool] = applyOverrides({ format: 1, tools }, overrides).index.tools;
  const { inputSchema } = JSON.parse(tool?.listed ?? '') as { inputSchema: { $defs?: object } };
  return Object.keys(inputSchema.$defs ?? {});
};

describe('taking an argument away', () => {
  test('takes away the definitions that only it led to', () => {
    const definitions = { Gone: { $ref: '#/$defs/Too' }, Too: {}, Kept: {} };

    expect(definitionsLeft({ a: { items: { $ref: '#/$defs/Kept' } } }, definitions)).toEqual([
      'Kept',
    ]);
  });

  test('keeps those that others lead to, in circles and under any name', () => {
    const definitions = {
      Gone: {},
      'a/b~c': { anyOf: [{ $ref: '#/$defs/Next' }] },
      Next: { properties: { back: { $ref: '#/$defs/a~1b~0c' } } },
    };

    expect(definitionsLeft({ a: { $ref: '#/$defs/a~1b~0c' } }, definitions)).toEqual([
      'a/b~c',
      'Next',
    ]);
  });

  test('leaves no definition where nothing leads to one', () => {
    expect(definitionsLeft({ a: { $ref: 'constructor' } }, { Gone: {} })).toEqual([]);
  });

  // In a time that grows with their square, this would go on for many minutes.
  test('walks tens of thousands of definitions once', () => {
    const count = 30_000;
    const chain = Array.from({ length: count }, (_, at) => [
      `D${at}`,
      { description: 'x'.repeat(100), not: { $ref: `#/$defs/D${at + 1}` } },
    ]);

    expect(definitionsLeft({ a: { $ref: '#/$defs/D0' } }, Object.fromEntries(chain))).toHaveLength(
      count,
    );
  });
});
