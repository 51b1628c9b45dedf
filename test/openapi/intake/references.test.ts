import { describe, expect, test } from '@jest/globals';
import type { Json } from '../../../layers/platform/rules/json/json.ts';
import { resolvePointer } from '../../../layers/platform/rules/json/pointer.ts';
import { compileTools } from '../../../layers/openapi/compile-tools.ts';
import {
  aDescription,
  anOperation,
  read,
  refusedAs,
  warningsOf,
  withOperation,
  withSchemas,
} from '../../support/openapi/intake.ts';

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

const withParameter = (parameter: Json, members: Readonly<Record<string, Json>> = {}) => ({
  ...withOperation({ parameters: [parameter] }),
  ...members,
});

const answer = `${at}/responses/200/content/application~1json/schema`;

describe('a reference that lacks what makes it a pointer', () => {
  const schema = `${at}/parameters/0/schema`;

  test.each([
    'Pet',
    '/components/schemas/Pet',
    'components/schemas/Pet',
    '#components/schemas/Pet',
  ])('is read as the pointer that is meant, with a warning: %s', ($ref) => {
    const description = read({
      ...withOperation({ parameters: [{ name: 'pet', in: 'query', schema: { $ref } }] }),
      components: { schemas: { Pet: { type: 'string' } } },
    });

    expect(warningsOf(description)).toEqual([
      `${schema} | refers to ${JSON.stringify($ref)}; read as "#/components/schemas/Pet"`,
    ]);
    expect(resolvePointer(description.root, `${schema}/$ref`)).toBe('#/components/schemas/Pet');
  });
});

test('a parameter that is referred to by its name alone is that component', () => {
  const Limit = { name: 'limit', in: 'query', schema: { type: 'integer' } };
  const description = read({
    ...withOperation({ parameters: [{ $ref: 'Limit' }] }),
    components: { parameters: { Limit } },
  });

  expect(resolvePointer(description.root, `${at}/parameters/0/$ref`)).toBe(
    '#/components/parameters/Limit',
  );
});

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

describe('a schema that refers to what is not there', () => {
  test.each<[string, Json, string]>([
    [
      'no definition has that name',
      answering({ $ref: '#/components/schemas/Nope' }),
      `${answer} | refers to "#/components/schemas/Nope", which does not exist; any value is accepted`,
    ],
    [
      'no schema has that anchor',
      answering({ $ref: '#nope' }, { openapi: '3.1.0' }),
      `${answer} | refers to "#nope", which does not exist; any value is accepted`,
    ],
    [
      'the name is one of Object.prototype',
      answering({ $ref: '#/constructor/name' }),
      `${answer} | refers to "#/constructor/name", which does not exist; any value is accepted`,
    ],
    [
      'a text stands there',
      answering({ $ref: '#/info/title' }),
      `${answer} | refers to "#/info/title", which is no schema object; any value is accepted`,
    ],
    [
      'others stand in between',
      answering(
        { $ref: '#/components/schemas/A' },
        {
          components: {
            schemas: { A: { items: { $ref: '#/x-own/B' } } },
          },
          'x-own': { B: { not: { $ref: '#/x-own/C' } } },
        },
      ),
      '/x-own/B/not | refers to "#/x-own/C", which does not exist; any value is accepted',
    ],
    [
      'it is the last of a chain',
      answering(
        { $ref: '#/components/schemas/A' },
        { components: { schemas: { A: { $ref: '#/components/schemas/B' } } } },
      ),
      '/components/schemas/A | refers to "#/components/schemas/B", which does not exist; any value is accepted',
    ],
  ])('is taken for any value, with a warning, where %s', (_, description, warning) => {
    expect(warningsOf(read(description))).toEqual([warning]);
  });

  test.each([
    ['3.0.3', { description: 'The owner.' }],
    ['3.1.0', { description: 'The owner.', maxLength: 3 }],
  ])('keeps what counts beside the reference in OpenAPI %s', (openapi, kept) => {
    const schema = { $ref: '#/nope', description: 'The owner.', maxLength: 3 };
    const { root } = read(withParameter({ name: 'owner', in: 'query', schema }, { openapi }));

    expect(root).toMatchObject({ paths: { '/pets': { get: { parameters: [{ schema: kept }] } } } });
    expect(JSON.stringify(root)).not.toContain('$ref');
  });

  test('leaves an argument that takes any value', () => {
    const description = read({
      ...withParameter({ name: 'owner', in: 'query', schema: { $ref: '#/nope' } }),
      servers: [{ url: 'https://pets.example' }],
    });
    const [tool] = compileTools(description, description.operations).tools;

    expect(JSON.stringify(tool?.listed)).toContain('"owner":{}');
  });

  test('is warned of where no operation needs it, and stays as it is', () => {
    const schemas = { Unused: { items: { $ref: '#/nope' } } };
    const description = read(withSchemas(schemas));

    expect(warningsOf(description)).toEqual([
      '/components/schemas/Unused/items | refers to "#/nope", which does not exist; no operation needs it',
    ]);
    expect(description.root['components']).toEqual({ schemas });
  });
});

