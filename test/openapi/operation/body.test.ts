import { describe, expect, test } from '@jest/globals';
import type { Json, JsonObject } from '../../../layers/platform/rules/json/json.ts';
import {
  compiled,
  onlyOf,
  propertiesOf,
  swagger,
  toolOf,
  toolsOf,
  type Tool,
  warningsOf,
} from '../../support/openapi/compile.ts';
import { aDescription, anOperation, read } from '../../support/openapi/intake.ts';

const string = { type: 'string' };
const object = (
  properties: Readonly<Record<string, Json>>,
  more: Readonly<Record<string, Json>> = {},
) => ({
  type: 'object',
  properties,
  ...more,
});

const body = (
  schema: Json,
  mediaType = 'application/json',
  more: Readonly<Record<string, Json>> = {},
) => ({
  requestBody: { required: true, content: { [mediaType]: { schema } }, ...more },
});

const rootOf = ({ inputSchema }: Tool) => inputSchema;
const sourceOf = ({ operation }: Tool) => operation.body?.source;

describe('a JSON body', () => {
  test('becomes an argument for each of its properties, where it is an object', () => {
    const tool = toolOf(body(object({ name: string, 'born at': string }, { required: ['name'] })));

    expect(rootOf(tool)).toEqual({
      type: 'object',
      properties: {
        name: string,
        born_at: { type: 'string', description: 'Sent as "born at".' },
      },
      required: ['name'],
    });
    expect(tool.operation.body).toEqual({
      required: true,
      mediaType: 'application/json',
      form: 'json',
      source: {
        kind: 'properties',
        properties: [
          { argument: 'name', name: 'name' },
          { argument: 'born_at', name: 'born at' },
        ],
        additional: false,
      },
    });
  });

  test('may be a reference, and a composition of objects', () => {
    const tool = toolOf(body({ $ref: '#/components/schemas/New' }), {
      components: {
        schemas: {
          New: { allOf: [{ $ref: '#/components/schemas/Base' }, object({ b: string })] },
          Base: object({ a: string }, { required: ['a'] }),
        },
      },
    });

    expect(rootOf(tool)).toEqual({
      type: 'object',
      properties: { a: string, b: string },
      required: ['a'],
    });
  });

  test('takes further properties where the description says so', () => {
    const tool = toolOf(body(object({ a: string }, { additionalProperties: true })));

    expect(sourceOf(tool)).toMatchObject({ additional: true });
    expect(Object.keys(rootOf(tool))).toEqual(['type', 'properties']);
    expect(tool.description).toContain('Further arguments become fields of the body.');
  });

  test('describes what its alternatives require, where they differ in nothing else', () => {
    const schema = object(
      { title: string, body: string, tag: string },
      { anyOf: [{ required: ['title'] }, { required: ['body', 'tag'] }], minProperties: 2 },
    );
    const tool = toolOf({ summary: 'Write.', ...body(schema) });

    expect(rootOf(tool)).toEqual({
      type: 'object',
      properties: { title: string, body: string, tag: string },
    });
    expect(tool.description).toBe(
      'Write. Give at least one of: title; body + tag. The body needs at least 2 fields.',
    );
    expect(tool.operation.rules).toEqual([
      { kind: 'needs', sets: [['title'], ['body', 'tag']] },
      { kind: 'counts', of: ['title', 'body', 'tag'], least: 2 },
    ]);
  });

  test('has its rules checked by the names of the arguments, where it is given', () => {
    const schema = object(
      { 'a b': string, c: string, d: string },
      { maxProperties: 2, dependentRequired: { 'a b': ['c'], d: ['elsewhere'] } },
    );
    const rules = (required: boolean) =>
      toolOf(body(schema, 'application/json', { required })).operation.rules;
    const most = { kind: 'counts', of: ['a_b', 'c', 'd'], most: 2 };
    const dependent = { kind: 'needs', when: ['a_b'], sets: [['c']] };

    expect(rules(true)).toEqual([most, dependent]);
    expect(rules(false)).toEqual([{ when: most.of, ...most }, dependent]);
  });

  test('leaves very long rules to the API to check', () => {
    const names = Array.from({ length: 300 }, (_, n) => `p${n}`);
    const dependentRequired = Object.fromEntries(names.map((name) => [name, names.slice(0, 50)]));
    const properties = Object.fromEntries(names.map((name) => [name, string]));

    const tool = toolOf(body(object(properties, { dependentRequired })));

    expect(tool.operation).not.toHaveProperty('rules');
  });

  test.each<[string, Json]>([
    ['no object', { type: 'array', items: string }],
    ['anything', true],
    ['an object or null', { ...object({ a: string }), type: ['object', 'null'] }],
    ['an object without properties', { type: 'object' }],
    ['a map', { type: 'object', additionalProperties: string }],
    ['an object with a rule for the rest', object({ a: string }, { additionalProperties: string })],
    ['an object with patterns', object({ a: string }, { patternProperties: { '^x': string } })],
    ['a choice', { anyOf: [object({ a: string }), object({ b: string })] }],
    [
      'an object with a choice in it',
      object({ a: string }, { anyOf: [object({ b: string }), object({ c: string })] }),
    ],
  ])('is one argument where it is %s', (_, schema) => {
    const tool = toolOf(body(schema));

    expect(Object.keys(rootOf(tool)['properties'] as object)).toEqual(['body']);
    expect(sourceOf(tool)).toEqual({ kind: 'whole', argument: 'body' });
  });

  test('is one argument where a property has the name of a parameter', () => {
    const tool = toolOf(
      {
        parameters: [{ name: 'id', in: 'path', required: true, schema: string }],
        ...body(object({ id: string, name: string }), 'application/json', {
          description: 'The pet.',
        }),
      },
      {},
      '/pets/{id}',
    );

    expect(rootOf(tool)).toEqual({
      type: 'object',
      properties: {
        id: string,
        body: {
          type: 'object',
          description: 'The pet. {} if left out.',
          properties: { id: string, name: string },
        },
      },
      required: ['id'],
    });
  });

  test('gets another argument name where parameters are named body', () => {
    const tool = toolOf({
      parameters: [{ name: 'body', in: 'query', schema: string }],
      ...body({ type: 'array', items: string }),
    });

    expect(sourceOf(tool)).toEqual({ kind: 'whole', argument: 'request_body' });
  });

  test('is one argument where it may be left out as a whole but requires some properties', () => {
    const optional = { required: false };
    const free = toolOf(body(object({ a: string }), 'application/json', optional));
    const bound = toolOf(
      body(object({ a: string }, { required: ['a'] }), 'application/json', optional),
    );

    expect(rootOf(free)).toMatchObject({ properties: { a: string } });
    expect(free.operation.body).toMatchObject({ required: false });
    expect(rootOf(bound)).toEqual({
      type: 'object',
      properties: { body: { type: 'object', required: ['a'], properties: { a: string } } },
    });
  });

  test('keeps the names on the wire of nested properties that are renamed', () => {
    const tool = toolOf(
      body(
        object({ filter: object({ 'a[b]': string, next: { $ref: '#/components/schemas/Node' } }) }),
      ),
      {
        components: { schemas: { Node: object({ 'x y': { $ref: '#/components/schemas/Node' } }) } },
      },
    );

    expect(tool.operation.wireNames).toEqual({
      '/properties/filter/properties/a_b': 'a[b]',
      '/$defs/Node/properties/x_y': 'x y',
    });
  });
});

