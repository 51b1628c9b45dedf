import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { compileTools } from '../../../layers/openapi/compile-tools.ts';
import {
  aDescriptionFolder,
  type DescriptionFolder,
} from '../../support/openapi/description-files.ts';
import { readText } from '../../support/openapi/intake.ts';

let folder: DescriptionFolder;
beforeEach(async () => {
  folder = await aDescriptionFolder();
});
afterEach(() => folder.remove());

const answering = (schema: unknown) => ({
  responses: { 200: { description: 'fine', content: { 'application/json': { schema } } } },
});

const description = (members: object) => ({
  openapi: '3.0.3',
  info: { title: 'Pets', version: '1' },
  servers: [{ url: 'https://pets.example' }],
  ...members,
});

/** The one document that is made of files, the first of which is the description. */
const bundled = async (files: Readonly<Record<string, unknown>>) => {
  await folder.write(files);
  const { text, bundled: names } = await folder.prepare(Object.keys(files)[0] ?? '');
  return { document: JSON.parse(text), names, text };
};

describe('a description of several files', () => {
  const FILES = {
    'openapi.yaml': `openapi: 3.0.3
info: { title: Pets, version: '1' }
servers: [{ url: 'https://pets.example' }]
paths:
  /zebras:
    get:
      operationId: listZebras
      parameters: [{ $ref: 'common/parameters.yaml#/Limit' }]
      responses: { 200: { description: fine }, default: { $ref: common/responses.yaml#/default } }
  /pets: { $ref: paths/pets.yaml }
  /ants:
    get: { operationId: listAnts, responses: { 200: { description: fine } } }
components:
  schemas:
    Own: { type: object, properties: { pet: { $ref: ./schemas/Pet.yaml } } }
`,
    'paths/pets.yaml': `get:
  operationId: listPets
  responses: { 200: { description: fine } }
post:
  operationId: addPet
  requestBody: { content: { application/json: { schema: { $ref: ../schemas/Pet.yaml } } } }
  responses: { 200: { description: fine } }
`,
    'schemas/Pet.yaml': `type: object
properties:
  name: { type: string }
  own: { $ref: ../openapi.yaml#/components/schemas/Own }
  tags: { type: array, items: { $ref: 'Tag.json#/definitions/Tag' } }
`,
    'schemas/Tag.json': { definitions: { Tag: { type: 'string' } }, unused: { $ref: 'gone.json' } },
    'common/parameters.yaml':
      'Limit: { name: limit, in: query, schema: { $ref: "#/Number" } }\nNumber: { type: integer }\n',
    'common/responses.yaml': 'default: { description: an error }\n',
  };

  test('becomes one document in which nothing refers to a file', async () => {
    const { document } = await bundled(FILES);

    expect(document.components).toEqual({
      schemas: {
        Own: { type: 'object', properties: { pet: { $ref: '#/components/schemas/Pet' } } },
        Number: { type: 'integer' },
        Pet: {
          type: 'object',
          properties: {
            name: { type: 'string' },
            own: { $ref: '#/components/schemas/Own' },
            tags: { type: 'array', items: { $ref: '#/components/schemas/Tag' } },
          },
        },
        Tag: { type: 'string' },
      },
      parameters: {
        Limit: { name: 'limit', in: 'query', schema: { $ref: '#/components/schemas/Number' } },
      },
      responses: { default: { description: 'an error' } },
    });
  });

  test('keeps the order and the names of its operations', async () => {
    const { text } = await bundled(FILES);
    const read = readText(text);

    expect(read.warnings).toEqual([]);
    expect(compileTools(read, read.operations).tools.map(({ name }) => name)).toEqual([
      'listZebras',
      'listPets',
      'addPet',
      'listAnts',
    ]);
  });

  test('names the files that it is made of', async () => {
    expect((await bundled(FILES)).names.toSorted()).toEqual([
      'common/parameters.yaml',
      'common/responses.yaml',
      'paths/pets.yaml',
      'schemas/Pet.yaml',
      'schemas/Tag.json',
    ]);
  });

  test('is sent as it is where it refers to nothing outside of itself', async () => {
    const text = `# kept\n${FILES['openapi.yaml'].replace(/ \/pets:[^]*/, '')}`;
    const alone = text.replaceAll(/\{ \$ref: [^}]* \}/g, '{}');
    await folder.write({ 'openapi.yaml': alone });

    expect(await folder.prepare('openapi.yaml')).toMatchObject({ text: alone, bundled: [] });
  });

  test('keeps circles as references', async () => {
    const { document, text } = await bundled({
      'api.json': description({ paths: { '/a': { get: answering({ $ref: 'Node.json' }) } } }),
      'Node.json': {
        properties: { next: { $ref: 'Node.json' }, other: { $ref: 'Other.json#/a' } },
      },
      'Other.json': { a: { items: { $ref: './Node.json#' } } },
    });

    expect(document.components.schemas).toEqual({
      Node: {
        properties: {
          next: { $ref: '#/components/schemas/Node' },
          other: { $ref: '#/components/schemas/a' },
        },
      },
      a: { items: { $ref: '#/components/schemas/Node' } },
    });
    expect(readText(text).warnings).toEqual([]);
  });

  test('keeps the names of components that are only a reference', async () => {
    const { document } = await bundled({
      'api.json': description({
        paths: { '/a': { get: answering({ $ref: 'schemas.json#/pet' }) } },
        components: {
          schemas: { Pet: { $ref: 'schemas.json#/pet' }, Animal: { $ref: 'schemas.json#/pet' } },
        },
      }),
      'schemas.json': { pet: { properties: { mother: { $ref: '#/pet' } } } },
    });
    const { Pet, Animal } = document.components.schemas;
    const [whole, other] = '$ref' in Pet ? [Animal, Pet] : [Pet, Animal];

    expect(Object.keys(document.components.schemas)).toEqual(['Pet', 'Animal']);
    expect(whole.properties.mother).toEqual(
      document.paths['/a'].get.responses[200].content['application/json'].schema,
    );
    expect(other).toEqual(whole.properties.mother);
  });

  test('gives parts of one name names of their own', async () => {
    const { document } = await bundled({
      'api.json': description({
        paths: {
          '/a': { get: answering({ $ref: 'a/Pet.json' }) },
          '/b': { get: answering({ $ref: 'b/Pet%20one.json' }) },
          '/c': { get: answering({ $ref: 'c.json#/Pet' }) },
        },
        components: { schemas: { Pet: { type: 'string' } } },
      }),
      'a/Pet.json': { type: 'integer' },
      'b/Pet one.json': { type: 'number' },
      'c.json': { Pet: { type: 'boolean' } },
    });

    expect(document.components.schemas).toEqual({
      Pet: { type: 'string' },
      Pet_2: { type: 'integer' },
      Pet_one: { type: 'number' },
      Pet_3: { type: 'boolean' },
    });
  });

  test('takes whole lists of paths and components from files', async () => {
    const { document, text } = await bundled({
      'api.json': description({
        paths: { $ref: 'paths.json' },
        components: { schemas: { $ref: 'schemas/all.json' } },
      }),
      'paths.json': { '/a': { get: answering({ $ref: 'schemas/all.json#/Pet' }) } },
      'schemas/all.json': { Pet: { items: { $ref: 'Toy.json' } } },
      'schemas/Toy.json': { type: 'string' },
    });

    expect(Object.keys(document.paths)).toEqual(['/a']);
    expect(text).not.toContain('.json"');
    expect(readText(text).operations).toHaveLength(1);
  });

  test('may be OpenAPI 2.0, whose parts are definitions', async () => {
    const { document } = await bundled({
      'api.yaml': `swagger: '2.0'
info: { title: Pets, version: '1' }
paths:
  /pets:
    post:
      parameters: [{ $ref: parts.yaml#/Id }, { name: pet, in: body, schema: { $ref: Pet.yaml } }]
      responses: { 200: { $ref: parts.yaml#/Fine } }
`,
      'parts.yaml':
        'Id: { name: id, in: query, type: string }\nFine: { description: fine, examples: { text/plain: { $ref: x } } }\n',
      'Pet.yaml': 'type: object\n',
    });

    expect(document).toMatchObject({
      definitions: { Pet: { type: 'object' } },
      parameters: { Id: { name: 'id', in: 'query', type: 'string' } },
      responses: { Fine: { description: 'fine', examples: { 'text/plain': { $ref: 'x' } } } },
    });
  });

  test('may be OpenAPI 3.2', async () => {
    const { document } = await bundled({
      'api.json': description({
        openapi: '3.2.0',
        paths: {
          '/a': { query: { requestBody: { content: { 'text/plain': { $ref: 'media.json' } } } } },
        },
      }),
      'media.json': { itemSchema: { $ref: 'Line.json' } },
      'Line.json': { type: 'string' },
    });

    expect(document.components).toEqual({
      mediaTypes: { media: { itemSchema: { $ref: '#/components/schemas/Line' } } },
      schemas: { Line: { type: 'string' } },
    });
  });

  test('follows the schemas that a discriminator names', async () => {
    const mapping = { cat: 'Cat.json', dog: './Dog.json', Bird: 'Bird' };
    const { document } = await bundled({
      'api.json': description({
        paths: {
          '/a': {
            get: answering({
              oneOf: [{ $ref: 'Cat.json' }, { $ref: 'Dog.json' }],
              discriminator: { propertyName: 'kind', mapping },
            }),
          },
        },
      }),
      'Cat.json': { type: 'object' },
      'Dog.json': { type: 'object' },
    });
    const { schema } = document.paths['/a'].get.responses[200].content['application/json'];

    expect(schema.discriminator.mapping).toEqual({
      cat: '#/components/schemas/Cat',
      dog: '#/components/schemas/Dog',
      Bird: 'Bird',
    });
  });

  test('leaves references in examples, defaults and extensions as the data that they are', async () => {
    const schema = {
      properties: { example: { $ref: 'Pet.json' }, default: { type: 'string' } },
      default: { $ref: 'a.json' },
      enum: [{ $ref: 'b.json' }],
      'x-own': { $ref: 'c.json' },
    };
    const { document } = await bundled({
      'api.json': description({
        paths: { '/a': { get: answering(schema), 'x-own': { $ref: 'd.json' } } },
        'x-own': { $ref: 'e.json' },
      }),
      'Pet.json': { example: { $ref: 'f.json' } },
    });
    const kept = document.paths['/a'].get.responses[200].content['application/json'].schema;

    expect(kept).toEqual({
      ...schema,
      properties: {
        example: { $ref: '#/components/schemas/Pet' },
        default: { type: 'string' },
      },
    });
    expect(document['x-own']).toEqual({ $ref: 'e.json' });
    expect(document.components.schemas.Pet).toEqual({ example: { $ref: 'f.json' } });
  });

  test('takes names of components and webhooks that begin like an extension for names', async () => {
    const { document } = await bundled({
      'api.json': {
        ...description({ components: { responses: { 'x-late': { $ref: 'Late.json' } } } }),
        openapi: '3.1.0',
        webhooks: { 'x-news': { post: { requestBody: { $ref: 'News.json' } } } },
      },
      'Late.json': { description: 'late' },
      'News.json': { content: {} },
    });

    expect(document.components.responses['x-late']).toEqual({ description: 'late' });
    expect(document.components.requestBodies).toEqual({ News: { content: {} } });
  });

  test('nests no deeper with every file', async () => {
    const chain = Object.fromEntries(
      Array.from({ length: 30 }, (_, n) => [
        `S${n}.json`,
        { properties: { next: n === 29 ? { type: 'string' } : { $ref: `S${n + 1}.json` } } },
      ]),
    );
    const { text } = await bundled({
      'api.json': description({ paths: { '/a': { get: answering({ $ref: 'S0.json' }) } } }),
      ...chain,
    });

    expect(readText(text).operations).toHaveLength(1);
  });

  test('reads paths that refer to themselves', async () => {
    const { document } = await bundled({
      'api.json': description({ paths: { '/a': { $ref: 'a.json' }, '/b': { $ref: 'a.json' } } }),
      'a.json': { post: { callbacks: { done: { '{$url}': { $ref: 'a.json' } } } } },
    });

    expect(document.paths).toEqual({
      '/a': { post: { callbacks: { done: { '{$url}': { $ref: '#/paths/~1a' } } } } },
      '/b': { $ref: '#/paths/~1a' },
    });
  });

  test('keeps what is beside a reference', async () => {
    const { document } = await bundled({
      'api.json': description({
        openapi: '3.1.0',
        paths: {
          '/a': {
            $ref: 'a.json',
            summary: 'Own',
            get: answering({ $ref: 'S.json', maxLength: 3, not: { $ref: 'S.json' } }),
          },
        },
      }),
      'a.json': { summary: 'Theirs', parameters: [], get: {} },
      'S.json': { type: 'string' },
    });

    expect(document.paths['/a']).toEqual({
      summary: 'Own',
      parameters: [],
      get: answering({
        $ref: '#/components/schemas/S',
        maxLength: 3,
        not: { $ref: '#/components/schemas/S' },
      }),
    });
  });

  test('leaves references to schemas that have an address of their own', async () => {
    const { document } = await bundled({
      'api.json': description({
        openapi: '3.1.0',
        paths: { '/a': { get: answering({ $ref: 'Pet.json' }) } },
      }),
      'Pet.json': { $id: 'https://pets.example/pet', properties: { owner: { $ref: 'owner' } } },
    });

    expect(document.components.schemas.Pet.properties).toEqual({ owner: { $ref: 'owner' } });
  });

  test('never takes a key of a file for more than a key', async () => {
    const { text } = await bundled({
      'api.json': description({ paths: { '/a': { $ref: 'a.json' } } }),
      'a.json': '{"__proto__": {"polluted": true}, "get": {}}',
    });

    expect(text).toContain('"__proto__":{"polluted":true}');
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });
});