describe('an answer that refers to what is not there', () => {
  test.each<[string, Json, string]>([
    ['an answer', { 200: { $ref: '#/nope' } }, `${at}/responses/200`],
    [
      'a header of an answer',
      { 200: { description: 'fine', headers: { 'x-a': { $ref: '#/nope' } } } },
      `${at}/responses/200/headers/x-a`,
    ],
  ])('is warned of, and nothing is known of it then, where it is %s', (_, responses, where) => {
    const description = read(withOperation({ responses }));

    expect(description.operations).toHaveLength(1);
    expect(warningsOf(description)).toEqual([
      `${where} | refers to "#/nope", which does not exist; it is ignored`,
    ]);
    expect(JSON.stringify(description.root)).not.toContain('$ref');
  });

  test('is warned of in an example, which no operation needs', () => {
    const description = read(
      withParameter({ name: 'a', in: 'query', examples: { b: { $ref: '#/nope' } } }),
    );

    expect(warningsOf(description)).toEqual([
      `${at}/parameters/0/examples/b | refers to "#/nope", which does not exist; no operation needs it`,
    ]);
  });
});

/** What an operation sends, and what the description has to say of it elsewhere. */
type Unknown = readonly [string, Readonly<Record<string, Json>>, Json, string];

const UNKNOWN: readonly Unknown[] = [
  [
    'a parameter',
    { parameters: [{ $ref: '#/components/parameters/Nope' }] },
    {},
    `${at}/parameters/0 | refers to "#/components/parameters/Nope", which does not exist`,
  ],
  [
    'a parameter that is a text',
    { parameters: [{ $ref: '#/info/title' }] },
    {},
    `${at}/parameters/0 | refers to "#/info/title", which is no parameter object`,
  ],
  [
    'itself, for a parameter',
    { parameters: [{ $ref: '#/paths/~1pets/get/parameters/0' }] },
    {},
    `${at}/parameters/0 | refers to "#/paths/~1pets/get/parameters/0", which only leads on and on`,
  ],
  [
    'a parameter by way of another',
    { parameters: [{ $ref: '#/components/parameters/A' }] },
    { parameters: { A: { $ref: '#/components/parameters/B' } } },
    '/components/parameters/A | refers to "#/components/parameters/B", which does not exist',
  ],
  [
    'a body',
    { requestBody: { $ref: '#/components/requestBodies/Nope' } },
    {},
    `${at}/requestBody | refers to "#/components/requestBodies/Nope", which does not exist`,
  ],
  [
    'the content of a body',
    { requestBody: { content: { 'application/json': { $ref: '#/components/mediaTypes/Nope' } } } },
    {},
    `${at}/requestBody/content/application~1json | refers to "#/components/mediaTypes/Nope", which does not exist`,
  ],
  [
    'a header of a part of a body',
    {
      requestBody: {
        content: {
          'multipart/form-data': { encoding: { a: { headers: { 'x-a': { $ref: '#/nope' } } } } },
        },
      },
    },
    {},
    `${at}/requestBody/content/multipart~1form-data/encoding/a/headers/x-a | refers to "#/nope", which does not exist`,
  ],
];

