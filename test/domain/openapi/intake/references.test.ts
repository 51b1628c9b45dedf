import { describe, expect, test } from '@jest/globals';
import type { Json } from '../../../../layers/core/domain/openapi/document.ts';
import {
  aDescription,
  anOperation,
  read,
  refusedAs,
  warningsOf,
  withOperation,
  withSchemas,
} from '../../../support/intake.ts';

const at = '/paths/~1pets/get';

const answering = (schema: Json, members: Readonly<Record<string, Json>> = {}) =>
  aDescription({
    paths: {
      '/pets': {
        get: anOperation({
          responses: { 200: { description: 'fine', content: { 'application/json': { schema } } } },
        }),
      },
    },
    ...members,
  });

const answer = `${at}/responses/200/content/application~1json/schema`;

describe('an external reference', () => {
  test.each<[string, Json, string]>([
    [
      'a schema, by URL',
      answering({ $ref: 'https://example.com/pet.json#/Pet' }),
      `${answer} | refers to "https://example.com/pet.json#/Pet"`,
    ],
    [
      'a nested schema, by file',
      withSchemas({ Pet: { properties: { a: { items: { $ref: './a.yaml' } } } } }),
      '/components/schemas/Pet/properties/a/items | refers to "./a.yaml"',
    ],
    [
      'a file with traversal',
      withSchemas({ Pet: { allOf: [{ $ref: '../../etc/passwd' }] } }),
      '/components/schemas/Pet/allOf/0 | refers to "../../etc/passwd"',
    ],
    [
      'a bare name',
      withSchemas({ Pet: { $ref: 'Dog' } }),
      '/components/schemas/Pet | refers to "Dog"',
    ],
    [
      'a parameter',
      withOperation({ parameters: [{ $ref: 'p.yaml' }] }),
      `${at}/parameters/0 | refers to "p.yaml"`,
    ],
    [
      'a request body',
      withOperation({ requestBody: { $ref: 'b.yaml' } }),
      `${at}/requestBody | refers to "b.yaml"`,
    ],
    [
      'a response',
      withOperation({ responses: { 200: { $ref: 'r.yaml' } } }),
      `${at}/responses/200 | refers to "r.yaml"`,
    ],
    [
      'a path item',
      aDescription({ paths: { '/pets': { $ref: 'p.yaml' } } }),
      '/paths/~1pets | refers to "p.yaml"',
    ],
    [
      'all paths',
      aDescription({ paths: { $ref: 'paths.yaml' } }),
      '/paths/$ref | refers to "paths.yaml"',
    ],
    [
      'an operation',
      aDescription({ paths: { '/pets': { get: { $ref: 'get.yaml' } } } }),
      `${at} | refers to "get.yaml"`,
    ],
    [
      'all components of a kind',
      withSchemas({ $ref: 'schemas.yaml' }),
      '/components/schemas/$ref | refers to "schemas.yaml"',
    ],
    [
      'an example',
      aDescription({ components: { examples: { a: { $ref: 'a.json' } } } }),
      '/components/examples/a | refers to "a.json"',
    ],
    [
      'a schema in a callback',
      withOperation({
        callbacks: { done: { '{$url}': { post: { requestBody: { $ref: 'b.yaml' } } } } },
      }),
      `${at}/callbacks/done/{$url}/post/requestBody | refers to "b.yaml"`,
    ],
    [
      'what stands beside a reference in OpenAPI 3.1',
      answering({ $ref: '#', properties: { a: { $ref: 'a.json' } } }, { openapi: '3.1.0' }),
      `${answer}/properties/a | refers to "a.json"`,
    ],
    [
      'a place that only a reference knows',
      answering({ $ref: '#/x-own/Pet' }, { 'x-own': { Pet: { items: { $ref: 'pet.json' } } } }),
      '/x-own/Pet/items | refers to "pet.json"',
    ],
  ])('is refused by name: %s', (_, description, finding) => {
    expect(refusedAs(() => read(description))).toEqual({
      code: 'external_reference',
      findings: [finding],
    });
  });

  test.each<[string, Json]>([
    ['an example', answering({ example: { $ref: 'a.json' } })],
    [
      'the value of an example',
      withOperation({
        requestBody: {
          content: { 'application/json': { examples: { a: { value: { $ref: 'a.json' } } } } },
        },
      }),
    ],
    ['a default', answering({ default: { $ref: 'a.json' } })],
    ['an enum', answering({ enum: [{ $ref: 'a.json' }] })],
    ['a const', answering({ const: { $ref: 'a.json' } }, { openapi: '3.1.0' })],
    ['an extension', answering({ 'x-a': { $ref: 'a.json' } }, { 'x-b': { $ref: 'b.json' } })],
    [
      'an extension of the paths',
      aDescription({
        paths: { '/pets': { get: anOperation() }, 'x-a': { $ref: 'a.json' } },
      }),
    ],
    ['a property of that name', answering({ properties: { $ref: { type: 'string' } } })],
    [
      'the mapping of a discriminator',
      answering({
        discriminator: { propertyName: 'a', mapping: { $ref: 'a.json' } },
      }),
    ],
    [
      'the neighbour of a reference before OpenAPI 3.1',
      answering(
        { $ref: '#/components/schemas/A', properties: { a: { $ref: 'a.json' } } },
        { components: { schemas: { A: {} } } },
      ),
    ],
    [
      'an example of OpenAPI 2.0',
      {
        swagger: '2.0',
        info: { title: 'Pets', version: '1' },
        paths: {
          '/pets': {
            get: { responses: { 200: { examples: { 'application/json': { $ref: 'a' } } } } },
          },
        },
      },
    ],
  ])('is only data in %s', (_, description) => {
    expect(warningsOf(read(description))).toEqual([]);
  });
});

