import { describe, expect, test } from '@jest/globals';
import { toToolIndex } from '../../../layers/openapi/tool-index.ts';
import type { JsonObject } from '../../../layers/platform/rules/json/json.ts';
import { prepareTool } from '../../../layers/tools/prepare-tool.ts';
import { buildRequest } from '../../../layers/tools/request/build-request.ts';
import { aDescription, anOperation, read } from '../../support/openapi/intake.ts';
import { compiled, onlyOf, toolOf } from '../../support/openapi/compile.ts';

const A_FILE = { data: 'aGk=', filename: 'a.txt', contentType: 'text/plain' };
const string = { type: 'string' };
const inJson = (schema: JsonObject) => ({ content: { 'application/json': { schema } } });
const UPLOAD = inJson({ type: 'object', properties: { data: string } });

const ofDirectus = (paths: JsonObject, title = 'Dynamic API Specification') => {
  const files = {
    '/files': { post: anOperation({ operationId: 'createFile', requestBody: UPLOAD }) },
  };
  const description = aDescription({
    info: { title, version: '11.3.5' },
    paths: { ...files, ...paths },
  });
  const { tools } = compiled(description);
  const said = read(description).warnings.map(({ what }) => what);
  const request = (name: string, args: JsonObject) => {
    const tool = toToolIndex(tools).tools.find((one) => one.name === name);
    return buildRequest(prepareTool(onlyOf(tool ? [tool] : [])), args);
  };
  return { request, said, tools };
};

describe('a body of Directus', () => {
  test('that is a file goes out as a form, the file last', () => {
    const { request, said } = ofDirectus({});
    const { headers, body } = request('createFile', { file: A_FILE, title: 'Notes' });
    const names = [
      ...Buffer.from(body ?? '')
        .toString()
        .matchAll(/ name="([^"]*)"/g),
    ];

    expect(headers['content-type']).toMatch(/^multipart\/form-data;/);
    expect(names.map(([, name]) => name)).toEqual(['title', 'file']);
    expect(said).toContainEqual(
      expect.stringContaining('sent as multipart/form-data, as Directus'),
    );
  });

  test('says which are deleted, where several are', () => {
    const remove = anOperation({ operationId: 'deleteItems', summary: 'Delete Multiple Items' });
    const all = anOperation({ operationId: 'clear', summary: 'Clear Cache' });
    const { request, said, tools } = ofDirectus({
      '/items/a': { delete: remove },
      '/cache': { delete: all },
    });

    expect(request('deleteItems', { body: [1, 'x'] })).toMatchObject({
      method: 'DELETE',
      body: '[1,"x"]',
    });
    expect(said).toHaveLength(2);
    expect(tools.find(({ name }) => name === 'clear')?.operation.body).toBeUndefined();
  });

  test('asks for no token where it reads none', () => {
    const parameters = [
      { name: 'super_admin_token', in: 'query', required: true, schema: { type: 'integer' } },
    ];
    const get = anOperation({ operationId: 'serverInfo', parameters });
    const { tools } = ofDirectus({ '/server/info': { get } });
    const listed = tools.find(({ name }) => name === 'serverInfo')?.listed.inputSchema;

    expect(listed?.['required'] ?? []).toEqual([]);
  });

  test('stays where the title is not that of Directus, or the form is described', () => {
    expect(ofDirectus({}, 'Shop').said).toEqual([]);
    const requestBody = {
      content: {
        'multipart/form-data': {
          schema: { type: 'object', properties: { file: { type: 'string', format: 'binary' } } },
        },
      },
    };
    const post = anOperation({ operationId: 'createFile', requestBody });
    expect(ofDirectus({ '/files': { post } }).said).toEqual([]);
  });
});

describe('a form with a file beside JSON without it', () => {
  const file = { type: 'string', format: 'binary' };
  const both = (type: string, json: JsonObject, form: JsonObject) => ({
    requestBody: {
      required: true,
      content: { [type]: { schema: form }, 'application/json': { schema: json } },
    },
  });
  const json = {
    type: 'object',
    properties: { title: string, tags: { type: 'array', items: string } },
  };
  const form = {
    type: 'object',
    required: ['file'],
    properties: { ...json.properties, file },
  };
  const sent = (operation: JsonObject, args: JsonObject) => {
    const { tools } = compiled(
      aDescription({ paths: { '/files': { patch: anOperation(operation) } } }),
    );
    return buildRequest(prepareTool(onlyOf(toToolIndex(tools).tools)), args).headers[
      'content-type'
    ];
  };

  test.each(['multipart/form-data', 'multipart/data'])(
    'is JSON in a call without the file, which needs none: %s',
    (type) => {
      const operation = both(type, json, form);

      expect(toolOf(operation).inputSchema['required'] ?? []).toEqual([]);
      expect(sent(operation, { title: 'Notes' })).toBe('application/json');
      expect(sent(operation, { title: 'Notes', file: A_FILE })).toMatch(/^multipart\/form-data;/);
    },
  );

  test('is a form where the JSON has other fields, or asks for others', () => {
    const other = { ...json, properties: { title: string } };
    for (const operation of [
      both('multipart/form-data', other, form),
      both('multipart/form-data', { ...json, required: ['title'] }, form),
    ]) {
      expect(sent(operation, { title: 'Notes', file: A_FILE })).toMatch(/^multipart\/form-data;/);
      expect(toolOf(operation).inputSchema['required']).toEqual(['file']);
    }
  });
});

describe('a required member that nothing describes', () => {
  const bodyOf = (schema: JsonObject) =>
    toolOf({ requestBody: { required: true, ...inJson(schema) } }).inputSchema;

  test('may be left out beside described ones, and be given', () => {
    const schema = {
      type: 'object',
      required: ['field', 'datatype'],
      properties: { field: string },
    };

    expect(bodyOf(schema)).toMatchObject({
      required: ['field'],
      properties: {
        datatype: {
          description: expect.stringMatching(/^Described as required, and nothing says/),
        },
      },
    });
  });

  test('stays required where nothing is described, or alternatives may describe it', () => {
    expect(bodyOf({ type: 'object', required: ['a'] })['required']).toEqual(['a']);
    const anyOf = [{ properties: { a: string } }, { properties: { b: string } }];
    const schema = { type: 'object', required: ['a'], properties: { c: string }, anyOf };
    expect(JSON.stringify(bodyOf(schema))).toContain('"required":["a"]');
  });
});