describe('the media type of a body', () => {
  test.each<[readonly string[], string, string]>([
    [['text/plain', 'application/xml', 'application/json'], 'application/json', 'json'],
    [['application/json', 'application/vnd.api+json'], 'application/json', 'json'],
    [['multipart/form-data', 'application/vnd.api+json'], 'application/vnd.api+json', 'json'],
    [['application/json; charset=utf-8'], 'application/json; charset=utf-8', 'json'],
    [['*/*'], 'application/json', 'json'],
    [
      ['multipart/form-data', 'application/x-www-form-urlencoded'],
      'application/x-www-form-urlencoded',
      'form',
    ],
    [['text/plain', 'multipart/form-data'], 'multipart/form-data', 'multipart'],
    [['image/png', 'text/csv'], 'text/csv', 'text'],
    [['application/x-ndjson'], 'application/x-ndjson', 'text'],
    [['image/png'], 'image/png', 'binary'],
    [['application/xml, application/json'], 'application/json', 'json'],
    [['text/xml', 'json'], 'application/json', 'json'],
    [['applicationjson;version=1'], 'application/json', 'json'],
  ])('is chosen from %j: %s', (offered, mediaType, form) => {
    const content = Object.fromEntries(
      offered.map((type) => [type, { schema: object({ a: string }) }]),
    );
    const { operation } = toolOf({ requestBody: { content } });

    expect(operation.body).toMatchObject({ mediaType, form });
  });

  test('is JSON as well for calls without a file, where it has the same schema', () => {
    const form = object({ note: string, photo: { type: 'string', format: 'binary' } });
    const bodyOf = (content: JsonObject) => toolOf({ requestBody: { content } }).operation.body;

    expect(
      bodyOf({ 'application/json': { schema: form }, 'multipart/form-data': { schema: form } }),
    ).toMatchObject({ mediaType: 'multipart/form-data', jsonType: 'application/json' });
    for (const other of [object({ note: string }), object({})]) {
      expect(
        bodyOf({ 'application/json': { schema: other }, 'multipart/form-data': { schema: form } }),
      ).not.toHaveProperty('jsonType');
    }
    const noFile = { schema: object({ note: string }) };
    expect(
      bodyOf({ 'application/json': noFile, 'multipart/form-data': noFile }),
    ).not.toHaveProperty('jsonType');
  });

  test.each(['*/*', 'image/*', 'image/png'])('of a part is that of a file: %s', (type) => {
    const photo = { type: 'string', contentMediaType: type };
    const content = { 'multipart/form-data': { schema: object({ photo }) } };

    expect(rootOf(toolOf({ requestBody: { content } })).properties).toMatchObject({
      photo: { description: expect.stringContaining('A file') },
    });
  });

  test.each<[Json, string]>([
    [object({}), 'application/merge-patch+json'],
    [{ type: 'array', items: object({}) }, 'application/json-patch+json'],
    [{}, 'application/json-patch+json'],
  ])('is that of a patch that its schema can be: %j', (schema, mediaType) => {
    const offered = [
      'application/json-patch+json',
      'application/merge-patch+json',
      'application/strategic-merge-patch+json',
    ];
    const content = Object.fromEntries(offered.map((type) => [type, { schema }]));

    expect(toolOf({ requestBody: { content } }).operation.body).toMatchObject({ mediaType });
    const parameters = [{ name: 'body', in: 'body', schema }];
    const { operation } = onlyOf(toolsOf(swagger({ consumes: offered, parameters })));
    expect(operation.body).toMatchObject({ mediaType });
  });

  test.each([
    ['image/*', 'the body may be any image/*; it is sent as application/octet-stream'],
    ['text/*', 'the body may be any text/*; it is sent as text/plain'],
    ['application/xml', 'the body is XML, which is sent as the text that the model writes'],
    ['json', 'json is no media type; it is sent as application/json'],
    ['multipart/mixed', 'the parts of multipart/mixed are written as those of multipart/form-data'],
  ])('gets a warning where it is %s', (mediaType, warning) => {
    expect(warningsOf(body(object({ a: string }), mediaType))).toEqual([warning]);
  });

  test.each([
    ['*/*', { type: 'string' }, 'text/plain', 'text'],
    ['*/*', { type: 'string', format: 'binary' }, 'application/octet-stream', 'binary'],
    ['application/*', { type: 'string', format: 'binary' }, 'application/octet-stream', 'binary'],
  ])('is for any type %s that of a string or of bytes: %j', (range, schema, mediaType, form) => {
    const described = body(schema, range);

    expect(toolOf(described).operation.body).toMatchObject({ mediaType, form });
    expect(warningsOf(described)).toEqual([
      `the body may be any ${range}; it is sent as ${mediaType}`,
    ]);
  });

  test('gets a warning where it has an object among its parts that is XML', () => {
    const requestBody = {
      content: {
        'multipart/form-data': {
          schema: object({
            history: object({ a: string }, { description: 'As XML.' }),
            tags: object({ b: string }),
          }),
          encoding: {
            history: { contentType: 'application/xml; charset=utf-8' },
            tags: { contentType: 'application/xml', style: 'deepObject' },
          },
        },
      },
    };

    expect(rootOf(toolOf({ requestBody })).properties).toMatchObject({
      history: {
        type: 'string',
        description: 'As XML. The part as text (application/xml; charset=utf-8).',
      },
      tags: { type: 'object' },
    });
    expect(warningsOf({ requestBody })).toEqual([
      'the part history is an object, which is sent as the text that the model writes',
    ]);
  });

  test.each(['multipart/form-data', 'application/x-www-form-urlencoded'])(
    'has any fields where %s is described as one text',
    (mediaType) => {
      const form = body({ type: 'string', description: 'A recipe.' }, mediaType);

      expect(rootOf(toolOf(form)).properties).toEqual({
        body: {
          type: 'object',
          description: 'A recipe. The fields of the form, by their names.',
          additionalProperties: { type: 'string' },
        },
      });
      expect(warningsOf(form)).toEqual([`no field of ${mediaType} has a name; any field is sent`]);
    },
  );

  test.each<[string, Json]>([
    ['one', { type: 'string', format: 'binary' }],
    ['a list of some', { type: 'array', items: object({ bytes: string }) }],
  ])('has any files where multipart is described as %s', (_, schema) => {
    const { body: fields } = rootOf(toolOf(body(schema, 'multipart/form-data')))
      .properties as Record<string, Record<string, unknown>>;

    expect(fields?.['additionalProperties']).toMatchObject({
      anyOf: [{ type: 'string', contentEncoding: 'base64' }, { required: ['data'] }],
    });
  });

  test('writes the members of parts that have a file inside as fields of their own', () => {
    const binary = { ...string, format: 'binary' };
    const parts = {
      one: object({ photo: binary }),
      some: {
        type: 'array',
        items: object({ deep: object({ photos: { type: 'array', items: binary } }) }),
      },
      node: { $ref: '#/components/schemas/Node' },
      again: { $ref: '#/components/schemas/Photo' },
      photo: { $ref: '#/components/schemas/Photo' },
      file: binary,
      files: { type: 'array', items: binary },
      encoded: object({ bytes: { ...string, format: 'byte' } }),
    };
    const schemas = {
      Node: object({ next: { $ref: '#/components/schemas/Node' } }),
      Photo: object({ photo: binary }),
    };
    const { operation } = toolOf(body(object(parts), 'multipart/form-data'), {
      components: { schemas },
    });
    expect(Object.keys(operation.body?.encoding ?? {})).toEqual(['one', 'some', 'again', 'photo']);
    expect(warningsOf(body(object(parts)), { components: { schemas } })).not.toContainEqual(
      expect.stringContaining('among its members'),
    );
  });

  test('takes a text for one beside a file, or where it has a default', () => {
    const binary = { ...string, format: 'binary' };
    const named = { upload: binary, output_file: string };

    expect(warningsOf(body(object(named), 'multipart/form-data'))).toEqual([]);
    const withDefault = object({ output_file: { ...string, default: 'out.txt' } });
    expect(warningsOf(body(withDefault, 'multipart/form-data'))).toEqual([]);
  });

  test('takes a text that is called a file for one, with a warning, unless more is said of it', () => {
    const parts = {
      file: string,
      coverFile: string,
      profile: string,
      log_file: { ...string, contentMediaType: 'text/plain' },
    };
    const operation = body(object(parts), 'multipart/form-data');
    const isFile = ({ description }: { readonly description?: unknown }) =>
      String(description).includes('A file: base64 text');

    expect(Object.values(propertiesOf(toolOf(operation))).map(isFile)).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(warningsOf(operation)).toEqual(
      ['file', 'coverFile'].map(
        (name) =>
          `the part ${name} is called a file, and described as a text; it is sent as a file`,
      ),
    );
  });

  test('has objects as JSON in the parts of a body whose lists have brackets alone', () => {
    const fields = { 'files[]': { type: 'array', items: string }, meta: object({ a: string }) };
    const content = { 'multipart/form-data': { schema: object(fields) } };

    expect(toolOf({ requestBody: { content } }).operation.body?.encoding).toBeUndefined();
  });

  test('has objects in brackets where other names of it have some, with a warning', () => {
    const fields = {
      'tags[]': { type: 'array', items: string },
      user: object({ name: string }),
      meta: object({ a: string }),
    };
    for (const type of ['application/x-www-form-urlencoded']) {
      const operation = {
        requestBody: {
          content: {
            [type]: {
              schema: object(fields),
              encoding: { meta: { contentType: 'application/json' } },
            },
          },
        },
      };

      expect(toolOf(operation).operation.body?.encoding).toMatchObject({
        user: { style: 'deepObject', explode: true },
        meta: { contentType: 'application/json' },
      });
      expect(warningsOf(operation)).toEqual([
        'objects in its form are written as a[b]=1, as those who name others so read them',
      ]);
    }
  });

  test('is none where a request that reads has one with nothing in it', () => {
    const schema = object({}, { additionalProperties: false });
    const operation = body(schema, 'application/x-www-form-urlencoded', { required: false });
    const paths = { '/pets': { get: anOperation(operation) } };

    expect(onlyOf(toolsOf(aDescription({ paths }))).inputSchema).toEqual({
      type: 'object',
      properties: {},
    });
  });

  test('gets a warning where it is a form but the body is no object', () => {
    expect(warningsOf(body({ type: 'integer' }, 'multipart/mixed'))).toEqual([
      'the parts of multipart/mixed are written as those of multipart/form-data',
      'a body that is no object cannot be written as multipart/mixed; calls fail',
    ]);
  });
});