describe('a reference to what is not there', () => {
  test.each<[string, Json, string]>([
    [
      'a schema',
      answering({ $ref: '#/components/schemas/Nope' }),
      `${answer} | refers to "#/components/schemas/Nope", where nothing is`,
    ],
    [
      'an anchor',
      answering({ $ref: '#nope' }, { openapi: '3.1.0' }),
      `${answer} | refers to "#nope", where nothing is`,
    ],
    [
      'a member of Object.prototype',
      answering({ $ref: '#/constructor/name' }),
      `${answer} | refers to "#/constructor/name", where nothing is`,
    ],
    [
      'a path item',
      aDescription({ paths: { '/pets': { $ref: '#/components/pathItems/Nope' } } }),
      '/paths/~1pets | refers to "#/components/pathItems/Nope", where nothing is',
    ],
    [
      'a schema by way of others',
      answering(
        { $ref: '#/components/schemas/A' },
        {
          components: {
            schemas: { A: { items: { $ref: '#/x-own/B' } } },
          },
          'x-own': { B: { not: { $ref: '#/x-own/C' } } },
        },
      ),
      '/x-own/B/not | refers to "#/x-own/C", where nothing is',
    ],
    [
      'a parameter that is a text',
      withOperation({ parameters: [{ $ref: '#/info/title' }] }),
      `${at}/parameters/0 | refers to "#/info/title", which is no parameter object`,
    ],
    [
      'itself, for a parameter',
      withOperation({ parameters: [{ $ref: '#/paths/~1pets/get/parameters/0' }] }),
      `${at}/parameters/0 | refers to "#/paths/~1pets/get/parameters/0", which only leads on and on`,
    ],
  ])('is refused where an operation needs %s', (_, description, finding) => {
    expect(refusedAs(() => read(description))).toEqual({
      code: 'unresolvable_reference',
      findings: [finding],
    });
  });

  test('is refused together with all others that operations need', () => {
    const description = aDescription({
      paths: {
        '/pets': {
          parameters: [{ $ref: '#/components/parameters/A' }],
          get: anOperation({ requestBody: { $ref: '#/components/requestBodies/B' } }),
        },
      },
    });

    expect(refusedAs(() => read(description)).findings).toHaveLength(2);
  });

  test.each<[string, Json, string]>([
    [
      'an unused schema',
      withSchemas({ Unused: { items: { $ref: '#/nope' } } }),
      '/components/schemas/Unused/items | refers to "#/nope", where nothing is; no operation needs it',
    ],
    [
      'an example',
      withOperation({
        parameters: [{ name: 'a', in: 'query', examples: { b: { $ref: '#/nope' } } }],
      }),
      `${at}/parameters/0/examples/b | refers to "#/nope", where nothing is; no operation needs it`,
    ],
  ])('is warned of in %s', (_, description, warning) => {
    expect(warningsOf(read(description))).toEqual([warning]);
  });
});

