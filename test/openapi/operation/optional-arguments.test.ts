import { describe, expect, test } from '@jest/globals';
import type { Json } from '../../../layers/platform/rules/json/json.ts';
import { prepareTool } from '../../../layers/tools/prepare-tool.ts';
import { readArguments } from '../../../layers/tools/arguments/read-arguments.ts';
import { toIndexedTool } from '../../../layers/openapi/tool-index.ts';
import { compiled, onlyOf, swagger, toolOf, toolsOf } from '../../support/openapi/compile.ts';
import { aDescription, anOperation } from '../../support/openapi/intake.ts';
import { refusalOf } from '../../support/mcp/tools.ts';

type Members = Readonly<Record<string, Json>>;

const withBody = (schema: Json, mediaType = 'application/json', required = true): Members => ({
  requestBody: { required, content: { [mediaType]: { schema } } },
});

const patched = (operation: Members, members: Members = {}, method = 'patch') =>
  onlyOf(
    compiled(aDescription({ paths: { '/pets': { [method]: anOperation(operation) } }, ...members }))
      .tools,
  );

const ARTICLE = {
  type: 'object',
  required: ['title', 'author'],
  properties: {
    title: { type: 'string' },
    status: { type: 'string', enum: ['draft', 'published'] },
    author: { $ref: '#/components/schemas/Author' },
    rows: {
      type: 'array',
      items: { type: 'object', properties: { ttl: { type: 'integer' } }, required: ['ttl'] },
    },
  },
};
const SCHEMAS = {
  components: {
    schemas: {
      Author: {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string' }, boss: { $ref: '#/components/schemas/Author' } },
      },
    },
  },
};

const posted = (operation: Members) => patched(operation, {}, 'post');

describe('what has one possible value', () => {
  const tool = prepareTool(
    toIndexedTool(
      posted({
        parameters: [
          { name: 'format', in: 'query', required: true, schema: { enum: ['json'] } },
          { name: 'level', in: 'query', required: true, schema: { const: 3 } },
        ],
        ...withBody({
          type: 'object',
          required: ['kind', 'parent'],
          properties: { kind: { const: 'dog' }, parent: { enum: [null] }, name: {} },
          additionalProperties: false,
        }),
      }),
    ),
  );
  const always = { format: 'json', level: 3, kind: 'dog', parent: null };

  test.each<[string, Json]>([
    ['nothing of it', {}],
    ['the same', { format: 'json', level: 3, kind: 'dog', parent: null }],
    ['the same as texts, or null', { format: null, level: '3', kind: 'dog' }],
  ])('is sent where a caller says %s', (_, args) => {
    expect(readArguments(tool, args)).toEqual(always);
  });

  test.each([
    ['kind', 'cat', '/kind is always dog'],
    ['level', 4, '/level is always 3'],
    ['parent', 7, '/parent is always null'],
    ['knd', 7, '/knd is not an argument of this tool, which takes name'],
  ])('is refused where a caller says of %s something else', (name, value, told) => {
    expect(refusalOf(() => readArguments(tool, { [name]: value })).description).toContain(told);
  });
});

describe('a required parameter with a default', () => {
  test.each([
    ['of its own', { type: 'string', default: 'json' }, {}],
    [
      'of the component that it refers to',
      { $ref: '#/components/schemas/F' },
      { components: { schemas: { F: { type: 'string', default: 'json' } } } },
    ],
  ])('%s may be left out', (_, schema, members) => {
    for (const place of ['query', 'header', 'cookie']) {
      const parameter = { name: 'format', in: place, required: true, schema };
      const { inputSchema, operation } = toolOf({ parameters: [parameter] }, members);

      expect(inputSchema).not.toHaveProperty('required');
      expect(operation.parameters).toMatchObject([{ required: false }]);
    }
  });

  test('of Swagger 2.0 may be left out', () => {
    const parameter = { name: 'f', in: 'query', required: true, type: 'string', default: 'a' };
    const [tool] = toolsOf(swagger({ parameters: [parameter] }));

    expect(tool?.inputSchema).not.toHaveProperty('required');
  });

  test('may be left out where it is a part of the path, too', () => {
    const parameter = { name: 'id', in: 'path', required: true, schema: { default: 'x' } };
    const { inputSchema } = toolOf({ parameters: [parameter] }, {}, '/pets/{id}');

    expect(inputSchema).not.toHaveProperty('required');
  });

  test('is needed as before where it has none', () => {
    const parameter = { name: 'q', in: 'query', required: true, schema: { type: 'string' } };

    expect(toolOf({ parameters: [parameter] }).inputSchema['required']).toEqual(['q']);
  });

  test('is a field of a body as well', () => {
    const properties = { a: { type: 'integer', default: 1 }, b: { type: 'integer' } };
    const schema = { type: 'object', properties, required: ['a', 'b'] };

    expect(toolOf(withBody(schema)).inputSchema['required']).toEqual(['b']);
  });
});