describe('a request that refers to what is not there', () => {
  test.each(UNKNOWN)(
    'leaves its operation out, with a warning, where it needs %s',
    (_, members, components, unknown) => {
      const description = read(
        aDescription({
          openapi: '3.2.0',
          paths: { '/pets': { get: anOperation(members), delete: anOperation() } },
          components,
        }),
      );

      expect(description.operations).toMatchObject([{ method: 'DELETE', path: '/pets' }]);
      expect(warningsOf(description)).toEqual([`${unknown}; no tool is made of GET /pets`]);
    },
  );

  test.each(UNKNOWN)(
    'refuses the description where its only operation needs %s',
    (_, members, components, unknown) => {
      const description = { ...withOperation(members), openapi: '3.2.0', components };

      expect(refusedAs(() => read(description))).toEqual({
        code: 'unresolvable_reference',
        findings: [unknown],
      });
    },
  );

  test.each([
    ['a path', { $ref: '#/components/pathItems/Nope' }, '/paths/~1pets', '/pets'],
    ['an operation', { get: { $ref: '#/components/pathItems/Nope' } }, at, 'GET /pets'],
  ])('leaves out all of %s that is not there', (_, pathItem, where, name) => {
    const unknown = `${where} | refers to "#/components/pathItems/Nope", which does not exist`;
    const description = read(
      aDescription({ paths: { '/pets': pathItem, '/cats': { get: anOperation() } } }),
    );

    expect(description.operations).toMatchObject([{ method: 'GET', path: '/cats' }]);
    expect(warningsOf(description)).toEqual([`${unknown}; no tool is made of ${name}`]);
    expect(refusedAs(() => read(aDescription({ paths: { '/pets': pathItem } })))).toEqual({
      code: 'unresolvable_reference',
      findings: [unknown],
    });
  });

  test('leaves out every operation that needs a shared part', () => {
    const get = anOperation({ parameters: [{ $ref: '#/components/parameters/A' }] });
    const description = read(
      aDescription({
        paths: { '/pets': { get }, '/cats': { get }, '/dogs': { get: anOperation() } },
        components: { parameters: { A: { $ref: '#/nope' } } },
      }),
    );

    expect(description.operations).toMatchObject([{ path: '/dogs' }]);
    expect(warningsOf(description)).toEqual(
      ['/pets', '/cats'].map(
        (path) =>
          `/components/parameters/A | refers to "#/nope", which does not exist; no tool is made of GET ${path}`,
      ),
    );
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

  test('is refused beside other faults that leave no operation', () => {
    const description = aDescription({
      paths: {
        '/pets': { get: anOperation({ parameters: [{ name: 'id' }] }) },
        '/cats': { get: anOperation({ requestBody: { $ref: '#/nope' } }) },
      },
    });

    expect(refusedAs(() => read(description))).toEqual({
      code: 'description_invalid',
      findings: [
        `${at}/parameters/0 | parameter "id" has no \`in\``,
        '/paths/~1cats/get/requestBody | refers to "#/nope", which does not exist',
      ],
    });
  });

  test('does not cost more where ten thousand operations share it', () => {
    const parameters = Array.from({ length: 100 }, () => ({ $ref: '#/nope' }));
    const All = {
      additionalOperations: Object.fromEntries(
        Array.from({ length: 100 }, (_, n) => [`M${n}`, anOperation()]),
      ),
      parameters,
    };
    const paths = Object.fromEntries(
      Array.from({ length: 99 }, (_, n) => [`/p${n}`, { $ref: '#/components/pathItems/All' }]),
    );
    const description = read(
      aDescription({
        openapi: '3.2.0',
        paths: { ...paths, '/pets': { get: anOperation() } },
        components: { pathItems: { All } },
      }),
    );

    expect(description.operations).toHaveLength(1);
    expect(description.warnings.length).toBeLessThanOrEqual(2001);
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
      `${answer} | refers to "#/components/schemas/A", which only leads on and on; any value is accepted`,
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

  test('means the schema that it is in, if it is the root of a schema', () => {
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
        '/components/schemas/List/items | "#item" may mean any of 2 schemas; read as the one around it, or any value is accepted',
      ],
    });
  });

  test('to nothing is left, with a warning', () => {
    expect(listOf({ List })).toEqual({
      items: { $dynamicRef: '#item' },
      warnings: ['/components/schemas/List/items | "#item" means no schema; any value is accepted'],
    });
  });

  test('whose pointer leads to nowhere is taken for any value, as any other', () => {
    const schema = { $dynamicRef: '#/components/schemas/Nope' };

    expect(warningsOf(read(answering(schema, { openapi: '3.1.0' })))).toEqual([
      `${answer} | refers to "#/components/schemas/Nope", which does not exist; any value is accepted`,
    ]);
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
      '/components/schemas/S0 | refers to "#/components/schemas/S1", which only leads on and on; any value is accepted',
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