describe('a circular reference', () => {
  test('is no error', () => {
    const Node = { properties: { next: { $ref: '#/components/schemas/Node' } } };
    const description = read(
      answering({ $ref: '#/components/schemas/Node' }, { components: { schemas: { Node } } }),
    );

    expect(description.warnings).toEqual([]);
  });

  test('of schemas that are nothing else is taken for any value', () => {
    const schemas = {
      A: { $ref: '#/components/schemas/B' },
      B: { $ref: '#/components/schemas/A' },
    };
    const description = read(
      answering({ $ref: '#/components/schemas/A' }, { components: { schemas } }),
    );

    expect(warningsOf(description)).toHaveLength(3);
    expect(warningsOf(description)[0]).toBe(
      `${answer} | refers to "#/components/schemas/A", which only leads on and on; taken for any value`,
    );
  });
});

describe('a reference by name', () => {
  const Pet = {
    $id: 'https://example.com/pet',
    $anchor: 'pet',
    $defs: { Name: { type: 'string' } },
  };
  const refOf = (schema: Json) => {
    const description = read(
      answering(schema, {
        openapi: '3.1.0',
        components: { schemas: { Pet, List: { items: { $ref: '#' } } } },
      }),
    );
    return JSON.stringify(description.root).match(/"schema":(\{.*?\})\}/)?.[1];
  };

  test.each([
    ['#pet', '#/components/schemas/Pet'],
    ['https://example.com/pet', '#/components/schemas/Pet'],
    ['https://example.com/pet#', '#/components/schemas/Pet'],
    ['https://example.com/pet#/$defs/Name', '#/components/schemas/Pet/$defs/Name'],
    ['https://example.com/pet#pet', '#/components/schemas/Pet'],
    ['#/components/schemas/Pet', '#/components/schemas/Pet'],
  ])('becomes a pointer: %s', (ref, pointer) => {
    expect(refOf({ $ref: ref })).toBe(JSON.stringify({ $ref: pointer }));
  });

  test('means the schema that it stands in, if it is the root of a schema', () => {
    const { root } = read(
      withSchemas({
        Plain: { items: { $ref: '#' } },
        Named: { properties: { a: { $id: 'a', items: { $ref: '#' } } } },
        Local: { $defs: { B: {} }, items: { $ref: '#/$defs/B' } },
      }),
    );

    expect(root['components']).toEqual({
      schemas: {
        Plain: { items: { $ref: '#/components/schemas/Plain' } },
        Named: {
          properties: {
            a: { $id: 'a', items: { $ref: '#/components/schemas/Named/properties/a' } },
          },
        },
        Local: { $defs: { B: {} }, items: { $ref: '#/components/schemas/Local/$defs/B' } },
      },
    });
  });

  test('may be that of the document itself from OpenAPI 3.2 on', () => {
    const { root } = read(
      withSchemas(
        { A: { $ref: 'https://example.com/api#/components/schemas/B' }, B: {} },
        { openapi: '3.2.0', $self: 'https://example.com/api' },
      ),
    );

    expect(root['components']).toEqual({
      schemas: { A: { $ref: '#/components/schemas/B' }, B: {} },
    });
  });
});

