import { describe, expect, test } from '@jest/globals';
import type { Json } from '../../../layers/platform/rules/json/json.ts';
import { aDescription, anOperation } from '../../support/openapi/intake.ts';
import {
  onlyOf,
  propertiesOf,
  swagger,
  toolOf,
  toolsOf,
  warningsOf,
} from '../../support/openapi/compile.ts';

const string = { type: 'string' };

/** Argument name to `in:name` on the wire. */
const sentAs = (parameters: readonly Json[], path = '/pets'): Readonly<Record<string, string>> => {
  const { operation, inputSchema } = toolOf({ parameters }, {}, path);
  expect(Object.keys(inputSchema['properties'] as object)).toEqual(
    operation.parameters.map(({ argument }) => argument),
  );
  return Object.fromEntries(
    operation.parameters.map((one) => [one.argument, `${one.in}:${one.name}`]),
  );
};

describe('the parameters of an operation', () => {
  test('are merged with those of its path by name and location', () => {
    const tool = onlyOf(
      toolsOf(
        aDescription({
          paths: {
            '/pets/{id}': {
              parameters: [
                { name: 'id', in: 'path', required: true, schema: string },
                { name: 'limit', in: 'query', schema: { type: 'integer', maximum: 10 } },
                { name: 'X-Trace', in: 'header', schema: string },
              ],
              get: anOperation({
                parameters: [
                  { $ref: '#/components/parameters/Limit' },
                  { name: 'x-trace', in: 'header', required: true, schema: string },
                ],
              }),
            },
          },
          components: {
            parameters: {
              Limit: { name: 'limit', in: 'query', schema: { type: 'integer', maximum: 99 } },
            },
          },
        }),
      ),
    );

    expect(tool.inputSchema).toEqual({
      type: 'object',
      properties: { id: string, limit: { type: 'integer', maximum: 99 }, 'x-trace': string },
      required: ['id', 'x-trace'],
    });
  });

  test('include as required texts those that the path names but nobody declares', () => {
    const { operation, inputSchema } = toolOf({}, {}, '/pets/{id}/{kind}');

    expect(inputSchema).toEqual({
      type: 'object',
      properties: { id: string, kind: string },
      required: ['id', 'kind'],
    });
    expect(operation.parameters[0]).toEqual({
      argument: 'id',
      name: 'id',
      in: 'path',
      required: true,
      style: 'simple',
      explode: false,
      allowReserved: false,
    });
  });

  test('are left out with a warning where the path does not name them', () => {
    const parameters = [{ name: 'id', in: 'path', required: true, schema: string }];

    expect(sentAs(parameters)).toEqual({});
    expect(warningsOf({ parameters })).toEqual(['the path has no place for parameter id']);
  });

  test('are all arguments where they share a name in several locations, whatever their order', () => {
    const parameters = [
      { name: 'id', in: 'cookie', schema: string },
      { name: 'id', in: 'header', schema: string },
      { name: 'id', in: 'query', schema: string },
      { name: 'id', in: 'path', required: true, schema: string },
    ];
    const names = {
      id: 'path:id',
      id_query: 'query:id',
      id_header: 'header:id',
      id_cookie: 'cookie:id',
    };

    expect(sentAs(parameters, '/pets/{id}')).toEqual(names);
    expect(sentAs(parameters.toReversed(), '/pets/{id}')).toEqual(names);
  });

  test.each<[string, readonly Json[], Record<string, string>]>([
    [
      'names that model APIs refuse',
      [
        { name: 'filter[x]', in: 'query', schema: string },
        { name: '$top', in: 'query', schema: string },
        { name: '__proto__', in: 'query', schema: string },
      ],
      { filter_x: 'query:filter[x]', top: 'query:$top', proto: 'query:__proto__' },
    ],
    [
      'a name that is made and one that is given',
      [
        { name: 'id[]', in: 'path', required: true, schema: string },
        { name: 'id', in: 'cookie', schema: string },
      ],
      { id_path: 'path:id[]', id: 'cookie:id' },
    ],
  ])('keep their name on the wire where they have %s', (_, parameters, names) => {
    expect(sentAs(parameters, parameters.length === 2 ? '/pets/{id[]}' : '/pets')).toEqual(
      expect.objectContaining(names),
    );
  });

  test('never share an argument, even where one is named like a renamed one', () => {
    const names = sentAs(
      ['a[b', 'a(b', 'a_b', 'a_b_query'].map((name) => ({ name, in: 'query', schema: string })),
    );

    expect(Object.values(names).toSorted()).toEqual([
      'query:a(b',
      'query:a[b',
      'query:a_b',
      'query:a_b_query',
    ]);
    expect(names).toMatchObject({ a_b: 'query:a_b', a_b_query: 'query:a_b_query' });
  });

  test('are told apart by their signs in words, as Twilio names the limits of a day', () => {
    const parameters = ['Day<', 'Day', 'Day>'].map((name) => ({
      name,
      in: 'query',
      schema: { type: 'string' },
    }));

    expect(Object.keys(propertiesOf(toolOf({ parameters })))).toEqual([
      'Day_less',
      'Day',
      'Day_more',
    ]);
  });

  test('state their name on the wire where the argument has another', () => {
    const { inputSchema } = toolOf({
      parameters: [{ name: 'filter[x]', in: 'query', description: 'By x.', schema: string }],
    });

    expect(inputSchema['properties']).toEqual({
      filter_x: { type: 'string', description: 'By x. Sent as query parameter "filter[x]".' },
    });
  });

  test('have their own description, example and deprecation', () => {
    const { inputSchema } = toolOf({
      parameters: [
        {
          name: 'a',
          in: 'query',
          description: 'Mine.',
          deprecated: true,
          examples: { one: { value: 'x' } },
          schema: { type: 'string', description: 'Of the schema.', example: 'y' },
        },
      ],
    });

    expect(inputSchema['properties']).toEqual({
      a: { type: 'string', description: 'Mine. Deprecated.', examples: ['x'] },
    });
  });
});

