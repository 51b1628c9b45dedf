import { describe, expect, test } from '@jest/globals';
import type { Json } from '../../../layers/platform/rules/json/json.ts';
import { toolTokens } from '../../../layers/openapi/model-apis/token-estimate.ts';
import { compiled, onlyOf, readTool } from '../../support/openapi/compile.ts';
import { aDescription, anOperation } from '../../support/openapi/intake.ts';

const WORDS = 'word after word, and then another one. ';

const object = (properties: Readonly<Record<string, Json>>, required: readonly string[] = []) => ({
  type: 'object',
  properties,
  required,
});

/** `POST /pets` with these fields in its body, in so many tokens at most. */
const inTokens = (
  tokenBudget: number | undefined,
  fields: Readonly<Record<string, Json>>,
  required: readonly string[] = [],
) => {
  const content = { 'application/json': { schema: object(fields, required) } };
  const operation = anOperation({ operationId: 'big', requestBody: { required: true, content } });
  const { tools, warnings, notes } = compiled(
    aDescription({ openapi: '3.1.0', paths: { '/pets': { post: operation } } }),
    { tokenBudget },
  );
  const tool = readTool(onlyOf(tools));
  const { properties } = tool.inputSchema as { properties: Record<string, Node> };
  return { properties, tokens: toolTokens(tool), warnings, notes: notes.get('big') ?? [] };
};

interface Node {
  readonly description?: string;
  readonly examples?: readonly Json[];
  readonly properties?: Readonly<Record<string, Node>>;
}

/** An object in an object ..., so many of them, with a text at the end. */
const nested = (levels: number, needed: boolean): Json =>
  levels === 0
    ? { type: 'string' }
    : object({ next: nested(levels - 1, needed) }, needed ? ['next'] : []);

const depthOf = (node: Node | undefined): number =>
  node?.properties?.['next'] ? 1 + depthOf(node.properties['next']) : 0;

const many = (count: number, schema: Json) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, schema]));

describe('a tool within its budget of tokens', () => {
  test('is complete, and neither a warning nor a note says that it was shortened', () => {
    const field = { type: 'string', description: WORDS, examples: ['a'] };
    const { properties, warnings, notes } = inTokens(100, { field });

    expect(properties['field']).toEqual({ ...field, description: WORDS.trim() });
    expect(warnings).toEqual([]);
    expect(notes.map(({ what }) => what)).toEqual([
      'the fields of the body are arguments of their own',
    ]);
  });
});

