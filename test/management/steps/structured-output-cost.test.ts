import { expect, test } from '@jest/globals';
import { structuredOutputCost } from '../../../layers/servers/steps/descriptions/compile-description.ts';
import type { JsonObject } from '../../../layers/platform/rules/json/json.ts';
import { aDescription, anOperation } from '../../support/openapi/intake.ts';
import { compiled } from '../../support/openapi/compile.ts';

const members = (count: number): JsonObject =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      `member_number_${at}`,
      { type: 'string', description: 'What it is for, in some words.' },
    ]),
  );
const costOf = (count: number, hasOutput: boolean) => {
  const schema = { type: 'object', properties: members(count) };
  const answer = { description: 'Done.', content: { 'application/json': { schema } } };
  const paths = { '/a': { get: anOperation({ responses: { 200: answer } }) } };
  return structuredOutputCost(
    compiled(aDescription({ paths }), { hasOutput: () => hasOutput }).tools,
  );
};

test('output schemas that take much of a model’s context are told with what they take', () => {
  const [cost, ...others] = costOf(100, true);
  expect(others).toEqual([]);
  expect(cost?.where).toBe('/structured_output');
  const [, more] =
    /take about (\d+) tokens beside the \d+ of the tools/.exec(cost?.what ?? '') ?? [];
  expect(Number(more)).toBeGreaterThan(1000);
});

test('what is small, or switched off, is not told', () => {
  expect(costOf(3, true)).toEqual([]);
  expect(costOf(100, false)).toEqual([]);
});
