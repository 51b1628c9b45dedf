import { describe, expect, test } from '@jest/globals';
import { prepareTool } from '../../../layers/tools/prepare-tool.ts';
import { readArguments } from '../../../layers/tools/arguments/read-arguments.ts';
import type { ArgumentRule } from '../../../layers/openapi/tool-index.ts';
import { aBody, refusalOf } from '../../support/mcp/tools.ts';

const aRuledTool = (rules: readonly ArgumentRule[], more = {}) =>
  prepareTool({
    name: 'write',
    listed: JSON.stringify({ name: 'write', inputSchema: { type: 'object' } }),
    operation: {
      method: 'POST',
      path: '/notes',
      serverUrl: 'https://api.example.com',
      parameters: [],
      accept: [],
      rules,
      body: aBody('json', 'application/json', ['a', 'b', 'c'], {
        source: {
          kind: 'properties',
          properties: ['a', 'b', 'c'].map((name) => ({ argument: name, name })),
          additional: true,
        },
      }),
    },
    ...more,
  });

const choice: ArgumentRule = { kind: 'needs', sets: [['a'], ['b', 'c']] };
const pair: ArgumentRule = { kind: 'needs', when: ['a'], sets: [['b']] };
const count: ArgumentRule = { kind: 'counts', of: ['a', 'b', 'c'], least: 1, most: 2 };

describe('a rule on which arguments are given', () => {
  test.each<[string, ArgumentRule, object]>([
    ['one of a choice', choice, { a: 1 }],
    ['null, which is a value', choice, { a: null }],
    ['a whole set of a choice', choice, { b: 1, c: 1 }],
    ['all of them', choice, { a: 1, b: 1, c: 1 }],
    ['both of a pair', pair, { a: 1, b: 1 }],
    ['only what needs nothing', pair, { b: 1 }],
    ['nothing that it is about', pair, { x: 1 }],
    ['the least', count, { a: 1 }],
    ['the most', count, { a: 1, b: 1 }],
    ['as many of other names', count, { x: 1, y: 2 }],
    ['none, where it is for a body that is not there', { ...count, when: ['a', 'b', 'c'] }, {}],
  ])('lets %s pass', (_, rule, args) => {
    expect(readArguments(aRuledTool([rule]), args)).toEqual(args);
  });

  test.each<[string, ArgumentRule, object, string]>([
    ['nothing of a choice', choice, {}, 'need at least one of: a; b + c'],
    ['half of a set', choice, { b: 1 }, 'need at least one of: a; b + c'],
    ['one of a pair', pair, { a: 1 }, 'need b where a is given'],
    ['too little', count, {}, 'need at least 1 of: a, b, c'],
    ['too much', count, { a: 1, b: 1, c: 1 }, 'need at most 2 of: a, b, c'],
    ['too much of other names', count, { a: 1, x: 1, y: 1 }, 'need at most 2 of: a, b, c'],
  ])('refuses %s, before anything is sent', (_, rule, args, message) => {
    expect(refusalOf(() => readArguments(aRuledTool([rule]), args))).toMatchObject({
      code: 'invalid_params',
      errors: [{ path: '', message }],
    });
  });

  test('counts what the owner fixed', () => {
    const tool = aRuledTool([choice], { fixed: { a: 'mine' }, withheld: ['a'] });

    expect(readArguments(tool, {})).toEqual({ a: 'mine' });
  });
});
