import { describe, expect, test } from '@jest/globals';
import { compileTools } from '../../../layers/openapi/compile-tools.ts';
import type { Json } from '../../../layers/platform/rules/json/json.ts';
import { aDescription, anOperation, read } from '../../support/openapi/intake.ts';

const ref = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
const list = (items: Json): Json => ({ type: 'array', items });
const many = (count: number, name: string, schema: Json): Json =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${name}${index}`, schema]));

const SCHEMAS: Json = {
  Small: { type: 'object', properties: { 'x y': { type: 'string', format: 'money' } } },
  Wordy: {
    type: 'object',
    description: 'long '.repeat(200),
    properties: {
      small: ref('Small'),
      either: { oneOf: [ref('Small'), { type: 'string', example: 'x' }] },
    },
  },
  Choice: { type: 'string', enum: Array.from({ length: 500 }, (_, index) => `kind ${index}`) },
  Tree: {
    type: 'object',
    properties: { children: list(ref('Tree')), leaf: ref('Wordy'), choice: ref('Choice') },
  },
  Deep: {
    type: 'object',
    properties: { wordy: ref('Wordy'), down: list(list(list(list(list(ref('Small')))))) },
  },
  Large: { type: 'object', properties: many(80, 'part', ref('Deep')) },
};

/** A schema so many lists further in. */
const within = (levels: number, schema: Json): Json =>
  levels === 0 ? schema : list(within(levels - 1, schema));

const BODIES: Readonly<Record<string, Json>> = {
  small: ref('Small'),
  wordy: ref('Wordy'),
  wordyAgain: { type: 'object', properties: { body: ref('Wordy'), small: ref('Small') } },
  tree: ref('Tree'),
  trees: { type: 'object', properties: { tree: ref('Tree'), wordy: ref('Wordy') } },
  deep: ref('Deep'),
  listed: { type: 'object', properties: { deep: list(ref('Deep')) } },
  deeper: { type: 'object', properties: { deep: within(18, ref('Deep')), wordy: ref('Wordy') } },
  tooDeep: { type: 'object', properties: { deep: within(19, ref('Deep')) } },
  large: ref('Large'),
  largeAgain: {
    type: 'object',
    properties: { one: ref('Large'), other: ref('Deep'), wordy: ref('Wordy') },
  },
};

describe('tools that share schemas', () => {
  const description = read(
    aDescription({
      servers: [{ url: 'https://api.example.com' }],
      paths: Object.fromEntries(
        Object.entries(BODIES).map(([operationId, schema]) => [
          `/${operationId}`,
          {
            post: anOperation({
              operationId,
              requestBody: { required: true, content: { 'application/json': { schema } } },
            }),
          },
        ]),
      ),
      components: { schemas: SCHEMAS },
    }),
  );
  const orders = [description.operations, description.operations.toReversed()];

  test.each(Object.keys(BODIES))(
    'are emitted as if each were the only one: the tool %s',
    (name) => {
      const found = description.operations.filter(({ operationId }) => operationId === name);
      const alone = compileTools(description, found);

      for (const operations of orders) {
        const together = compileTools(description, operations);
        expect(together.tools).toContainEqual(alone.tools[0]);
        expect(together.notes.get(name)).toEqual(alone.notes.get(name));
      }
    },
  );

  test('refer to a component that one of them uses twice, though others have it written out', () => {
    const { tools } = compileTools(description, description.operations);
    const large = tools.find((tool) => tool.name === 'largeAgain');
    const { $defs } = large?.listed.inputSchema ?? {};

    expect($defs).toMatchObject({ Deep: { properties: { wordy: { $ref: '#/$defs/Wordy' } } } });
  });

  test('include some that are cut, some with notes and some with $defs, so that all of these are compared', () => {
    const { tools, notes, warnings } = compileTools(description, description.operations);
    const listed = JSON.stringify(tools);

    expect(listed).toContain('"$ref":"#/$defs/');
    expect(listed).toContain('What is inside is left out here.');
    expect([...notes.values()].flat().length).toBeGreaterThan(20);
    expect(warnings).not.toHaveLength(0);
  });
});
