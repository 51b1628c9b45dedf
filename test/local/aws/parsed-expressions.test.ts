import { createRequire } from 'node:module';
import { describe, expect, test } from '@jest/globals';
import {
  type ExpressionParser,
  rememberParsed,
} from '../../../local/aws/dynamodb/parsed-expressions.ts';
import type { Json } from '../../../local/aws/wire/json.ts';

const load = createRequire(import.meta.url);

interface Expression {
  readonly parser: 'condition' | 'projection' | 'update';
  readonly text: string;
  readonly names?: Readonly<Record<string, string>>;
  /** Of several requests, one after the other. */
  readonly values: readonly Readonly<Record<string, Json>>[];
}

const EXPRESSIONS: readonly Expression[] = [
  { parser: 'update', text: 'ADD used :one', values: [{ ':one': { N: '1' } }] },
  {
    parser: 'update',
    text: 'SET #a.b[2] = if_not_exists(#a.b[2], :x) + :y REMOVE c',
    names: { '#a': 'constructor', '#unused': 'd' },
    values: [
      { ':x': { N: '1' }, ':y': { N: '2' } },
      { ':x': { N: '3' }, ':y': { N: '4' }, ':unused': { S: '5' } },
    ],
  },
  {
    parser: 'condition',
    text: 'attribute_not_exists(a) OR (#b < :limit AND contains(c, :text))',
    names: { '#b': 'b' },
    values: [
      { ':limit': { N: '7' }, ':text': { S: 'a' } },
      { ':limit': { N: '9' }, ':text': { S: 'b' } },
      { ':limit': { S: 'of another type' }, ':text': { S: 'b' } },
    ],
  },
  {
    parser: 'condition',
    text: 'a BETWEEN :low AND :high',
    values: [
      { ':low': { N: '1' }, ':high': { N: '2' } },
      { ':low': { N: '2' }, ':high': { N: '1' } },
    ],
  },
  {
    parser: 'condition',
    text: 'attribute_type(a, :type)',
    values: [{ ':type': { S: 'N' } }, { ':type': { S: 'nothing' } }],
  },
  { parser: 'condition', text: 'a = :missing', values: [{}, { ':missing': { S: 'there' } }, {}] },
  { parser: 'projection', text: 'a, b[1].c, #d', names: { '#d': 'd' }, values: [{}] },
];

describe('an expression that was parsed before', () => {
  test.each(EXPRESSIONS)('gives the tree and the errors of a new one: $text', (expression) => {
    const { parse } = load(`dynalite/db/${expression.parser}Parser`) as ExpressionParser;
    // What dynalite exports is wrapped already, when a store has been opened in this process.
    const remembering = { parse };
    rememberParsed(remembering);

    for (const values of [...expression.values, ...expression.values]) {
      expect(outcome(remembering, expression, values)).toEqual(
        outcome({ parse }, expression, values),
      );
    }
  });
});

const outcome = (
  parser: ExpressionParser,
  { text, names = {} }: Expression,
  attrVals: Readonly<Record<string, Json>>,
) => {
  const unusedAttrNames = Object.fromEntries(
    Object.keys(names).map((name) => [name, true as const]),
  );
  const unusedAttrVals = Object.fromEntries(
    Object.keys(attrVals).map((name) => [name, true as const]),
  );
  const helpers = { isReserved: () => false, compare: () => Number(attrVals[':low']?.['N']) > 1 };
  const context = { attrNames: names, attrVals, unusedAttrNames, unusedAttrVals, ...helpers };
  const tree = JSON.stringify(parser.parse(text, { context }));
  return { tree, unusedAttrNames, unusedAttrVals };
};
