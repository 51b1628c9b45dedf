import { describe, expect, test } from '@jest/globals';
import type { Json } from '../../../layers/platform/rules/json/json.ts';
import {
  aDescription,
  anOperation,
  read,
  readText,
  refusedAs,
  withOperation,
  withSchemas,
} from '../../support/openapi/intake.ts';

/** A schema of so many levels, the root included. */
const nested = (levels: number, wrap: (inner: Json) => Json): Json =>
  levels === 1 ? { type: 'string' } : wrap(nested(levels - 1, wrap));

describe('the depth of a schema', () => {
  test.each<[string, (inner: Json) => Json, string]>([
    ['properties', (inner) => ({ properties: { a: inner } }), '/properties/a'],
    ['items', (inner) => ({ items: inner }), '/items'],
    ['items as a list', (inner) => ({ items: [inner] }), '/items/0'],
    ['allOf', (inner) => ({ allOf: [inner] }), '/allOf/0'],
    ['anyOf', (inner) => ({ anyOf: [inner] }), '/anyOf/0'],
    ['oneOf', (inner) => ({ oneOf: [inner] }), '/oneOf/0'],
    ['not', (inner) => ({ not: inner }), '/not'],
    ['additionalProperties', (inner) => ({ additionalProperties: inner }), '/additionalProperties'],
    ['patternProperties', (inner) => ({ patternProperties: { a: inner } }), '/patternProperties/a'],
    ['prefixItems', (inner) => ({ prefixItems: [inner] }), '/prefixItems/0'],
    ['$defs', (inner) => ({ $defs: { a: inner } }), '/$defs/a'],
    ['if', (inner) => ({ if: inner }), '/if'],
  ])('may be 20 levels of %s, not 21', (_, wrap, step) => {
    expect(read(withSchemas({ Pet: nested(20, wrap) })).operations).toHaveLength(1);
    expect(refusedAs(() => read(withSchemas({ Pet: nested(21, wrap) })))).toEqual({
      code: 'description_too_deep',
      findings: [
        `/components/schemas/Pet${step.repeat(20)} | schema at level 21; at most 20 levels are accepted`,
      ],
    });
  });

  const deep = nested(21, (inner) => ({ items: inner }));
  const inside = '/items'.repeat(20);
  const content = { 'application/json': { schema: deep } };
  test.each<[string, Json, string]>([
    [
      'a parameter',
      withOperation({ parameters: [{ name: 'a', in: 'query', schema: deep }] }),
      '/paths/~1pets/get/parameters/0/schema',
    ],
    [
      'a request body',
      withOperation({ requestBody: { content } }),
      '/paths/~1pets/get/requestBody/content/application~1json/schema',
    ],
    [
      'a response',
      withOperation({ responses: { 200: { content } } }),
      '/paths/~1pets/get/responses/200/content/application~1json/schema',
    ],
    [
      'a header',
      withOperation({ responses: { 200: { headers: { 'x-a': { schema: deep } } } } }),
      '/paths/~1pets/get/responses/200/headers/x-a/schema',
    ],
    [
      'a place that only a reference knows',
      withOperation({
        parameters: [{ name: 'a', in: 'query', schema: { $ref: '#/info/x-deep' } }],
      }),
      '/info/x-deep',
    ],
  ])('is watched in %s', (_, description, where) => {
    const info = { title: 'Pets', version: '1', 'x-deep': deep };

    expect(refusedAs(() => read({ ...(description as object), info } as Json)).findings).toEqual([
      `${where}${inside} | schema at level 21; at most 20 levels are accepted`,
    ]);
  });

  test('ends at a reference or a boolean schema', () => {
    const closed = nested(19, (inner) => ({ items: inner }));
    const Closed = JSON.parse(
      JSON.stringify(closed).replace(
        '"type":"string"',
        '"properties":{"a":{"additionalProperties":false}}',
      ),
    ) as Json;
    const Open = JSON.parse(
      JSON.stringify(closed).replace(
        '"type":"string"',
        '"items":{"items":{"$ref":"#/components/schemas/Closed"}}',
      ),
    ) as Json;

    expect(read(withSchemas({ Closed, Open })).operations).toHaveLength(1);
  });

  test('does not count what is no schema', () => {
    const example = nested(40, (inner) => ({ items: inner }));

    expect(read(withSchemas({ Pet: { example, default: example } })).operations).toHaveLength(1);
  });
});

describe('the number of schema keys', () => {
  test.each<[string, Json, number]>([
    ['keywords', withSchemas({ A: { type: 'string', format: 'date' } }), 2],
    [
      'names of properties',
      withSchemas({ A: { properties: { a: {}, b: { type: 'string' } } } }),
      4,
    ],
    ['every schema', withSchemas({ A: { type: 'string' }, B: { type: 'string' } }), 2],
    ['schemas in schemas, once', withSchemas({ A: { items: { items: { type: 'string' } } } }), 3],
    ['data in schemas', withSchemas({ A: { example: { b: [{ c: 1 }] }, 'x-d': { e: 1 } } }), 5],
    [
      'references',
      withSchemas({ A: { $ref: '#/components/schemas/B' }, B: { type: 'string' } }),
      2,
    ],
    ['truth values, not at all', withSchemas({ A: true }, { openapi: '3.1.0' }), 0],
    [
      'schemas of parameters, bodies, answers and headers',
      withOperation({
        parameters: [{ name: 'a', in: 'query', schema: { type: 'string' } }],
        requestBody: { content: { 'text/plain': { schema: { type: 'string' } } } },
        responses: {
          200: {
            headers: { a: { schema: { type: 'string' } } },
            content: { 'text/plain': { schema: { type: 'string' } } },
          },
        },
      }),
      4,
    ],
    [
      'schemas of webhooks',
      aDescription({
        openapi: '3.1.0',
        webhooks: { a: { post: anOperation({ parameters: [{ schema: { type: 'string' } }] }) } },
      }),
      1,
    ],
    [
      'schemas and items of OpenAPI 2.0',
      {
        swagger: '2.0',
        info: { title: 'Pets', version: '1' },
        paths: {
          '/pets': {
            get: {
              parameters: [
                { name: 'a', in: 'query', type: 'array', items: { type: 'string' } },
                { name: 'b', in: 'body', schema: { type: 'object' } },
              ],
              responses: { 200: { schema: { type: 'object' } } },
            },
          },
        },
        definitions: { A: { type: 'object' } },
      },
      4,
    ],
    ['nothing else', aDescription({ info: { title: 'Pets', version: '1', 'x-a': { b: 1 } } }), 0],
  ])('counts %s', (_, description, keys) => {
    expect(read(description).schemaKeys).toBe(keys);
  });

  test('counts aliases as often as they stand', () => {
    const text = [
      'openapi: 3.0.3',
      'paths: { /pets: { get: { responses: {} } } }',
      'components: { schemas: { A: &a { type: string }, B: *a, C: { items: *a } } }',
    ].join('\n');

    expect(readText(text).schemaKeys).toBe(4);
  });
});