describe('a parameter that the service sets itself', () => {
  test.each(['Accept', 'content-type', 'AUTHORIZATION', 'Host', 'Cookie', 'X-Amz-Date', 'Sec-Foo'])(
    'is no argument where it is the header %s',
    (name) => {
      expect(sentAs([{ name, in: 'header', schema: string }])).toEqual({});
    },
  );

  test('gets a warning where it is a required header that calls may not set', () => {
    const parameters = [
      { name: 'X-Amz-Date', in: 'header', required: true, schema: string },
      { name: 'Accept', in: 'header', required: true, schema: string },
    ];

    expect(warningsOf({ parameters })).toEqual([
      'header X-Amz-Date is required, but calls may not set it: the API may refuse them',
    ]);
  });

  test.each(['x-amz-copy-source', 'X-Amz-Target', 'x-amz-meta-author'])(
    'the header %s of an AWS API is an argument like any other',
    (name) => {
      expect(sentAs([{ name, in: 'header', required: true, schema: string }])).toEqual({
        [name]: `header:${name}`,
      });
    },
  );

  const fixed = (name: string, schema: Json) => [{ name, in: 'header', required: true, schema }];

  test.each<[string, Json]>([
    ['an enum of one', { type: 'string', enum: ['DynamoDB_20120810.ListTables'] }],
    ['a const', { const: 'DynamoDB_20120810.ListTables' }],
    ['a reference', { $ref: '#/components/schemas/Target' }],
  ])('is always sent where it is a required header of AWS that %s fixes', (_, schema) => {
    const members = {
      openapi: '3.1.0',
      components: { schemas: { Target: { enum: ['DynamoDB_20120810.ListTables'] } } },
    };
    const operation = { parameters: fixed('X-Amz-Target', schema) };

    expect(toolOf(operation, members)).toMatchObject({
      inputSchema: { properties: {} },
      operation: { parameters: [], headers: { 'x-amz-target': 'DynamoDB_20120810.ListTables' } },
    });
    expect(warningsOf(operation, members)).toEqual([]);
  });

  test('is always sent where it is a header of AWS that a Swagger 2.0 description fixes', () => {
    const header = { name: 'X-Amz-Target', in: 'header', required: true };
    const [tool] = toolsOf(swagger({ parameters: [{ ...header, type: 'string', enum: ['A.B'] }] }));

    expect(tool?.operation.headers).toEqual({ 'x-amz-target': 'A.B' });
  });

  test.each(['Host', 'Authorization', 'Cookie', 'Connection', 'X-Forwarded-For', 'Via', 'Sec-A'])(
    'is not sent even where the description fixes the header %s',
    (name) => {
      const { operation } = toolOf({ parameters: fixed(name, { enum: ['x'] }) });

      expect(operation).not.toHaveProperty('headers');
      expect(operation.parameters).toEqual([]);
    },
  );

  test.each<[string, Json, boolean]>([
    ['leaves a choice', { enum: ['a', 'b'] }, true],
    ['holds what no header can', { enum: ['a\r\nb'] }, true],
    ['may be left out', { enum: ['a'] }, false],
  ])('is not sent where it is a header of AWS that %s', (_, schema, required) => {
    const header = { name: 'X-Amz-Target', in: 'header', required, schema };

    expect(toolOf({ parameters: [header] }).operation).not.toHaveProperty('headers');
  });

  test('is no argument where it carries an API key of OpenAPI 3', () => {
    const { operation } = toolOf(
      {
        parameters: [
          { name: 'X-Key', in: 'header', required: true, schema: string },
          { name: 'key', in: 'query', schema: string },
          { name: 'key', in: 'cookie', schema: string },
        ],
      },
      {
        components: {
          securitySchemes: {
            header: { type: 'apiKey', name: 'x-key', in: 'header' },
            query: { type: 'apiKey', name: 'key', in: 'query' },
            bearer: { type: 'http', scheme: 'bearer' },
          },
        },
      },
    );

    expect(operation.parameters.map((one) => `${one.in}:${one.name}`)).toEqual(['cookie:key']);
  });

  test('is no argument where it carries an API key of Swagger 2.0', () => {
    const { operation } = onlyOf(
      toolsOf(
        swagger(
          {
            parameters: [
              { name: 'key', in: 'query', type: 'string' },
              { name: 'q', in: 'query', type: 'string' },
            ],
          },
          { securityDefinitions: { key: { type: 'apiKey', name: 'key', in: 'query' } } },
        ),
      ),
    );

    expect(operation.parameters.map(({ name }) => name)).toEqual(['q']);
  });
});