describe('a body of text or bytes', () => {
  test('is one text argument, where its media type is text', () => {
    expect(rootOf(toolOf(body(object({ a: string }), 'text/csv')))).toEqual({
      type: 'object',
      properties: { body: { type: 'string', description: 'The body as text (text/csv).' } },
      required: ['body'],
    });
    expect(rootOf(toolOf(body({ type: 'string', maxLength: 9 }, 'text/plain')))).toMatchObject({
      properties: { body: { type: 'string', maxLength: 9 } },
    });
  });

  test('is base64, or an object with base64, a file name and a media type, where it is bytes', () => {
    const { properties } = rootOf(toolOf(body({ type: 'string', format: 'binary' }, 'image/png')));

    expect(properties).toMatchObject({
      body: {
        description: expect.stringContaining('The body (image/png). A file: base64 text'),
        anyOf: [
          { type: 'string', contentEncoding: 'base64' },
          { type: 'object', required: ['data'] },
        ],
      },
    });
  });
});

describe('a body of bytes with a description of its own', () => {
  const bytes = { type: 'string', format: 'binary' };

  test.each([
    ['Archive of images', 'Archive of images. The body (application/x-tar). A file: base64 text,'],
    ['Is it gzip?', 'Is it gzip? The body (application/x-tar). A file: base64 text,'],
  ])('says how it is given all the same: %s', (description, words) => {
    const { properties } = rootOf(
      toolOf({
        requestBody: {
          description,
          required: true,
          content: { 'application/x-tar': { schema: bytes } },
        },
      }),
    );

    expect(properties).toMatchObject({ body: { description: expect.stringContaining(words) } });
  });

  test('says so of bytes beside text, too', () => {
    const content = {
      'text/plain': { schema: string },
      'application/octet-stream': { schema: bytes },
    };
    const { properties } = rootOf(
      toolOf({ requestBody: { description: 'Image content', required: true, content } }),
    );

    expect(properties).toMatchObject({
      body: {
        description: expect.stringMatching(/^Image content\. Text is sent as text\/plain\./),
      },
    });
  });
});

