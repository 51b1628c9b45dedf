import { describe, expect, test } from '@jest/globals';
import type { Json } from '../../../layers/platform/rules/json/json.ts';
import {
  aDescription,
  anOperation,
  read,
  readText,
  refusalOf,
  refusedAs,
  warningsOf,
  withOperation,
} from '../../support/openapi/intake.ts';

const inDialect = (version: Readonly<Record<string, Json>>, members = {}): Json => {
  const { openapi: _, ...rest } = aDescription(members);
  return { ...version, ...rest };
};

describe('recognizing a description', () => {
  test.each([
    [{ swagger: '2.0' }, 'swagger-2.0'],
    [{ openapi: '3.0.0' }, 'openapi-3.0'],
    [{ openapi: '3.0.4' }, 'openapi-3.0'],
    [{ openapi: '3.1.0' }, 'openapi-3.1'],
    [{ openapi: '3.1.0-rc1' }, 'openapi-3.1'],
    [{ openapi: '3.2.0' }, 'openapi-3.2'],
  ])('knows %j', (version, dialect) => {
    const description = read(inDialect(version));

    expect(description.dialect).toBe(dialect);
    expect(description.warnings).toEqual([]);
  });

  test.each([
    [{ swagger: 2 }, 'swagger-2.0', '/swagger | read as 2.0'],
    [{ swagger: '2' }, 'swagger-2.0', '/swagger | read as 2.0'],
    [{ openapi: 3 }, 'openapi-3.0', '/openapi | read as 3.0'],
    [{ openapi: '3.0' }, 'openapi-3.0', '/openapi | read as 3.0'],
    [{ openapi: 3.1 }, 'openapi-3.1', '/openapi | read as 3.1'],
  ])('takes %j for what it means, and says so', (version, dialect, warning) => {
    const description = read(inDialect(version));

    expect(description.dialect).toBe(dialect);
    expect(warningsOf(description)).toEqual([warning]);
  });

  test.each([
    [inDialect({ openapi: '3.3.0' }), 'found `openapi: "3.3.0"`'],
    [inDialect({ openapi: '3.10.0' }), 'found `openapi: "3.10.0"`'],
    [inDialect({ openapi: '2.0' }), 'found `openapi: "2.0"`'],
    [inDialect({ openapi: 4 }), 'found `openapi: 4`'],
    [inDialect({ swagger: '1.2' }), 'found `swagger: "1.2"`'],
    [{}, 'found an empty object'],
    [
      { asyncapi: '3.0.0', channels: {} },
      'found no version under `openapi` or `swagger`; the document begins with "asyncapi", "channels"',
    ],
    [
      { openapi: aDescription() },
      'found no version under `openapi` or `swagger`; the document begins with "openapi"',
    ],
    [[], 'found a list instead of an object'],
  ])('refuses %j', (description, what) => {
    expect(refusedAs(() => read(description))).toEqual({
      code: 'description_not_openapi',
      findings: [` | ${what}`],
    });
  });

  test.each([
    ['<!DOCTYPE html><html></html>', 'a page or XML'],
    ['just a line', 'a text'],
    ['42', 'a number'],
    ['true', 'a boolean'],
    ['null', 'nothing'],
  ])('refuses %s', (text, what) => {
    expect(refusedAs(() => readText(text))).toEqual({
      code: 'description_not_openapi',
      findings: [` | found ${what} instead of an object`],
    });
  });
});

