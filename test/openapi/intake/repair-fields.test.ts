import { describe, expect, test } from '@jest/globals';
import type { Json, JsonObject } from '../../../layers/platform/rules/json/json.ts';
import { onlyOf, propertiesOf, toolsOf } from '../../support/openapi/compile.ts';
import { aDescription, anOperation, read, warningsOf } from '../../support/openapi/intake.ts';

const string = { type: 'string' };
const described = (parameters: Json, more: JsonObject = {}) =>
  aDescription({ paths: { '/a': { post: anOperation({ parameters, ...more }) } } });
const toolOf = (parameters: Json, more: JsonObject = {}) =>
  onlyOf(toolsOf(described(parameters, more)));

describe('a field that is true or false', () => {
  test.each([
    ['true', ['x']],
    ['True', ['x']],
    ['false', undefined],
    ['yes', undefined],
  ])('is read from a text: %s', (required, names) => {
    const x = { name: 'x', in: 'query', schema: string, required };
    expect(toolOf([x]).inputSchema['required']).toEqual(names);
  });

  test('is read in styles, bodies and schemas, each with a warning', () => {
    const x = {
      name: 'x',
      in: 'query',
      schema: { type: 'array', items: string },
      explode: 'false',
    };
    const schema = {
      type: 'object',
      properties: { a: { ...string, nullable: 'true' }, b: { ...string, readOnly: 'true' } },
      additionalProperties: 'false',
    };
    const requestBody = { required: 'true', content: { 'application/json': { schema } } };
    const tool = toolOf([x], { requestBody });

    expect(tool.operation.parameters).toMatchObject([{ explode: false }]);
    expect(tool.operation.body).toMatchObject({ required: true, source: { additional: false } });
    expect(propertiesOf(tool)).toMatchObject({ a: { type: ['string', 'null'] } });
    expect(propertiesOf(tool)).not.toHaveProperty('b');
    expect(warningsOf(read(described([x], { requestBody })))).toHaveLength(5);
  });

  test('stays a text where it is the name of a property', () => {
    const schema = { type: 'object', properties: { required: { ...string, enum: ['true'] } } };
    const requestBody = { content: { 'application/json': { schema } } };

    expect(warningsOf(read(described([], { requestBody })))).toEqual([]);
  });
});

describe('a list that is none', () => {
  test.each<[string, Json, readonly string[]]>([
    ['with numbers as keys', { 0: 'a', 2: 'b' }, ['a', 'b']],
    ['of one list', [['a', 'b']], ['a', 'b']],
    ['as a text with commas', 'a, b', ['a', 'b']],
  ])('is read as the values of a schema: %s', (_, values, listed) => {
    const x = { name: 'x', in: 'query', schema: { ...string, enum: values } };

    expect(propertiesOf(toolOf([x]))['x']).toEqual({ ...string, enum: listed });
    expect(warningsOf(read(described([x])))).toEqual([
      '/paths/~1a/post/parameters/0/schema/enum | enum is written otherwise; read as ["a","b"]',
    ]);
  });

  test.each<[string, Json]>([
    ['with words as keys', { a: 'A', b: 'B' }],
    ['as a text without commas', 'a'],
  ])('says nothing of values: %s', (_, values) => {
    const x = { name: 'x', in: 'query', schema: { ...string, enum: values } };
    expect(propertiesOf(toolOf([x]))['x']).toEqual(string);
  });

  test('is one where the values are lists', () => {
    const schema = { type: 'array', items: string, enum: [['a', 'b']] };
    const x = { name: 'x', in: 'query', schema };

    expect(warningsOf(read(described([x])))).toEqual([]);
  });

  test.each<[string, Json]>([
    ['as a text', 'a'],
    ['with numbers as keys', { 1: 'a' }],
  ])('is read as the names that are required: %s', (_, required) => {
    const schema = { type: 'object', properties: { a: string }, required };
    const requestBody = { required: true, content: { 'application/json': { schema } } };

    expect(toolOf([], { requestBody }).inputSchema['required']).toEqual(['a']);
  });

  test('is read as parameters by their names, or none', () => {
    const x = { in: 'query', schema: string };

    expect(Object.keys(propertiesOf(toolOf({ x, y: { ...x, name: 'z' } })))).toEqual(['x', 'z']);
    expect(propertiesOf(toolOf({}))).toEqual({});
    expect(warningsOf(read(described({})))).toEqual([]);
  });

  test('is no server', () => {
    const { operation } = toolOf([], { servers: {} });
    expect(operation.serverUrl).toBe('https://api.example.com/v1');
  });
});

describe('a reference to a component', () => {
  const Pet = { type: 'object', properties: { a: string } };
  const referring = ($ref: string, members: JsonObject) => {
    const requestBody = { content: { 'application/json': { schema: { $ref } } } };
    const paths = { '/a': { post: anOperation({ requestBody }) } };
    return aDescription({ ...members, paths });
  };

  test.each(['#/definitions/Pet', '#/components/schema/Pet', '#/schemas/Pet'])(
    'is found where OpenAPI 3 has it: %s',
    (ref) => {
      const description = referring(ref, { components: { schemas: { Pet } } });

      expect(propertiesOf(onlyOf(toolsOf(description)))).toEqual({ a: string });
      expect(warningsOf(read(description))).toEqual([
        expect.stringContaining(`refers to "${ref}"; read as "#/components/schemas/Pet"`),
      ]);
    },
  );

  test('is any value where no component has its name', () => {
    const description = referring('#/definitions/Pets', { components: { schemas: { Pet } } });
    expect(propertiesOf(onlyOf(toolsOf(description)))).toEqual({ body: {} });
  });

  test('of a parameter is found, too', () => {
    const x = { name: 'x', in: 'query', schema: string };
    const description = aDescription({
      components: { parameters: { X: x } },
      paths: { '/a': { get: anOperation({ parameters: [{ $ref: '#/parameters/X' }] }) } },
    });
    expect(propertiesOf(onlyOf(toolsOf(description)))).toEqual({ x: string });
  });
});

describe('an object in a query that is required', () => {
  const asked = (schema: JsonObject, more: JsonObject = {}) =>
    toolOf([{ name: 'pageable', in: 'query', required: true, schema, ...more }]).inputSchema[
      'required'
    ];
  const object = { type: 'object', properties: { page: { type: 'integer' } } };

  test('may be left out if it may be empty, since nothing is sent of it', () => {
    expect(asked(object)).toBeUndefined();
    expect(asked(object, { style: 'deepObject', explode: true })).toBeUndefined();
  });

  test.each<[string, JsonObject, JsonObject]>([
    ['has a member that is required', { ...object, required: ['page'] }, {}],
    ['may not be empty', { ...object, minProperties: 1 }, {}],
    ['is JSON', {}, { content: { 'application/json': { schema: object } } }],
    ['is one of several', { oneOf: [object, { ...object, required: ['page'] }] }, {}],
    ['may be a text', { type: ['object', 'string'] }, {}],
  ])('is asked for where it %s', (_, schema, more) => {
    expect(asked(schema, more)).toEqual(['pageable']);
  });
});