describe('a reference relative to the name of its schema', () => {
  const Pet = { $id: 'https://example.com/schemas/pet', $defs: { Name: { type: 'string' } } };
  const settled = (members: Readonly<Record<string, Json>>, item: Json): Json => {
    const { root } = read(withSchemas({ Pet, ...members, Item: item }, { openapi: '3.1.0' }));
    return JSON.parse(JSON.stringify(root['components'])).schemas.Item.items.$ref;
  };

  test.each([
    ['https://example.com/schemas/list', 'pet', '#/components/schemas/Pet'],
    ['https://example.com/schemas/list', './pet', '#/components/schemas/Pet'],
    ['https://example.com/other/deep/list', '/schemas/pet', '#/components/schemas/Pet'],
    [
      'https://example.com/other/list',
      '../schemas/pet#/$defs/Name',
      '#/components/schemas/Pet/$defs/Name',
    ],
    ['list', 'https://example.com/schemas/pet', '#/components/schemas/Pet'],
  ])('in %s is followed: %s', ($id, $ref, pointer) => {
    expect(settled({}, { $id, items: { $ref } })).toBe(pointer);
  });

  test('is followed where neither has an address', () => {
    const Other = { $id: 'schemas/other.json' };

    expect(settled({ Other }, { $id: 'schemas/item.json', items: { $ref: 'other.json' } })).toBe(
      '#/components/schemas/Other',
    );
  });

  test('is followed from the address of the document, in OpenAPI 3.2', () => {
    const { root } = read(
      withSchemas(
        { A: { $ref: 'api.json#/components/schemas/B' }, B: {} },
        { openapi: '3.2.0', $self: 'https://example.com/v1/api.json' },
      ),
    );

    expect(root['components']).toMatchObject({
      schemas: { A: { $ref: '#/components/schemas/B' } },
    });
  });

  test('is external where nothing has that name', () => {
    const Item = { $id: 'https://example.com/schemas/item', items: { $ref: 'cat' } };

    expect(refusedAs(() => read(withSchemas({ Pet, Item }, { openapi: '3.1.0' })))).toEqual({
      code: 'external_reference',
      findings: ['/components/schemas/Item/items | refers to "cat"'],
    });
  });
});

describe('a dynamic reference', () => {
  const List = { items: { $dynamicRef: '#item' } };
  const listOf = (schemas: Json) => {
    const description = read(withSchemas(schemas, { openapi: '3.1.0' }));
    const { List: list } = JSON.parse(JSON.stringify(description.root['components'])).schemas;
    return { items: list.items, warnings: warningsOf(description) };
  };

  test.each([
    ['a dynamic anchor', { $dynamicAnchor: 'item' }],
    ['a plain anchor', { $anchor: 'item' }],
  ])('to %s that stands once becomes a pointer', (_, Item) => {
    expect(listOf({ List, Item })).toEqual({
      items: { $ref: '#/components/schemas/Item' },
      warnings: [],
    });
  });

  test('that may mean several schemas is left, with a warning', () => {
    const Item = { $dynamicAnchor: 'item' };

    expect(listOf({ List, A: Item, B: Item })).toEqual({
      items: { $dynamicRef: '#item' },
      warnings: [
        '/components/schemas/List/items | "#item" may mean any of 2 schemas; taken for the one around it, or for any value',
      ],
    });
  });

  test('to nothing is left, with a warning', () => {
    expect(listOf({ List })).toEqual({
      items: { $dynamicRef: '#item' },
      warnings: ['/components/schemas/List/items | "#item" means no schema; taken for any value'],
    });
  });

  test('to what a pointer leads to nowhere is refused as any other', () => {
    const schema = { $dynamicRef: '#/components/schemas/Nope' };

    expect(refusedAs(() => read(answering(schema, { openapi: '3.1.0' }))).code).toBe(
      'unresolvable_reference',
    );
  });
});

describe('references to references', () => {
  const chain = (length: number, last: Json): Readonly<Record<string, Json>> =>
    Object.fromEntries(
      Array.from({ length }, (_, n) => [
        `S${n}`,
        n === length - 1 ? last : { $ref: `#/components/schemas/S${n + 1}` },
      ]),
    );

  test('are followed 16 times, and beyond taken for any value', () => {
    const schemas = chain(18, { type: 'string' });
    const description = read(withSchemas(schemas));

    expect(warningsOf(description)).toEqual([
      '/components/schemas/S0 | refers to "#/components/schemas/S1", which only leads on and on; taken for any value',
    ]);
  });

  test('may be of any kind, whatever their order', () => {
    const description = read(
      answering(
        { $ref: '#/components/schemas/A' },
        {
          openapi: '3.1.0',
          components: {
            schemas: { A: { $ref: '#b' }, B: { $anchor: 'b', $ref: '#c' }, C: { $anchor: 'c' } },
          },
        },
      ),
    );

    expect(description.warnings).toEqual([]);
  });

  test('are followed once each, however many there are', () => {
    const description = read(withSchemas(chain(60_000, {})));

    expect(description.warnings.at(-1)?.what).toMatch(/^there are \d+ more warnings$/);
  });
});
