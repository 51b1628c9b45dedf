import { describe, expect, test } from '@jest/globals';
import { toToolIndex } from '../../../layers/openapi/tool-index.ts';
import type { JsonObject } from '../../../layers/platform/rules/json/json.ts';
import { readArguments } from '../../../layers/tools/arguments/read-arguments.ts';
import { prepareTool } from '../../../layers/tools/prepare-tool.ts';
import { buildRequest } from '../../../layers/tools/request/build-request.ts';
import { compiled } from '../../support/openapi/compile.ts';
import { aDescription, anOperation } from '../../support/openapi/intake.ts';

const file = { type: 'string', format: 'binary' };
const DJANGO = {
  '/other/{id}': { patch: anOperation({ operationId: 'other_partial_update' }) },
};

const headersOf = (
  mediaTypes: readonly string[],
  args: JsonObject,
  {
    schema = file,
    paths = {},
    parameters = [],
    terms = {},
  }: {
    readonly schema?: JsonObject;
    readonly paths?: JsonObject;
    readonly parameters?: readonly JsonObject[];
    readonly terms?: Parameters<typeof buildRequest>[2];
  } = {},
) => {
  const content = Object.fromEntries(mediaTypes.map((type) => [type, { schema }]));
  const post = anOperation({ requestBody: { content }, parameters: [...parameters] });
  const { tools } = compiled(aDescription({ paths: { '/a': { post }, ...paths } }));
  const [indexed] = toToolIndex(tools).tools;
  if (!indexed) throw new Error('no tool');
  const tool = prepareTool(indexed);
  const { headers, body } = buildRequest(tool, readArguments(tool, args), terms);
  return {
    type: headers['content-type'],
    disposition: headers['content-disposition'],
    body: Buffer.from(body ?? '').toString(),
  };
};

const RAW = ['application/octet-stream'];

describe('a file that is the body', () => {
  test.each([
    ['a.png', 'attachment; filename="a.png"'],
    ['a "b"\\.png', String.raw`attachment; filename="a \"b\"\\.png"`],
    ['ä.png', `attachment; filename="_.png"; filename*=UTF-8''%C3%A4.png`],
    ['a\r\nx: y', `attachment; filename="a__x: y"; filename*=UTF-8''a%0D%0Ax%3A%20y`],
  ])('has its name in a header: %s', (filename, disposition) => {
    const body = { data: 'aGk=', filename, contentType: 'image/png' };

    expect(headersOf(RAW, { body })).toEqual({ type: 'image/png', disposition, body: 'hi' });
  });

  test('has no such header without a name', () => {
    expect(headersOf(RAW, { body: 'aGk=' }).disposition).toBeUndefined();
    expect(headersOf(['*/*'], { body: 'aGk=' }).disposition).toBeUndefined();
  });

  test.each<[string, JsonObject]>([
    ['bytes', file],
    ['the serializer around it', { type: 'object', properties: { file } }],
  ])('always has a name where Django describes any type for %s', (_, schema) => {
    const given = { schema, paths: DJANGO };

    expect(headersOf(['*/*'], { body: 'aGk=' }, given)).toEqual({
      type: 'application/octet-stream',
      disposition: 'attachment; filename="file"',
      body: 'hi',
    });
    expect(
      headersOf(['*/*'], { body: { data: 'aGk=', filename: 'b.txt' } }, given).disposition,
    ).toBe('attachment; filename="b.txt"');
  });

  test('is part of JSON or a form where Django describes these', () => {
    const schema = { type: 'object', properties: { file } };
    const types = ['application/json', 'multipart/form-data'];

    expect(headersOf(types, { file: 'aGk=' }, { schema, paths: DJANGO })).toMatchObject({
      type: expect.stringMatching(/^multipart\/form-data/),
      disposition: undefined,
    });
  });

  test('has the header of the caller or the owner, where there is one', () => {
    const body = { data: 'aGk=', filename: 'a.png' };
    const parameters = [{ name: 'Content-Disposition', in: 'header', schema: { type: 'string' } }];
    const own = { 'Content-Disposition': 'inline' };

    expect(
      headersOf(RAW, { body, 'Content-Disposition': 'file' }, { parameters }).disposition,
    ).toBe('file');
    expect(headersOf(RAW, { body }, { terms: { headers: own } }).disposition).toBe('inline');
  });
});
