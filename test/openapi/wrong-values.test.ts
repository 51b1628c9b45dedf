import { describe, expect, test } from '@jest/globals';
import { compileTools } from '../../layers/openapi/compile-tools.ts';
import type { Json, JsonObject } from '../../layers/platform/rules/json/json.ts';
import { ApiRefusal } from '../../layers/platform/rules/refusal/api-refusal.ts';
import { read } from '../support/openapi/intake.ts';

const pet = {
  type: 'object',
  description: 'A pet.',
  required: ['kind'],
  properties: {
    kind: { type: 'string', enum: ['cat', 'dog'] },
    name: { type: 'string', pattern: '^[a-z]+$', format: 'hostname', maxLength: 20 },
    age: { type: 'integer', minimum: 0, default: 1 },
    tags: { type: 'array', items: { type: 'string' }, maxItems: 3 },
  },
  additionalProperties: { type: 'string' },
};

const OPENAPI: JsonObject = {
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1', summary: 'Pets', description: 'All pets.' },
  servers: [{ url: 'https://{place}.example.com/v1', variables: { place: { default: 'api' } } }],
  security: [{ key: [] }],
  tags: [{ name: 'pets', description: 'About pets' }],
  paths: {
    '/pets/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      post: {
        operationId: 'changePet',
        summary: 'Changes a pet',
        tags: ['pets'],
        parameters: [
          { $ref: '#/components/parameters/Fields' },
          { name: 'x-trace', in: 'header', type: 'string' },
          { name: 'filter', in: 'query', content: { 'application/json': { schema: pet } } },
        ],
        requestBody: {
          required: true,
          content: {
            'multipart/form-data': {
              schema: {
                type: 'object',
                properties: { photo: { type: 'string', format: 'binary' } },
              },
              encoding: {
                photo: { contentType: 'image/png', headers: { 'X-Size': { schema: {} } } },
              },
            },
            'application/json': { schema: { $ref: '#/components/schemas/Animal' } },
          },
        },
        responses: {
          200: {
            description: 'changed',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Animal' } } },
          },
        },
      },
    },
  },
  components: {
    parameters: {
      Fields: {
        name: 'fields',
        in: 'query',
        style: 'form',
        explode: false,
        schema: { type: 'array' },
      },
    },
    schemas: {
      Animal: {
        oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Pet' }],
        discriminator: { propertyName: 'kind', mapping: { cat: '#/components/schemas/Cat' } },
      },
      Cat: { allOf: [{ $ref: '#/components/schemas/Pet' }], discriminator: false, properties: {} },
      Pet: {
        ...pet,
        $dynamicAnchor: 'pet',
        dependentRequired: { name: ['age'] },
        xml: { name: 'pet' },
      },
    },
    securitySchemes: { key: { type: 'apiKey', name: 'X-Key', in: 'header' } },
  },
};

const SWAGGER: JsonObject = {
  swagger: '2.0',
  info: { title: 'Pets', version: '1' },
  host: 'api.example.com',
  basePath: '/v1',
  schemes: ['https'],
  consumes: ['application/x-www-form-urlencoded'],
  paths: {
    '/pets': {
      post: {
        operationId: 'addPet',
        consumes: ['multipart/form-data'],
        parameters: [
          { name: 'kind', in: 'formData', type: 'string', enum: ['cat'] },
          { name: 'photo', in: 'formData', type: 'file' },
          {
            name: 'tags',
            in: 'query',
            type: 'array',
            items: { type: 'string' },
            collectionFormat: 'csv',
          },
        ],
        responses: { 200: { description: 'added', schema: { type: 'string' } } },
      },
      put: {
        parameters: [{ name: 'pet', in: 'body', schema: { $ref: '#/definitions/Pet' } }],
        responses: { 200: { description: 'changed' } },
      },
    },
  },
  definitions: { Pet: { ...pet, discriminator: 'kind' } },
  securityDefinitions: { key: { type: 'apiKey', name: 'key', in: 'query' } },
};

/** Each way to put a value in the place of another, with where it stands. */
function* replaced(tree: Json, value: Json, at = ''): Generator<readonly [string, Json]> {
  if (at !== '') yield [at, value];
  if (typeof tree !== 'object' || tree === null) return;
  for (const [key, inner] of Object.entries(tree)) {
    for (const [place, changed] of replaced(inner, value, `${at}/${key}`)) {
      yield [
        place,
        Array.isArray(tree)
          ? tree.map((one, index) => (String(index) === key ? changed : one))
          : { ...tree, [key]: changed },
      ];
    }
  }
}

/** What went wrong with a publication, but for refusals, which say to its owner what is wrong. */
const faultOf = (description: Json): unknown => {
  try {
    const checked = read(description);
    JSON.stringify(compileTools(checked, checked.operations).tools);
    return undefined;
  } catch (error) {
    return error instanceof ApiRefusal ? undefined : error;
  }
};

describe.each<[string, JsonObject]>([
  ['OpenAPI 3.1', OPENAPI],
  ['Swagger 2.0', SWAGGER],
])('a description of %s', (_, description) => {
  test('is published as it is', () => {
    const checked = read(description);

    expect(compileTools(checked, checked.operations).tools.length).toBeGreaterThan(0);
  });

  // An object with a `toString` that is no function throws where code takes it for a text.
  test.each<[Json]>([[{ toString: 1 }], [[{ toString: 1 }]], [null], [-1], [true], ['']])(
    'is published or refused, and nothing else, with %j in any place',
    (value) => {
      const faults = [...replaced(description, value)].flatMap(([at, changed]) => {
        const fault = faultOf(changed);
        return fault === undefined ? [] : [`${at}: ${fault instanceof Error ? fault.stack : ''}`];
      });

      expect(faults).toEqual([]);
    },
  );
});