describe('the style of a parameter', () => {
  const styleOf = (parameter: Readonly<Record<string, Json>>, path = '/pets') => {
    const { style, explode, allowReserved } = onlyOf(
      toolOf({ parameters: [{ name: 'a', schema: string, ...parameter }] }, {}, path).operation
        .parameters,
    );
    return [style, explode, allowReserved];
  };

  test.each([
    ['query', 'form', true],
    ['header', 'simple', false],
    ['cookie', 'form', true],
  ])('for the location %s is %s by default, with explode %s', (place, style, explode) => {
    expect(styleOf({ in: place })).toEqual([style, explode, false]);
  });

  test.each(['simple', 'label', 'matrix'])('for the path may be %s', (style) => {
    const parameter = { in: 'path', required: true, style };

    expect(styleOf(parameter, '/pets/{a}')).toEqual([style, false, false]);
    expect(styleOf({ ...parameter, explode: true }, '/pets/{a}')).toEqual([style, true, false]);
  });

  test.each([
    ['form', true],
    ['spaceDelimited', false],
    ['pipeDelimited', false],
    ['deepObject', false],
  ])('for the query may be %s', (style, explode) => {
    expect(styleOf({ in: 'query', style })).toEqual([style, explode, false]);
    expect(styleOf({ in: 'query', style, explode: false, allowReserved: true })).toEqual([
      style,
      false,
      true,
    ]);
  });

  test('is the default one where its location does not allow the given style', () => {
    expect(styleOf({ in: 'header', style: 'deepObject' })).toEqual(['simple', false, false]);
  });

  test.each([
    [undefined, 'form', false],
    ['csv', 'form', false],
    ['ssv', 'spaceDelimited', false],
    ['tsv', 'tabDelimited', false],
    ['pipes', 'pipeDelimited', false],
    ['multi', 'form', true],
  ])(
    'for the collectionFormat %s of Swagger 2.0 is %s, with explode %s',
    (format, style, explode) => {
      const parameter = {
        name: 'a',
        in: 'query',
        type: 'array',
        items: { type: 'string' },
        ...(format === undefined ? {} : { collectionFormat: format }),
      };
      const { operation, inputSchema } = onlyOf(toolsOf(swagger({ parameters: [parameter] })));

      expect(onlyOf(operation.parameters)).toMatchObject({ style, explode });
      expect(inputSchema['properties']).toEqual({
        a: { type: 'array', items: { type: 'string' } },
      });
    },
  );
});

