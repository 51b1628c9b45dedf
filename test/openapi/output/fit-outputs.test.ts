import { describe, expect, test } from '@jest/globals';
import type { Json, JsonObject } from '../../../layers/platform/rules/json/json.ts';
import { estimateTokens, toolTokens } from '../../../layers/openapi/model-apis/token-estimate.ts';
import type { CompiledTool } from '../../../layers/openapi/tool-index.ts';
import { compiled, onlyOf } from '../../support/openapi/compile.ts';
import { aDescription, anOperation } from '../../support/openapi/intake.ts';
import { answering, schemaOf, structuredTools } from '../../support/openapi/output-validators.ts';

const TEXT = 'Words that say something of this member of the answer.';
const object = (properties: JsonObject): JsonObject => ({
  type: 'object',
  description: TEXT,
  properties,
});
const many = (count: number, schema: Json): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`member${at}`, schema]));

/** An object of objects of objects, three in each. */
const nested = (levels: number): JsonObject =>
  object(many(3, levels === 0 ? { type: 'string', description: TEXT } : nested(levels - 1)));

const outputTokens = ({ output }: CompiledTool): number =>
  estimateTokens(`"outputSchema":${output?.schema},`);
const depthOf = (schema: JsonObject): number => {
  const properties = Object.values((schema['properties'] ?? {}) as Record<string, JsonObject>);
  return properties.length === 0 ? 0 : 1 + Math.max(...properties.map(depthOf));
};

describe('an output schema', () => {
  test('takes what the tool has left of its budget: first no texts, then less depth', () => {
    const inTokens = (tokenBudget: number) => {
      const tool = onlyOf(answering(nested(3), {}, { tokenBudget }).tools);
      expect(toolTokens(tool.listed) + outputTokens(tool)).toBeLessThanOrEqual(tokenBudget);
      const schema = schemaOf(tool);
      return [depthOf(schema), schema.properties.member0.description];
    };
    const whole = outputTokens(onlyOf(answering(nested(3)).tools));

    expect(inTokens(whole + 100)).toEqual([4, TEXT]);
    expect(inTokens(whole)).toEqual([4, undefined]);
    expect(inTokens(500)).toEqual([2, undefined]);
    expect(inTokens(200)).toEqual([1, undefined]);
  });

  test('is left out where there is no room for any of it, with a warning', () => {
    const { tools, notes, warnings } = answering(nested(4), {}, { tokenBudget: 100 });
    const why = 'there is no room for it in the budget of the tool';

    expect(onlyOf(tools).output).toBeUndefined();
    expect(warnings).toEqual([
      expect.objectContaining({
        where: '/paths/~1answer/get',
        what: `answer has no output schema: ${why}`,
      }),
    ]);
    expect(notes.get('answer')).toContainEqual({ what: 'has no output schema', why });
  });

  test('has 16,000 characters at most, however many tokens a tool may take', () => {
    const wide = (count: number) => onlyOf(answering(object(many(count, nested(1)))).tools).output;

    expect(wide(40)?.schema.length).toBeLessThan(16_001);
    expect(depthOf(JSON.parse(wide(40)?.schema ?? '{}'))).toBe(2);
    expect(wide(2000)).toBeUndefined();
  });

  test('ends where compositions go on for ever', () => {
    const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
    const components = {
      A: { allOf: [ref('B'), { properties: { x: ref('A'), y: ref('A') } }] },
      B: { type: 'object', properties: { x: ref('B'), y: ref('B') } },
    };
    const { output } = onlyOf(answering(ref('A'), components).tools);
    expect(output?.schema.length).toBeLessThan(16_001);
  });

  test('changes nothing else of its tool', () => {
    const responses = {
      200: { description: '', content: { 'application/json': { schema: nested(2) } } },
    };
    const parameters = [{ name: 'q', in: 'query', description: TEXT, schema: nested(4) }];
    const paths = { '/a': { get: anOperation({ parameters, responses }) } };
    const description = aDescription({ openapi: '3.1.0', paths });

    for (const tokenBudget of [300, 1000, 4000]) {
      const without = compiled(description, { tokenBudget }).tools;
      const withThem = structuredTools(paths, {}, { tokenBudget }).tools;
      expect(withThem.every(({ output }) => output)).toBe(tokenBudget > 300);
      expect(withThem.map((tool) => ({ ...tool, output: undefined }))).toEqual(without);
    }
  });

  test('is made for the chosen operations alone', () => {
    const responses = {
      200: { description: '', content: { 'application/json': { schema: nested(0) } } },
    };
    const paths = { '/a': { get: anOperation({ responses }), put: anOperation({ responses }) } };
    const { tools } = structuredTools(paths, {}, { hasOutput: ({ method }) => method === 'PUT' });
    expect(tools.map(({ operation, output }) => [operation.method, output !== undefined])).toEqual([
      ['GET', false],
      ['PUT', true],
    ]);
  });
});

describe('the list of all tools', () => {
  const responses = {
    200: { description: '', content: { 'application/json': { schema: nested(2) } } },
  };
  const paths = Object.fromEntries(
    Array.from({ length: 20 }, (_, at) => [`/p${at}`, { get: anOperation({ responses }) }]),
  );
  const bytes = (tools: readonly CompiledTool[]) =>
    tools.reduce(
      (sum, { listed, output }) =>
        sum +
        Buffer.byteLength(
          JSON.stringify({
            ...listed,
            ...(output && { outputSchema: schemaOf({ output } as CompiledTool) }),
          }),
        ),
      0,
    );
  const without = bytes(compiled(aDescription({ openapi: '3.1.0', paths })).tools);
  const inBytes = (more: number) =>
    structuredTools(paths, {}, { maxListBytes: without + 20 + 200 + more });

  test.each([
    [1_000_000, 3, 0],
    [20_000, 2, 0],
    [10_000, 1, 0],
  ])('with room for %i bytes more has schemas of depth %i', (more, depth, warned) => {
    const { tools, warnings } = inBytes(more);
    expect(bytes(tools)).toBeLessThan(without + more);
    expect(tools.map((tool) => depthOf(schemaOf(tool)))).toEqual(tools.map(() => depth));
    expect(warnings).toHaveLength(warned);
  });

  test('has as many of the smallest schemas as it has room for, with a warning for each other', () => {
    const { tools, warnings } = inBytes(3_000);
    const having = tools.filter(({ output }) => output);

    expect(having.length).toBeGreaterThan(1);
    expect(having.length).toBeLessThan(20);
    expect(bytes(tools)).toBeLessThan(without + 3_000);
    expect(warnings.map(({ what }) => what)).toHaveLength(20 - having.length);
    expect(warnings[0]?.what).toContain('there is no room for it in the list of all tools');
  });
});
