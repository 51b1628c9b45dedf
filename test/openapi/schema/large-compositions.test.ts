import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../layers/platform/rules/json/json.ts';
import { argumentOf, toolOf } from '../../support/openapi/compile.ts';

const many = <Item>(count: number, item: (at: number) => Item): readonly Item[] =>
  Array.from({ length: count }, (_, at) => item(at));

const namesIn = (schema: JsonObject): readonly string[] =>
  Object.keys((argumentOf(schema)['properties'] ?? {}) as object);

describe('a schema composed of very many others', () => {
  test('has the properties of all of them, in their order', () => {
    const allOf = many(600, (at) => ({ properties: { [`p${at}`]: { const: at } } }));

    expect(namesIn({ allOf })).toEqual(allOf.map((_, at) => `p${at}`));
  });

  test('has the description of the first one that has any', () => {
    const allOf = many(100, (at) => ({
      type: 'integer',
      maximum: 200 - at,
      title: `t${at}`,
      description: `Says ${at}.`,
    }));

    expect(argumentOf({ allOf })).toMatchObject({ maximum: 101, description: 'Says 0.' });
  });

  test('is compiled even where all of them refer to each other', () => {
    const names = many(120, (at) => `S${at}`);
    const anyOf = names.map((name) => ({ $ref: `#/components/schemas/${name}` }));
    const schemas = Object.fromEntries(names.map((name) => [name, { anyOf }]));

    expect(argumentOf({ $ref: '#/components/schemas/S0' }, schemas)).not.toHaveProperty('type');
  });
});

describe('a schema that hundreds of parameters refer to', () => {
  test('gives its values to each of them, and keeps only examples that fit its types', () => {
    const values = many(2000, (at) => `value ${at}`);
    const { inputSchema } = toolOf(
      {
        parameters: many(200, (at) => ({
          name: `q${at}`,
          in: 'query',
          example: at === 7 ? 'value 7' : 7,
          schema: { $ref: '#/components/schemas/Value' },
        })),
      },
      { openapi: '3.1.0', components: { schemas: { Value: { enum: values } } } },
    );
    const { q7, q8 } = inputSchema['properties'] as Record<string, object>;

    expect(Object.keys(inputSchema['properties'] as object)).toHaveLength(200);
    expect(JSON.stringify(q7)).toContain('value 7');
    expect(JSON.stringify(q8)).not.toContain('"examples":[7]');
  });
});
