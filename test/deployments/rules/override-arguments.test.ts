import { describe, expect, test } from '@jest/globals';
import { applyOverrides } from '../../../layers/deployments/rules/apply-overrides.ts';
import type { CompiledTool } from '../../../layers/openapi/tool-index.ts';
import { leastMs } from '../../support/growth.ts';

const aTool = (properties: object, $defs: object): CompiledTool => ({
  name: 'one',
  listed: {
    name: 'one',
    inputSchema: { type: 'object', properties, $defs },
    annotations: {},
  },
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
  const [tool] = applyOverrides(tools, overrides).tools;
  return Object.keys(tool?.listed.inputSchema['$defs'] ?? {});
};

test('what is said of all operations takes no longer for arguments that none has', async () => {
  const tools = Array.from({ length: 2000 }, () => aTool({ own: {} }, {}));
  const apply = (count: number) =>
    applyOverrides(tools, {
      '*': {
        arguments: Object.fromEntries(
          Array.from({ length: count }, (_, at) => [`no${at}`, { hidden: true }]),
        ),
      },
    });
  const few = await leastMs(() => apply(30));
  const many = await leastMs(() => apply(3000));

  expect(apply(3000).warnings).toHaveLength(3000);
  expect(many / few).toBeLessThan(10);
});

describe('hiding an argument of a tool', () => {
  test('removes the definitions that only this argument referred to', () => {
    const definitions = { Gone: { $ref: '#/$defs/Too' }, Too: {}, Kept: {} };

    expect(definitionsLeft({ a: { items: { $ref: '#/$defs/Kept' } } }, definitions)).toEqual([
      'Kept',
    ]);
  });

  test('keeps the definitions that other arguments refer to, even in cycles', () => {
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

  test('removes all definitions where no argument refers to one', () => {
    expect(definitionsLeft({ a: { $ref: 'constructor' } }, { Gone: {} })).toEqual([]);
  });

  // In a time that grows with their square, this would go on for many minutes.
  test('walks a chain of 30,000 definitions in one pass', () => {
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
