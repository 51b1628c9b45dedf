import { describe, expect, test } from '@jest/globals';
import type { Json } from '../../../layers/platform/rules/json/json.ts';
import { onlyOf, propertiesOf, swagger, toolOf, toolsOf } from '../../support/openapi/compile.ts';
import { aDescription, anOperation, read, warningsOf } from '../../support/openapi/intake.ts';

type Members = Readonly<Record<string, Json>>;

const at = '/paths/~1pets/post';
const string = { type: 'string' };
const petSchema = { type: 'object', required: ['name'], properties: { name: string } };

const openapi = (operation: Members, members: Members = {}) =>
  aDescription({ paths: { '/pets': { post: anOperation(operation) } }, ...members });

const inPath = (name: string) => ({ name, in: 'path', required: true, schema: string });

const only = (description: Members) => onlyOf(toolsOf(description));

describe('a parameter of OpenAPI 3 with the fields of Swagger 2.0', () => {
  const ids = { name: 'ids', in: 'query', type: 'array', items: { type: 'integer' } };

  test('has its type, values and limits', () => {
    const limit = { name: 'limit', in: 'query', type: 'integer', enum: [10, 20], default: 10 };
    const description = openapi({ parameters: [limit] });

    expect(propertiesOf(only(description))).toEqual({
      limit: { type: 'integer', description: 'One of 10, 20.', default: 10 },
    });
    expect(warningsOf(read(description))).toEqual([
      `${at}/parameters/0 | type stands beside the name, as in Swagger 2.0; read as its schema`,
    ]);
  });

  test.each([
    ['csv', { style: 'form', explode: false }],
    ['multi', { style: 'form', explode: true }],
    ['ssv', { style: 'spaceDelimited', explode: false }],
    ['pipes', { style: 'pipeDelimited', explode: false }],
  ])('is a list as the collectionFormat %s has it', (collectionFormat, written) => {
    const { type, items, ...rest } = ids;
    const written3 = { ...rest, schema: { type, items } };
    for (const parameter of [ids, written3]) {
      const { operation } = toolOf({ parameters: [{ ...parameter, collectionFormat }] });

      expect(operation.parameters).toMatchObject([written]);
    }
    expect(warningsOf(read(openapi({ parameters: [{ ...written3, collectionFormat }] })))).toEqual([
      `${at}/parameters/0 | collectionFormat is of Swagger 2.0; read as \`style\` and \`explode\``,
    ]);
  });

  test('is read where it is shared, and in place, however it is spelled', () => {
    const description = openapi(
      { parameters: [{ $ref: '#/components/parameters/Ids' }] },
      { components: { parameters: { Ids: { ...ids, in: 'Query' } } } },
    );

    expect(propertiesOf(only(description))).toEqual({
      ids: { type: 'array', items: { type: 'integer' } },
    });
    expect(warningsOf(read(description))).toEqual([
      '/components/parameters/Ids/in | read as query',
      '/components/parameters/Ids | type stands beside the name, as in Swagger 2.0; read as its schema',
    ]);
  });
});

describe('a body in the parameters of OpenAPI 3', () => {
  const read3 = 'parameters in the body, as in Swagger 2.0; read as the `requestBody`';

  test('is the request body', () => {
    const description = openapi({
      parameters: [{ name: 'pet', in: 'body', required: true, schema: petSchema }],
    });
    const tool = only(description);

    expect(tool.inputSchema['required']).toEqual(['name']);
    expect(tool.operation.body).toMatchObject({ required: true, mediaType: 'application/json' });
    expect(warningsOf(read(description))).toEqual([`${at} | ${read3}`]);
  });

  test('is a form of its formData, with files where there are any', () => {
    const name = { name: 'name', in: 'formData', required: true, type: 'string' };
    const photo = { name: 'photo', in: 'formData', type: 'file' };
    const form = toolOf({ parameters: [name] });
    const upload = toolOf({ parameters: [name, photo] });

    expect(form.inputSchema['required']).toEqual(['name']);
    expect(form.operation.body?.mediaType).toBe('application/x-www-form-urlencoded');
    expect(upload.operation.body?.mediaType).toBe('multipart/form-data');
    expect(JSON.stringify(propertiesOf(upload)['photo'])).toContain('base64');
  });

  test('is that of each operation where it stands at the path', () => {
    const parameters = [{ name: 'pet', in: 'body', schema: petSchema }];
    const paths = { '/pets': { parameters, put: anOperation(), post: anOperation() } };

    expect(
      toolsOf(aDescription({ paths })).map(({ operation }) => operation.body?.source.kind),
    ).toEqual(['whole', 'whole']);
  });

  test('is nothing beside a requestBody', () => {
    const description = openapi({
      parameters: [{ name: 'other', in: 'body', schema: string }],
      requestBody: { required: true, content: { 'application/json': { schema: petSchema } } },
    });

    expect(propertiesOf(only(description))).toEqual({ name: string });
    expect(warningsOf(read(description))).toEqual([
      `${at} | parameters in the body, as in Swagger 2.0; ignored, since there is a \`requestBody\``,
    ]);
  });
});