describe('a parameter with content', () => {
  test('is written in its media type', () => {
    const schema = { type: 'object', properties: { x: { type: 'integer' } } };
    const { operation, inputSchema } = toolOf({
      parameters: [
        {
          name: 'filter',
          in: 'query',
          content: { 'text/plain': {}, 'application/json': { schema } },
        },
      ],
    });

    expect(onlyOf(operation.parameters)).toMatchObject({ mediaType: 'application/json' });
    expect(inputSchema['properties']).toEqual({ filter: schema });
  });

  test('is a text where its media type is not JSON', () => {
    const { operation, inputSchema } = toolOf({
      parameters: [
        { name: 'a', in: 'query', content: { 'application/xml': { schema: { type: 'object' } } } },
      ],
    });

    expect(onlyOf(operation.parameters)).toMatchObject({ mediaType: 'application/xml' });
    expect(inputSchema['properties']).toEqual({ a: string });
  });
});

describe('a parameter that is the whole query string', () => {
  const querystring = (content: Json) =>
    toolOf({ parameters: [{ name: 'q', in: 'querystring', content }] }, { openapi: '3.2.0' });

  test('becomes an argument for each property of its form', () => {
    const schema = {
      type: 'object',
      properties: { a: string, b: { type: 'integer' } },
      required: ['b'],
    };
    const tool = querystring({ 'application/x-www-form-urlencoded': { schema } });

    expect(tool.inputSchema).toEqual(schema);
    expect(tool.operation.parameters.map((one) => `${one.in}:${one.name}`)).toEqual([
      'query:a',
      'query:b',
    ]);
  });

  test('is one argument where its content is no form', () => {
    const schema = { type: 'object', properties: { a: string } };
    const { inputSchema, operation } = querystring({ 'application/json': { schema } });

    expect(inputSchema['properties']).toEqual({ q: schema });
    expect(onlyOf(operation.parameters)).toMatchObject({
      mediaType: 'application/json',
      isQuery: true,
    });
  });

  test('is one argument where its form allows any properties', () => {
    const schema = { type: 'object', properties: { a: string }, additionalProperties: string };
    const { operation } = querystring({ 'application/x-www-form-urlencoded': { schema } });

    expect(onlyOf(operation.parameters)).toMatchObject({ argument: 'q', isQuery: true });
  });

  test('gets a warning where it has no content', () => {
    const parameters = [{ name: 'q', in: 'querystring' }];

    expect(warningsOf({ parameters }, { openapi: '3.2.0' })).toEqual([
      'query string q has no content',
    ]);
  });
});
