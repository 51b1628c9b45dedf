import type { Json } from '../../../layers/platform/rules/json/json.ts';
import { expect, test } from '@jest/globals';
import { portablePattern } from '../../../layers/openapi/json-schema/portable-pattern.ts';
import { argumentOf, toolOf } from '../../support/openapi/compile.ts';

test.each([
  '^[a-z]+$',
  '^\\d{3}-\\d{4}$',
  '^[\\w.@\\/-]+$',
  '^https?:\\/\\/.+$',
  '(?:a|b)*?c',
  'é+',
  '\\x41',
  'a{2,}',
  '^[^`]+$',
  '\\bword\\b',
  '',
])('a pattern that all read alike stays: %s', (pattern) => {
  expect(portablePattern(pattern)).toBe(pattern);
});

test.each([
  '^[\\p{L}0-9_-]+$',
  '^\\P{Lu}',
  '\\u00e9',
  '\\u{1F600}',
  '(?=a)b',
  '(?!a)b',
  '(?<=a)b',
  '(a)\\1',
  '[^]',
  '[]',
  '[[:alpha:]]',
  '[\\b]',
  '\\cA',
  '\\0',
  'a{1001}',
  '^(?<year>\\d{4})$',
])('a pattern that one of them refuses, or reads otherwise, is none: %s', (pattern) => {
  expect(portablePattern(pattern)).toBeUndefined();
});

test('what not all read is told in words, and checked all the same', () => {
  const schema = { type: 'string', pattern: '^[\\p{L}0-9_-]+$' };

  expect(argumentOf(schema)).toEqual({
    type: 'string',
    description: 'Pattern: ^[\\p{L}0-9_-]+$',
  });
  const { operation } = toolOf({ parameters: [{ name: 'x', in: 'query', schema }] });
  expect(operation.unlisted).toEqual({ '/properties/x': { pattern: '^[\\p{L}0-9_-]+$' } });
});

test.each<[Json, Json]>([
  [['a', ''], { type: 'string', enum: ['a'], description: 'Or the empty text.' }],
  [['a', '', null], { type: ['string', 'null'], enum: ['a'], description: 'Or the empty text.' }],
])(
  'the empty text among values is told in words, and checked all the same: %j',
  (values, shown) => {
    const schema = {
      type: (values as Json[]).includes(null) ? ['string', 'null'] : 'string',
      enum: values,
    };
    const { operation, inputSchema } = toolOf({ parameters: [{ name: 'x', in: 'query', schema }] });

    expect(inputSchema['properties']).toEqual({ x: shown });
    expect(operation.unlisted).toEqual({ '/properties/x': { enum: values } });
  },
);

test('values that are no texts are told in words, and checked all the same', () => {
  const schema = { type: ['integer', 'null'], enum: [1, 2, null] };
  const { operation, inputSchema } = toolOf({ parameters: [{ name: 'x', in: 'query', schema }] });

  expect(inputSchema['properties']).toEqual({
    x: { type: ['integer', 'null'], description: 'One of 1, 2.' },
  });
  expect(operation.unlisted).toEqual({ '/properties/x': { enum: [1, 2, null] } });
});