describe('finding operations', () => {
  test('lists what each one says of itself, in document order', () => {
    const operation = anOperation({ operationId: 'list', tags: ['a', 'b'], deprecated: true });
    const paths = {
      'x-note': 1,
      '/pets': { summary: 'Pets', post: anOperation(), get: operation },
      '/a/~b': { delete: anOperation() },
    };
    const { operations } = read(aDescription({ paths }));

    expect(operations).toEqual([
      {
        method: 'POST',
        path: '/pets',
        tags: [],
        deprecated: false,
        pathItem: paths['/pets'],
        operation: anOperation(),
        pointer: '/paths/~1pets/post',
      },
      {
        method: 'GET',
        path: '/pets',
        operationId: 'list',
        tags: ['a', 'b'],
        deprecated: true,
        pathItem: paths['/pets'],
        operation,
        pointer: '/paths/~1pets/get',
      },
      expect.objectContaining({ method: 'DELETE', pointer: '/paths/~1a~1~0b/delete' }),
    ]);
  });

  test('knows all methods of OpenAPI 3', () => {
    const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];
    const pathItem = Object.fromEntries(methods.map((method) => [method, anOperation()]));
    const { operations } = read(aDescription({ paths: { '/pets': pathItem } }));

    expect(operations.map(({ method }) => method.toLowerCase())).toEqual(methods);
  });

  const withQuery = {
    paths: {
      '/pets': {
        get: anOperation(),
        query: anOperation(),
        additionalOperations: { COPY: anOperation() },
      },
    },
  };

  test('knows any other method from OpenAPI 3.2 on', () => {
    const { operations } = read(aDescription({ openapi: '3.2.0', ...withQuery }));

    expect(operations.map(({ method, pointer }) => [method, pointer])).toEqual([
      ['GET', '/paths/~1pets/get'],
      ['QUERY', '/paths/~1pets/query'],
      ['COPY', '/paths/~1pets/additionalOperations/COPY'],
    ]);
  });

  test('says what it passes over before OpenAPI 3.2', () => {
    const description = read(aDescription(withQuery));

    expect(description.operations).toHaveLength(1);
    expect(warningsOf(description)).toEqual([
      '/paths/~1pets/query | no field that this pathItem can have; it is ignored',
      '/paths/~1pets/additionalOperations | no field that this pathItem can have; it is ignored',
    ]);
  });

  test('follows the references of path items and operations', () => {
    const { operations } = read(
      aDescription({
        openapi: '3.1.0',
        paths: {
          '/pets': { $ref: '#/components/pathItems/Pets' },
          '/cats': {
            $ref: '#/components/pathItems/Pets',
            parameters: [],
            get: { responses: {}, tags: ['cats'] },
          },
          '/dogs': { get: { $ref: '#/components/pathItems/Pets/get' } },
        },
        components: {
          pathItems: { Pets: { servers: [], get: anOperation(), put: anOperation() } },
        },
      }),
    );

    expect(
      operations.map(({ pointer, tags, pathItem }) => [pointer, tags, Object.keys(pathItem)]),
    ).toEqual([
      ['/paths/~1pets/get', [], ['servers', 'get', 'put']],
      ['/paths/~1pets/put', [], ['servers', 'get', 'put']],
      ['/paths/~1cats/get', ['cats'], ['get', 'put', 'parameters', 'servers']],
      ['/paths/~1cats/put', [], ['get', 'put', 'parameters', 'servers']],
      ['/paths/~1dogs/get', [], ['get']],
    ]);
  });

  test('passes over callbacks and webhooks, and says so', () => {
    const callbacks = { done: { '{$request.body#/url}': { post: anOperation() } } };
    const description = read({
      ...withOperation({ callbacks }),
      openapi: '3.1.0',
      webhooks: { born: { post: anOperation() } },
    });

    expect(description.operations).toHaveLength(1);
    expect(warningsOf(description)).toEqual([
      '/webhooks | 1 webhooks make no tools',
      '/paths | callbacks of 1 operations make no tools',
    ]);
  });

  test.each([
    ['no paths', { paths: {} }, '/paths | no operations'],
    ['paths of nothing', { paths: null }, '/paths | no operations'],
    [
      'paths without methods',
      { paths: { '/a': { summary: 'x' }, '/b': null } },
      '/paths | no operations',
    ],
    [
      'webhooks only',
      { openapi: '3.1.0', paths: {}, webhooks: { a: {}, b: {} } },
      '/paths | no operations, only 2 webhooks',
    ],
  ])('refuses %s', (_, members, finding) => {
    expect(refusedAs(() => read(aDescription(members)))).toEqual({
      code: 'no_operations',
      findings: [finding],
    });
  });

  test('refuses a description with neither paths nor webhooks', () => {
    expect(refusalOf(() => read({ openapi: '3.1.0' })).code).toBe('no_operations');
  });

  test('refuses more operations than shared path items can honestly make', () => {
    const shared = Object.fromEntries(
      Array.from({ length: 101 }, (_, n) => [`/p${n}`, { $ref: '#/components/pathItems/All' }]),
    );
    const many = Array.from({ length: 100 }, (_, n) => [`M${n}`, anOperation()]);
    const All = { additionalOperations: Object.fromEntries(many) };
    const members = { openapi: '3.2.0', paths: shared, components: { pathItems: { All } } };

    expect(refusedAs(() => read(aDescription(members)))).toEqual({
      code: 'too_many_operations',
      findings: ['/paths | more than 10000 operations'],
    });
  });
});