describe('a form', () => {
  const isFile = (schema: unknown) => JSON.stringify(schema).includes('"contentEncoding":"base64"');

  test.each<[string, Json, boolean]>([
    ['format: binary', { type: 'string', format: 'binary' }, true],
    [
      'the encoding of bytes, as Discord writes it',
      { type: 'string', contentEncoding: 'binary' },
      true,
    ],
    ['a media type of bytes', { type: 'string', contentMediaType: 'image/png' }, true],
    ['a list of files', { type: 'array', items: { type: 'string', format: 'binary' } }, true],
    ['a file or null', { anyOf: [{ type: 'string', format: 'binary' }, { type: 'null' }] }, true],
    ['a reference to a file', { $ref: '#/components/schemas/Upload' }, true],
    ['base64 that the API decodes', { type: 'string', contentEncoding: 'base64' }, false],
    ['format: byte', { type: 'string', format: 'byte' }, false],
    ['a text', string, false],
    ['a media type of text', { type: 'string', contentMediaType: 'text/html' }, false],
  ])('tells files apart where a part has %s', (_, schema, expected) => {
    const { inputSchema } = toolOf(body(object({ part: schema }), 'multipart/form-data'), {
      openapi: '3.1.0',
      components: { schemas: { Upload: { type: 'string', format: 'binary' } } },
    });

    expect(isFile(inputSchema)).toBe(expected);
  });

  test('takes files in the alternatives of its schema', () => {
    const file = { type: 'string', format: 'binary' };
    const { inputSchema } = toolOf(
      body({ oneOf: [object({ a: file }), object({ b: string })] }, 'multipart/form-data'),
    );

    expect(isFile(inputSchema)).toBe(true);
  });

  test('keeps the encoding of its properties', () => {
    const { operation } = toolOf({
      requestBody: {
        content: {
          'multipart/form-data': {
            schema: object({ a: string, b: string, c: string }),
            encoding: {
              a: { contentType: 'image/png' },
              b: { style: 'deepObject', explode: true, allowReserved: false },
              c: { style: 'nonsense' },
            },
          },
        },
      },
    });

    expect(operation.body?.encoding).toEqual({
      a: { contentType: 'image/png' },
      b: { style: 'deepObject', explode: true, allowReserved: false },
    });
  });

  test('gets a warning for headers of its parts that have no fixed value', () => {
    const requestBody = {
      content: {
        'multipart/form-data': {
          schema: object({ a: string }),
          encoding: { a: { headers: { 'X-Rate': { schema: string } } } },
        },
      },
    };

    expect(warningsOf({ requestBody })).toEqual([
      'headers of the part a are not sent, for they have no fixed value: X-Rate',
    ]);
  });
});

