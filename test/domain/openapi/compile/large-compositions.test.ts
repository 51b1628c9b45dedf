import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../layers/core/domain/openapi/document.ts';
import { argumentOf } from '../../../support/compile.ts';

const many = <Item>(count: number, item: (at: number) => Item): readonly Item[] =>
  Array.from({ length: count }, (_, at) => item(at));

const namesIn = (schema: JsonObject): readonly string[] =>
  Object.keys((argumentOf(schema)['properties'] ?? {}) as object);

describe('a schema composed of very many others', () => {
  test('has the properties of all of them, in their order', () => {
    const allOf = many(600, (at) => ({ properties: { [`p${at}`]: { const: at } } }));

    expect(namesIn({ allOf })).toEqual(allOf.map((_, at) => `p${at}`));
  });

  test('is told in the words of the first that has any', () => {
    const allOf = many(100, (at) => ({
      type: 'integer',
      maximum: 200 - at,
      title: `t${at}`,
      description: `Says ${at}.`,
    }));

    expect(argumentOf({ allOf })).toMatchObject({ maximum: 101, description: 'Says 0.' });
  });

  test('is compiled also where all of them refer to each other', () => {
    const names = many(120, (at) => `S${at}`);
    const anyOf = names.map((name) => ({ $ref: `#/components/schemas/${name}` }));
    const schemas = Object.fromEntries(names.map((name) => [name, { anyOf }]));

    expect(argumentOf({ $ref: '#/components/schemas/S0' }, schemas)).not.toHaveProperty('type');
  });
});