describe('a description with faults that leave a doubt', () => {
  const at = '/paths/~1pets/get';
  test.each<[string, Json, string]>([
    ['paths that are no object', aDescription({ paths: [] }), '/paths | no object'],
    [
      'a path with a slash and without',
      aDescription({ paths: { pets: { get: anOperation() }, '/pets': { get: anOperation() } } }),
      '/paths/pets | the path does not start with `/`',
    ],
    [
      'a path that no server takes',
      aDescription({ paths: { [`/${'a'.repeat(2000)}`]: { get: anOperation() } } }),
      `/paths/~1${'a'.repeat(2000)} | the path is longer than 2000 characters`.replace(
        /^(.{1000}).*( \| )/,
        '$1…$2',
      ),
    ],
    [
      'more parameters than anyone fills in',
      withOperation({
        parameters: Array.from({ length: 1001 }, (_, n) => ({ name: `p${n}`, in: 'query' })),
      }),
      `${at}/parameters | more than 1000 parameters`,
    ],
    [
      'a path item that is no object',
      aDescription({ paths: { '/pets': [] } }),
      '/paths/~1pets | the path item is no object',
    ],
    [
      'an operation that is no object',
      aDescription({ paths: { '/pets': { get: null } } }),
      `${at} | the operation is no object`,
    ],
    [
      'a method that is none',
      aDescription({
        openapi: '3.2.0',
        paths: { '/pets': { additionalOperations: { 'GET / HTTP/1.1\r\n': anOperation() } } },
      }),
      '/paths/~1pets/additionalOperations/GET ~1 HTTP~11.1\uFFFD\uFFFD | no HTTP method',
    ],
    [
      'a method in both cases',
      aDescription({ paths: { '/pets': { GET: anOperation(), get: anOperation() } } }),
      '/paths/~1pets/GET | the method is spelled GET',
    ],
    [
      'a method twice',
      aDescription({
        openapi: '3.2.0',
        paths: { '/pets': { get: anOperation(), additionalOperations: { GET: anOperation() } } },
      }),
      '/paths/~1pets/additionalOperations/GET | GET occurs twice',
    ],
    [
      'parameters that are no list',
      withOperation({ parameters: { limit: 5 } }),
      `${at}/parameters | parameters are no list`,
    ],
    [
      'a parameter that is no object',
      withOperation({ parameters: ['id'] }),
      `${at}/parameters/0 | no parameter object`,
    ],
    [
      'a parameter without a name',
      withOperation({ parameters: [{ in: 'query' }] }),
      `${at}/parameters/0 | a parameter without a name`,
    ],
    [
      'a parameter with a number for a name',
      withOperation({ parameters: [{ name: 1, in: 'query' }] }),
      `${at}/parameters/0 | a parameter without a name`,
    ],
    [
      'a parameter without a place',
      withOperation({ parameters: [{ name: 'id' }] }),
      `${at}/parameters/0 | parameter "id" has no \`in\``,
    ],
    [
      'a parameter in a place that there is not',
      withOperation({ parameters: [{ name: 'pet', in: 'url' }] }),
      `${at}/parameters/0 | parameter "pet" has \`in: "url"\``,
    ],
    [
      'a faulty parameter of the path',
      aDescription({ paths: { '/pets': { get: anOperation(), parameters: [{ name: 'id' }] } } }),
      '/paths/~1pets/parameters/0 | parameter "id" has no `in`',
    ],
    [
      'a request body that is no object',
      withOperation({ requestBody: 'x' }),
      `${at}/requestBody | the request body is no object`,
    ],
  ])('is refused for %s', (_, description, finding) => {
    expect(refusedAs(() => read(description))).toEqual({
      code: 'description_invalid',
      findings: [finding],
    });
  });

  test('loses only the operations that have a parameter without a place', () => {
    const description = read(
      aDescription({
        paths: {
          '/pets': {
            get: anOperation({ parameters: [{ name: 'id' }] }),
            delete: anOperation({ parameters: [{ $ref: '#/components/parameters/Id' }] }),
            put: anOperation({ parameters: [{ name: 'id', in: 'query' }] }),
          },
        },
        components: { parameters: { Id: { name: 'id' } } },
      }),
    );

    expect(description.operations).toMatchObject([{ method: 'PUT' }]);
    expect(warningsOf(description)).toEqual([
      `${at}/parameters/0 | parameter "id" has no \`in\`; no tool is made of GET /pets`,
      '/paths/~1pets/delete/parameters/0 | parameter "id" has no `in`; no tool is made of DELETE /pets',
    ]);
  });

  test.each<[string, Json, string]>([
    ['an operation', null, 'the operation is no object'],
    ['its parameters', { parameters: { limit: 5 } }, 'parameters are no list'],
    ['a parameter', { parameters: ['id'] }, 'no parameter object'],
    ['a name', { parameters: [{ in: 'query' }] }, 'a parameter without a name'],
    ['a place', { parameters: [{ name: 'id', in: 'url' }] }, 'parameter "id" has `in: "url"`'],
    ['its body', { requestBody: 'x' }, 'the request body is no object'],
  ])('loses only the operation that is wrong about %s', (_, get, what) => {
    const paths = { '/pets': { get }, '/cats': { get: anOperation() } };
    const description = read(aDescription({ paths }));

    expect(description.operations).toMatchObject([{ path: '/cats' }]);
    expect(warningsOf(description)).toContainEqual(
      expect.stringContaining(`${what}; no tool is made of GET /pets`),
    );
  });

  test('is refused with the first 20 of them, and their number', () => {
    const parameters = Array.from({ length: 21 }, () => ({ in: 'query' }));
    const refusal = refusalOf(() => read(withOperation({ parameters })));

    expect(refusal.findings).toHaveLength(20);
    expect(refusal.description).toContain('21 such places');
    expect(refusal.findings[0]?.hint).toBe('Add `name`, a text.');
  });

  test('names a fault in shared parameters once', () => {
    const shared = '&shared [{ in: query }]';
    const operation = '{ parameters: *shared }';
    const text = `openapi: 3.0.3\nx: ${shared}\npaths: { /a: { get: ${operation}, put: ${operation} } }`;

    expect(refusalOf(() => readText(text)).findings).toHaveLength(1);
  });
});