describe('Swagger 2.0 with the fields of OpenAPI 3', () => {
  test('has the body of its requestBody', () => {
    const schema = { $ref: '#/components/schemas/Pet' };
    const description = swagger(
      { requestBody: { required: true, content: { 'application/json': { schema } } } },
      { components: { schemas: { Pet: petSchema } } },
    );

    expect(only(description).inputSchema).toMatchObject({ required: ['name'] });
    expect(warningsOf(read(description))).toEqual([
      `${at}/requestBody | \`requestBody\`, as in OpenAPI 3; read as a parameter \`in: body\``,
    ]);
  });

  test('has parameters with what their schema says', () => {
    const state = { name: 'state', in: 'query', schema: { type: 'string', enum: ['a', 'b'] } };
    const description = swagger({ parameters: [state] });

    expect(propertiesOf(only(description))).toEqual({
      state: { type: 'string', enum: ['a', 'b'] },
    });
    expect(warningsOf(read(description))).toEqual([
      `${at}/parameters/0 | its schema stands in \`schema\`, as in OpenAPI 3; read as beside its name`,
    ]);
  });

  test('has one body of several, whose fields they are', () => {
    const description = swagger({
      parameters: [
        { name: 'email', in: 'body', required: true, description: 'Whose', type: 'string' },
        { name: 'age', in: 'body', schema: { type: 'integer' } },
        { name: 'page', in: 'query', type: 'integer' },
      ],
    });

    expect(only(description).inputSchema).toEqual({
      type: 'object',
      properties: {
        page: { type: 'integer' },
        email: { type: 'string', description: 'Whose' },
        age: { type: 'integer' },
      },
      required: ['email'],
    });
    expect(warningsOf(read(description))).toContain(
      `${at}/parameters | more than one parameter \`in: body\`; read as the fields of one object`,
    );
  });
});

describe('several bodies of Swagger 2.0', () => {
  const pet = { name: 'pet', in: 'body', schema: { $ref: '#/definitions/Pet' } };
  const definitions = { Pet: { type: 'object', properties: { name: string } } };
  const alternative = (name: string, rest: Record<string, Json> = {}) => ({
    name,
    in: 'body',
    description: 'A raw file',
    ...rest,
  });

  test.each<[string, Json]>([
    ['nothing', alternative('raw')],
    ['an empty schema', alternative('raw', { schema: {} })],
    ['bytes', alternative('raw', { schema: { type: 'string', format: 'binary' } })],
    ['a file', alternative('raw', { schema: { type: 'file' } })],
  ])('are the one with a schema, where the other is described by %s', (_, raw) => {
    for (const parameters of [
      [pet, raw],
      [raw, pet],
    ]) {
      const description = swagger({ parameters }, { definitions });

      expect(only(description).inputSchema).toEqual({
        type: 'object',
        properties: { name: string },
      });
      expect(only(description).operation.body).toMatchObject({ mediaType: 'application/json' });
      expect(warningsOf(read(description))).toEqual([
        `${at}/parameters | more than one parameter \`in: body\`; raw without a schema is the body in another form, which no tool sends`,
      ]);
    }
  });

  test('are fields where several have schemas', () => {
    const owner = { name: 'owner', in: 'body', schema: string };
    const description = swagger({ parameters: [pet, alternative('raw'), owner] }, { definitions });

    expect(Object.keys(propertiesOf(only(description)))).toEqual(['pet', 'owner']);
    expect(warningsOf(read(description))).toEqual([
      `${at}/parameters | more than one parameter \`in: body\`; raw without a schema is the body in another form, which no tool sends; the others are read as the fields of one object`,
    ]);
  });

  test('are fields where none has a schema', () => {
    const description = swagger({ parameters: [alternative('a'), alternative('b')] });

    expect(Object.keys(propertiesOf(only(description)))).toEqual(['a', 'b']);
  });

  test('are read alike in OpenAPI 3', () => {
    const schema = { type: 'object', properties: { name: string } };
    const description = openapi({ parameters: [{ ...pet, schema }, alternative('raw')] });

    expect(propertiesOf(only(description))).toEqual({ name: string });
  });

  test('are that of the operation where its path has one for all', () => {
    const description = swagger({ parameters: [pet] }, { definitions });
    const paths = {
      '/pets': {
        parameters: [{ name: 'any', in: 'body', schema: { type: 'object' } }],
        post: description.paths['/pets'].post,
      },
    };

    expect(propertiesOf(only({ ...description, paths }))).toEqual({ name: string });
  });
});

