import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../layers/platform/rules/json/json.ts';
import { callFaults, UnknownOperation } from '../../../layers/mcp/steps/calls/call-faults.ts';
import { readArguments } from '../../../layers/tools/arguments/read-arguments.ts';
import { prepareTool } from '../../../layers/tools/prepare-tool.ts';
import { aParameter, aTool } from '../../support/mcp/router-tools.ts';

const SECRET = 'canary-2f9c';

const toolOf = (properties: JsonObject, required: readonly string[] = []) =>
  prepareTool(
    aTool('order', 'https://api.example.com', {
      schema: { type: 'object', properties, required },
      operation: {
        parameters: Object.keys(properties).map((name) => aParameter(name, 'query')),
      },
    }),
  );

const faultsOf = (tool: ReturnType<typeof toolOf>, args: JsonObject) => {
  try {
    readArguments(tool, args);
  } catch (error) {
    return callFaults(tool, error);
  }
  throw new Error('the arguments were taken');
};

const PRICES = {
  type: 'object',
  properties: {
    items: {
      type: 'array',
      items: {
        type: 'object',
        properties: { price: { type: 'number', minimum: 0 } },
        required: ['price'],
      },
    },
    tags: { type: 'object', additionalProperties: { type: 'object', required: ['ttl'] } },
  },
  additionalProperties: false,
};

describe('the faults on record of a refused call', () => {
  test.each<[string, JsonObject, readonly object[]]>([
    ['a missing argument', {}, [{ argument: 'order', keyword: 'required' }]],
    [
      'a value of another type, with the type that was sent',
      { order: { items: [{ price: 'many' }, { price: { a: 1 } }] } },
      [
        { argument: 'order.items[].price', keyword: 'type', sent: 'string' },
        { argument: 'order.items[].price', keyword: 'structure', sent: 'object' },
      ],
    ],
    [
      'the same fault in several items once',
      { order: { items: [{ price: -1 }, { price: -2 }, { price: -3 }] } },
      [{ argument: 'order.items[].price', keyword: 'minimum' }],
    ],
    [
      'what is missing below a name that the caller made up',
      { order: { tags: { [SECRET]: {} } } },
      [{ argument: 'order.tags.*.ttl', keyword: 'required' }],
    ],
    [
      'a member that is not allowed, without its name',
      { order: { [SECRET]: SECRET } },
      [{ argument: 'order.*', keyword: 'additionalProperties' }],
    ],
    ['an argument that the tool lacks', { order: {}, [SECRET]: 1 }, [{ keyword: 'unknown' }]],
  ])('name %s', (_, args, faults) => {
    const found = faultsOf(toolOf({ order: PRICES }, ['order']), args);

    expect(found).toEqual(faults);
    expect(JSON.stringify(found)).not.toContain(SECRET);
  });

  test('tell what is a part of the address from what the API may do without', () => {
    const schema = { type: 'object', properties: { id: {}, q: {} }, required: ['id', 'q'] };
    const parameters = [aParameter('id', 'path', true), aParameter('q', 'query', true)];
    const tool = prepareTool(
      aTool('get', 'https://api.example.com', { schema, operation: { parameters } }),
    );

    expect(faultsOf(tool, {})).toEqual([
      { argument: 'id', keyword: 'path' },
      { argument: 'q', keyword: 'required' },
    ]);
  });

  test('are five at most', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const tool = toolOf(Object.fromEntries(names.map((name) => [name, {}])), names);

    expect(faultsOf(tool, {})).toHaveLength(5);
  });

  test('are none of other errors, and one of an operation that is not there', () => {
    const tool = toolOf({});

    expect(callFaults(tool, new Error(SECRET))).toEqual([]);
    expect(callFaults(tool, new UnknownOperation(SECRET))).toEqual([
      { argument: 'name', keyword: 'unknown_operation' },
    ]);
  });
});
