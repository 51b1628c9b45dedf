import { describe, expect, test } from '@jest/globals';
import type { Json } from '../../../layers/platform/rules/json/json.ts';
import { onlyOf, propertiesOf, swagger, toolsOf } from '../../support/openapi/compile.ts';
import { aDescription, anOperation, read, warningsOf } from '../../support/openapi/intake.ts';

type Members = Readonly<Record<string, Json>>;

const at = '/paths/~1pets/post';
const string = { type: 'string' };
const inQuery = (name: string) => ({ name, in: 'query', required: true, schema: string });
const ONE = 'no list; read as a list of one';

const openapi = (operation: Members, members: Members = {}) =>
  aDescription({ paths: { '/pets': { post: anOperation(operation) } }, ...members });

const withBody = (schema: Json) =>
  openapi({ requestBody: { required: true, content: { 'application/json': { schema } } } });

const only = (description: Members) => onlyOf(toolsOf(description));

const inputOf = (schema: Json) => only(withBody(schema)).inputSchema;

describe('one element in place of a list', () => {
  const bodySchema = `${at}/requestBody/content/application~1json/schema`;

  test('is the parameter of an operation, and of a path', () => {
    const post = anOperation({ parameters: inQuery('page') });
    const description = aDescription({ paths: { '/pets': { parameters: inQuery('q'), post } } });

    expect(Object.keys(propertiesOf(only(description))).toSorted()).toEqual(['page', 'q']);
    expect(warningsOf(read(description))).toEqual([
      `/paths/~1pets/parameters | ${ONE}`,
      `${at}/parameters | ${ONE}`,
    ]);
  });

  test('may be a reference', () => {
    const description = openapi(
      { parameters: { $ref: '#/components/parameters/Page' } },
      { components: { parameters: { Page: inQuery('page') } } },
    );

    expect(propertiesOf(only(description))).toEqual({ page: string });
  });

  test('is the property that has to be given', () => {
    const schema = { type: 'object', required: 'name', properties: { name: string, tag: string } };

    expect(inputOf(schema)).toMatchObject({ required: ['name'] });
    expect(warningsOf(read(withBody(schema)))).toEqual([
      `${bodySchema}/required | required is written otherwise; read as ["name"]`,
    ]);
  });

  test('is the member of an allOf, but no enum, which may be a name', () => {
    const kind = { type: 'string', enum: 'Kinds' };
    const schema = { allOf: { type: 'object', properties: { kind, name: string } } };

    expect(propertiesOf(only(withBody(schema)))).toEqual({ kind: string, name: string });
    expect(warningsOf(read(withBody(schema)))).toEqual([`${bodySchema}/allOf | ${ONE}`]);
  });

  test('is the media type and the scheme of Swagger 2.0', () => {
    const body = { name: 'body', in: 'body', schema: string };
    const operation = { consumes: 'text/plain', produces: 'text/csv', parameters: [body] };
    const description = swagger(operation, { schemes: 'http' });

    expect(read(description).root).toMatchObject({ schemes: ['http'] });
    expect(only(description).operation).toMatchObject({
      body: { mediaType: 'text/plain' },
      accept: ['text/csv'],
    });
  });

  test('is the server, and the credential', () => {
    const { root, warnings } = read(
      openapi({}, { servers: { url: 'https://api.example.com' }, security: { key: [] } }),
    );

    expect(root).toMatchObject({
      servers: [{ url: 'https://api.example.com' }],
      security: [{ key: [] }],
    });
    expect(warnings.map(({ where }) => where)).toEqual(
      expect.arrayContaining(['/servers', '/security']),
    );
  });

  test.each<[string, Members]>([
    [
      '`required: "true"` of a property',
      { type: 'object', required: 'true', properties: { a: string } },
    ],
    [
      'names of alternatives',
      { type: 'object', properties: { a: string }, anyOf: { A: {}, B: {} } },
    ],
  ])('is none of %s', (_, schema) => {
    expect(inputOf(schema)).not.toHaveProperty('required');
    expect(warningsOf(read(withBody(schema)))).toEqual([]);
  });
});

test('a list with gaps comes as an object from PHP', () => {
  const parameters = { 0: inQuery('page'), 2: inQuery('size') };

  expect(Object.keys(propertiesOf(only(openapi({ parameters }))))).toEqual(['page', 'size']);
  expect(warningsOf(read(openapi({ parameters })))).toEqual([
    `${at}/parameters | no list; read as one`,
  ]);
  expect(
    inputOf({ type: 'object', required: { 1: 'a', 3: 'b' }, properties: { a: string, b: string } }),
  ).toMatchObject({ required: ['a', 'b'] });
});