describe('a place in a path that is written as in a router', () => {
  test.each([
    ['/pets/:id/toys', '/pets/{id}/toys'],
    ['/pets/:id(\\d+)', '/pets/{id}'],
    ['/pets/<int:id>', '/pets/{id}'],
    ['/pets/{id:[0-9]{2}}/toys', '/pets/{id}/toys'],
    ['/pets/{id=owners/*}:copy', '/pets/{id}:copy'],
    ['/pets/{id*}', '/pets/{id}'],
    ['/pets/{id+}', '/pets/{id}'],
    ['/pets/{ id }', '/pets/{id}'],
    ['/pets/{ID}', '/pets/{id}'],
  ])('is that of the parameter: %s', (path, meant) => {
    const tool = toolOf({ operationId: 'pet', parameters: [inPath('id')] }, {}, path);

    expect(tool.operation).toMatchObject({ path: meant, parameters: [{ in: 'path', name: 'id' }] });
    expect(propertiesOf(tool)).toMatchObject({ id: string });
  });

  test.each([
    ['all parameters have their place', '/pets/{id}/:id', [inPath('id')]],
    ['it could be either of two', '/pets/{ID}', [inPath('id'), inPath('Id')]],
    ['it is the verb of a custom method', '/pets/{id}:copy', [inPath('id'), inPath('copy')]],
  ])('stays as it is where %s', (_, path, parameters) => {
    expect(toolOf({ operationId: 'pet', parameters }, {}, path).operation.path).toBe(path);
  });

  test('is left out where it is the query of a URI template', () => {
    const parameters = ['a', 'b'].map((name) => ({ name, in: 'query', schema: string }));
    const pathOf = (path: string) => toolOf({ parameters }, {}, path).operation.path;

    expect(pathOf('/pets{?a,b*}')).toBe('/pets');
  });

  test('makes arguments of the query of a URI template that nothing declares', () => {
    const tool = toolOf({}, {}, '/pets{?a,c}');

    expect(tool.operation).toMatchObject({
      path: '/pets',
      parameters: [
        { name: 'a', in: 'query', required: false },
        { name: 'c', in: 'query', required: false },
      ],
    });
  });

  test('is kept apart by a fragment where the path that is meant stands there already', () => {
    const get = anOperation({ parameters: [inPath('id')] });
    const paths = { '/pets/:id': { get }, '/pets/{id}': { get } };

    expect(read(aDescription({ paths })).operations.map(({ path }) => path)).toEqual([
      '/pets/{id}#/pets/:id',
      '/pets/{id}',
    ]);
  });
});

describe('a parameter with an empty name', () => {
  const empty = { name: '', in: 'query', schema: string };

  test('is left out', () => {
    const description = openapi({ parameters: [empty, { ...empty, name: 'a' }] });

    expect(propertiesOf(only(description))).toEqual({ a: string });
    expect(warningsOf(read(description))).toEqual([
      `${at}/parameters/0 | a parameter with an empty name; it is left out`,
    ]);
  });

  test('takes its operation with it where it is required', () => {
    const post = anOperation({ parameters: [{ ...empty, required: true }] });
    const description = read(aDescription({ paths: { '/pets': { post, get: anOperation() } } }));

    expect(description.operations).toMatchObject([{ method: 'GET' }]);
  });
});