describe('a body of Swagger 2.0', () => {
  const swaggerTool = (
    operation: Readonly<Record<string, Json>>,
    members: Readonly<Record<string, Json>> = {},
  ) => onlyOf(toolsOf(swagger(operation, members)));

  test('is its parameter in body', () => {
    const tool = swaggerTool(
      {
        parameters: [
          {
            name: 'pet',
            in: 'body',
            required: true,
            schema: object({ name: string }, { required: ['name'] }),
          },
        ],
      },
      { consumes: ['application/xml', 'application/json'] },
    );

    expect(rootOf(tool)).toEqual({
      type: 'object',
      properties: { name: string },
      required: ['name'],
    });
    expect(tool.operation.body).toMatchObject({ mediaType: 'application/json', form: 'json' });
  });

  test('is a form of its parameters in formData', () => {
    const tool = swaggerTool({
      parameters: [
        { name: 'name', in: 'formData', required: true, type: 'string', description: 'Its name.' },
        { name: 'tags', in: 'formData', type: 'array', items: string },
        {
          name: 'colours',
          in: 'formData',
          type: 'array',
          items: string,
          collectionFormat: 'multi',
        },
      ],
    });

    expect(rootOf(tool)).toEqual({
      type: 'object',
      properties: {
        name: { type: 'string', description: 'Its name.' },
        tags: { type: 'array', items: string },
        colours: { type: 'array', items: string },
      },
      required: ['name'],
    });
    expect(tool.operation.body).toMatchObject({
      required: true,
      mediaType: 'application/x-www-form-urlencoded',
      form: 'form',
      encoding: {
        tags: { style: 'form', explode: false },
        colours: { style: 'form', explode: true },
      },
    });
  });

  test('is multipart where one of its parameters is a file', () => {
    const tool = swaggerTool({
      consumes: ['application/x-www-form-urlencoded'],
      parameters: [{ name: 'photo', in: 'formData', required: true, type: 'file' }],
    });

    expect(tool.operation.body).toMatchObject({
      mediaType: 'multipart/form-data',
      form: 'multipart',
    });
    expect(rootOf(tool)).toMatchObject({
      properties: { photo: { anyOf: [{ contentEncoding: 'base64' }, {}] } },
      required: ['photo'],
    });
  });

  test('has the files that stand elsewhere, with a warning', () => {
    const parameters = [{ name: 'file', in: 'query', type: 'file', required: true }];
    const description = swagger({ parameters });

    expect(onlyOf(toolsOf(description)).operation.body?.mediaType).toBe('multipart/form-data');
    expect(read(description).warnings.map(({ what }) => what)).toEqual([
      'a file that is not in a form; read as `in: formData`',
    ]);
  });

  test('is one argument where a field has the name of a parameter', () => {
    const tool = swaggerTool({
      parameters: [
        { name: 'token', in: 'query', type: 'string' },
        { name: 'token', in: 'formData', type: 'string' },
      ],
    });

    expect(Object.keys(rootOf(tool)['properties'] as object)).toEqual(['token', 'body']);
  });

  test('writes nested values of a form in brackets, with a warning', () => {
    const description = swagger({
      consumes: ['application/x-www-form-urlencoded'],
      parameters: [
        {
          name: 'x',
          in: 'body',
          schema: object({ name: string, address: object({ city: string }) }),
        },
      ],
    });

    expect(onlyOf(toolsOf(description)).operation.body).toMatchObject({
      form: 'form',
      encoding: { address: { style: 'deepObject', explode: true } },
    });
    expect(compiled(description).warnings.map(({ what }) => what)).toEqual([
      'the form has nested values, which Swagger 2.0 does not define; they are sent as a[b]=c',
    ]);
  });
});