describe('the body of a PATCH', () => {
  const call = (tool: ReturnType<typeof patched>, args: object) =>
    readArguments(prepareTool(toIndexedTool(tool)), args);

  test('may lack what it requires, at any depth, which is told in words', () => {
    const tool = patched(withBody(ARTICLE), SCHEMAS);
    const { inputSchema, description } = tool.listed;

    expect(JSON.stringify(inputSchema)).not.toContain('"required"');
    expect(description).toContain('Described as required, for the API to judge: title, author.');
    expect(JSON.stringify(inputSchema)).toContain(
      'Described as required, for the API to judge: ttl.',
    );
    expect(JSON.stringify(inputSchema)).toContain(
      'Described as required, for the API to judge: name.',
    );
    for (const args of [{ status: 'published' }, { rows: [{}] }, { author: { boss: {} } }]) {
      expect(call(tool, args)).toEqual(args);
    }
  });

  test('is checked in everything else', () => {
    const tool = patched(withBody(ARTICLE), SCHEMAS);

    expect(refusalOf(() => call(tool, { status: 'gone' })).description).toContain(
      '/status must be one of',
    );
    expect(refusalOf(() => call(tool, { rows: [{ ttl: 'x' }] })).description).toContain(
      '/rows/0/ttl must be',
    );
  });

  test('is needed itself, where it is required and one argument', () => {
    const tool = patched(
      withBody({ ...ARTICLE, additionalProperties: { type: 'string' } }),
      SCHEMAS,
    );

    expect(tool.listed.inputSchema['required']).toEqual(['body']);
    expect(call(tool, { body: {} })).toEqual({ body: {} });
    expect(refusalOf(() => call(tool, {})).description).toContain('/body is required');
  });

  test('need not have one of a choice of fields', () => {
    const choice = { anyOf: [{ required: ['title'] }, { required: ['status'] }] };
    const { required: _, ...article } = ARTICLE;

    expect(call(patched(withBody({ ...article, ...choice }), SCHEMAS), {})).toEqual({});
  });

  test.each<[string, string, Members]>([
    ['the steps of a JSON Patch', 'patch', { type: 'array', items: ARTICLE.properties.rows.items }],
    ['another method', 'put', ARTICLE],
    ['another method', 'post', ARTICLE],
  ])('differs in that from %s (%s)', (_, method, schema) => {
    const { inputSchema } = patched(withBody(schema), SCHEMAS, method).listed;

    expect(JSON.stringify(inputSchema)).toContain('"required":["ttl"]');
  });

  test('says so in the report of the tool', () => {
    const description = aDescription({
      paths: { '/pets': { patch: anOperation(withBody(ARTICLE)) } },
      ...SCHEMAS,
    });
    const notes = [...compiled(description).notes.values()].flat();

    expect(notes).toContainEqual(
      expect.objectContaining({ what: 'what the body requires is told, but not enforced' }),
    );
  });

  test('keeps the bytes of a file', () => {
    const schema = {
      type: 'object',
      properties: { file: { type: 'string', format: 'binary' } },
      required: ['file'],
    };
    const tool = patched(withBody(schema, 'multipart/form-data'));

    expect(JSON.stringify(tool.listed.inputSchema)).toContain('"required":["data"]');
    expect(tool.listed.inputSchema).not.toHaveProperty('required');
  });
});

describe('a body', () => {
  const text = { schema: { type: 'string' } };

  test('that may be text or bytes takes both', () => {
    const content = { 'text/plain': text, 'application/octet-stream': text };
    const { inputSchema, operation } = toolOf({ requestBody: { required: true, content } });

    expect(operation.body).toMatchObject({
      form: 'text',
      mediaType: 'text/plain',
      bytesType: 'application/octet-stream',
    });
    expect(inputSchema['properties']).toMatchObject({
      body: {
        description: expect.stringContaining('For bytes (application/octet-stream) give an object'),
        anyOf: [{ type: 'string' }, { type: 'object', required: ['data'] }],
      },
    });
  });

  test('that is text alone takes no file', () => {
    const { inputSchema, operation } = toolOf({
      requestBody: { content: { 'text/plain': text, 'text/csv': text } },
    });

    expect(operation.body).not.toHaveProperty('bytesType');
    expect(inputSchema['properties']).toMatchObject({ body: { type: 'string' } });
  });

  const upload = { type: 'object', properties: { file: { type: 'string', format: 'binary' } } };

  test.each(['requestBody', 'operation'])(
    'is sent as `x-media-type` of the %s says, though JSON is described',
    (place) => {
      const { requestBody } = withBody(upload);
      const wanted = { 'x-media-type': 'multipart/form-data' };
      const { operation } = toolOf(
        place === 'operation'
          ? { requestBody: requestBody as Json, ...wanted }
          : { requestBody: { ...(requestBody as Members), ...wanted } },
      );

      expect(operation.body).toMatchObject({
        form: 'multipart',
        mediaType: 'multipart/form-data',
        source: { properties: [{ argument: 'file' }] },
      });
    },
  );

  test('of Swagger 2.0 is so, too', () => {
    const parameters = [
      { name: 'b', in: 'body', schema: upload, 'x-media-type': 'multipart/form-data' },
    ];
    const [tool] = toolsOf(swagger({ parameters, consumes: ['application/json'] }));

    expect(tool?.operation.body?.form).toBe('multipart');
  });

  test('is sent as described where `x-media-type` is none', () => {
    const { operation } = toolOf({ ...withBody(upload), 'x-media-type': 'no type' });

    expect(operation.body?.form).toBe('json');
  });
});