describe('a tool beyond its budget of tokens', () => {
  const texts = many(30, {
    type: 'string',
    description: WORDS.repeat(8),
    examples: ['an example'],
  });
  const lengthOf = ({ description = '' }: Node = {}) => description.length;

  test('has shorter descriptions before anything else is left out', () => {
    const { properties, tokens } = inTokens(2000, texts);

    expect(tokens).toBeLessThan(2000);
    expect(lengthOf(properties['p0'])).toBeLessThanOrEqual(200);
    expect(lengthOf(properties['p29'])).toBeGreaterThan(100);
    expect(properties['p0']?.examples).toEqual(['an example']);
  });

  test('loses its examples after its descriptions are short', () => {
    const { properties, tokens } = inTokens(1050, texts);

    expect(tokens).toBeLessThan(1050);
    expect(lengthOf(properties['p0'])).toBeLessThanOrEqual(100);
    expect(lengthOf(properties['p0'])).toBeGreaterThan(50);
    expect(properties['p0']).not.toHaveProperty('examples');
  });

  test('keeps what a body in one piece requires, though all of it may be left out', () => {
    const fields = { needed: nested(3, true), ...many(30, nested(3, false)) };
    const content = { 'application/json': { schema: object(fields, ['needed']) } };
    const post = anOperation({ requestBody: { content } });
    const { tools } = compiled(aDescription({ paths: { '/pets': { post } } }), {
      tokenBudget: 900,
    });
    const { body } = readTool(onlyOf(tools)).inputSchema['properties'] as Record<string, Node>;

    expect(depthOf(body?.properties?.['needed'])).toBe(3);
    expect(depthOf(body?.properties?.['p0'])).toBe(0);
  });

  test('loses what is deep inside, optional parts before required ones', () => {
    const { properties, tokens } = inTokens(
      300,
      { optional: nested(17, false), required: nested(17, true) },
      ['required'],
    );

    expect(tokens).toBeLessThan(300);
    expect(depthOf(properties['optional'])).toBeGreaterThan(0);
    expect(depthOf(properties['required'])).toBeGreaterThan(depthOf(properties['optional']));
  });

  test('treats as optional what only an optional object requires', () => {
    const { properties } = inTokens(
      300,
      { optional: nested(17, true), required: nested(17, true) },
      ['required'],
    );

    expect(depthOf(properties['required'])).toBeGreaterThan(depthOf(properties['optional']));
  });

  test('takes any value where something is left out, and says so in the description', () => {
    const { properties } = inTokens(45, { deep: nested(17, false) });

    expect(properties['deep']).toEqual({
      type: 'object',
      description: 'What is inside is left out here.',
    });
  });

  test('names the first values of a long list in the description, without an enum', () => {
    const values = Array.from({ length: 150 }, (_, at) => `value${at}`);
    const { properties, notes } = inTokens(400, { kind: { type: 'string', enum: values } });

    expect(properties['kind']?.description).toMatch(/^One of 150 values: value0, value1/);
    expect(notes).toContainEqual({
      what: 'the values are described in words',
      why: 'in full the tool takes more than 400 tokens',
      arguments: ['kind'],
    });
  });

  test.each([
    [
      300,
      (tokens: number) => `big is shortened from more than 300 tokens to about ${tokens} tokens`,
    ],
    [
      200,
      (tokens: number) =>
        `big takes about ${tokens} tokens, more than 200, although it is shortened`,
    ],
  ])('is named in a warning that says what was left out, with a budget of %d', (budget, state) => {
    const { warnings, tokens } = inTokens(budget, { ...texts, deep: nested(17, false) });

    expect(onlyOf(warnings)).toEqual({
      where: '/paths/~1pets/post',
      what: `${state(tokens)}: 30 texts, 30 examples, what is inside deep`,
      hint: expect.stringContaining('tool_token_budget'),
    });
  });

  test('has a note with the reason for each kind of thing that was left out', () => {
    const { notes } = inTokens(1050, texts);

    expect(notes).toContainEqual({
      what: '30 texts shortened',
      why: 'in full the tool takes more than 1050 tokens',
    });
    expect(notes).toContainEqual({
      what: '30 examples left out',
      why: 'in full the tool takes more than 1050 tokens',
    });
  });

  test('keeps every argument', () => {
    const { properties } = inTokens(50, texts, ['p3']);

    expect(Object.keys(properties)).toHaveLength(30);
  });
});

describe('a tool without a budget', () => {
  test('is complete, however large it is', () => {
    const { properties, tokens, warnings } = inTokens(
      undefined,
      many(400, { type: 'string', description: WORDS.repeat(4).trim() }),
    );

    expect(tokens).toBeGreaterThan(10_000);
    expect(properties['p399']?.description).toBe(WORDS.repeat(4).trim());
    expect(warnings).toEqual([]);
  });
});

test('notes on how to call a tool are preferred to the end of its description', () => {
  const names = Array.from({ length: 60 }, (_, at) => `a_rather_long_name_${at}`);
  const schema = {
    ...object(Object.fromEntries(names.map((name) => [name, { type: 'string' }]))),
    anyOf: names.map((name) => ({ required: [name] })),
  };
  const operation = anOperation({
    description: WORDS.repeat(99),
    requestBody: { required: true, content: { 'application/json': { schema } } },
  });
  const { tools } = compiled(aDescription({ paths: { '/pets': { post: operation } } }));
  const { description = '' } = readTool(onlyOf(tools));

  expect(description.length).toBeLessThanOrEqual(1024);
  expect(description).toContain('Give at least one of: a_rather_long_name_0;');
});