describe('a description with faults that leave no doubt', () => {
  const at = '/paths/~1pets/get';
  test.each<[string, Json, readonly string[]]>([
    [
      'no info',
      { openapi: '3.0.3', paths: aDescription().paths },
      ['/info/title | missing, or not a text', '/info/version | missing, or not a text'],
    ],
    [
      'a number for a version',
      aDescription({ info: { title: 'Pets', version: 1.1 } }),
      ['/info/version | is a number'],
    ],
    [
      'no responses',
      aDescription({ paths: { '/pets': { get: {} } } }),
      [`${at} | no responses are described`],
    ],
    [
      'nothing where lists and objects should be',
      withOperation({ parameters: null, requestBody: null, tags: null, operationId: null }),
      [
        `${at}/parameters | no parameter object; it is ignored`,
        `${at}/requestBody | no requestBody object; it is ignored`,
      ],
    ],
    [
      'an empty path',
      aDescription({ paths: { '/pets': { get: anOperation() }, '/cats': null } }),
      ['/paths/~1cats | no pathItem object; it is ignored'],
    ],
    [
      'an operationId that is no text',
      withOperation({ operationId: 7 }),
      [`${at}/operationId | not a text; it is ignored`],
    ],
    [
      'an operationId twice',
      aDescription({
        paths: {
          '/pets': {
            get: anOperation({ operationId: 'x' }),
            put: anOperation({ operationId: 'x' }),
          },
        },
      }),
      ['/paths/~1pets/put/operationId | "x" is also at /paths/~1pets/get'],
    ],
    [
      'tags that are no texts',
      withOperation({ tags: ['a', { name: 'b' }] }),
      [`${at}/tags | not a list of at most 100 texts`],
    ],
    [
      'a path parameter that is not declared',
      aDescription({
        paths: {
          '/pets/{id}/{part}': {
            parameters: [{ name: 'id', in: 'path', required: true }],
            get: anOperation({ parameters: [{ name: 'other', in: 'query' }] }),
          },
        },
      }),
      ['/paths/~1pets~1{id}~1{part}/get | {part} of the path is not declared as a parameter'],
    ],
    [
      'a parameter twice',
      withOperation({
        parameters: [
          { name: 'id', in: 'query' },
          { name: 'id', in: 'query' },
        ],
      }),
      [`${at}/parameters/1 | parameter "id" occurs twice`],
    ],
    [
      'a request body without content',
      withOperation({ requestBody: { required: true } }),
      [`${at}/requestBody | the request body has no content; none is sent`],
    ],
    [
      'stray fields',
      aDescription({
        paths: {
          '/pets': {
            got: anOperation(),
            get: anOperation({
              sumary: 'x',
              'x-own': 1,
              parameters: [{ name: 'a', in: 'query', requird: true }],
            }),
          },
        },
      }),
      [
        '/paths/~1pets/got | no field that this pathItem can have; it is ignored',
        `${at}/parameters/0/requird | no field that this parameter can have; it is ignored`,
        `${at}/sumary | no field that this operation can have; it is ignored`,
      ],
    ],
    [
      'a path without a slash',
      aDescription({ paths: { 'pets/{id}': { get: anOperation() } } }),
      [
        '/paths/pets~1{id} | the path does not start with a slash; read as /pets/{id}',
        '/paths/~1pets~1{id}/get | {id} of the path is not declared as a parameter',
      ],
    ],
    [
      'methods in capitals',
      aDescription({ paths: { '/pets': { GET: anOperation(), Put: anOperation() } } }),
      ['/paths/~1pets | methods in capitals; read as those in lower case'],
    ],
    [
      'a schema that is no schema',
      withOperation({ parameters: [{ name: 'a', in: 'query', schema: 'string' }] }),
      [`${at}/parameters/0/schema | no schema object; it is ignored`],
    ],
  ])('is read, and warns of %s', (_, description, warnings) => {
    expect(warningsOf(read(description))).toEqual(warnings);
  });

  test('is read with everything in a path without a slash and a method in capitals', () => {
    const content = { 'application/json': { schema: { $ref: './pet.yaml' } } };
    const get = anOperation({ operationId: 'list' });

    expect(
      refusalOf(() =>
        read(aDescription({ paths: { pets: { POST: { requestBody: { content } } } } })),
      ).code,
    ).toBe('external_reference');
    expect(read(aDescription({ paths: { pets: { GET: get } } })).operations).toMatchObject([
      { method: 'GET', path: '/pets', operationId: 'list', pointer: '/paths/~1pets/get' },
    ]);
  });

  test('keeps at most 2,000 warnings, and says how many more there are', () => {
    const paths = Object.fromEntries(
      Array.from({ length: 2002 }, (_, at) => [`/${at}`, { get: {} }]),
    );
    const { warnings } = read(aDescription({ paths }));

    expect(warnings).toHaveLength(2001);
    expect(warnings.at(-1)?.what).toBe('there are 2 more warnings');
  });
});
