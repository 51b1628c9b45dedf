import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { aMachineFor } from '../../support/cli/command-line.ts';

const machine = await aMachineFor('https://mcp.example.com/v1');
afterAll(() => machine.remove());

const base64 = { type: 'string', contentEncoding: 'base64' };
const file = {
  anyOf: [base64, { type: 'object', properties: { data: base64, filename: { type: 'string' } } }],
};

const search = {
  name: 'search',
  input_schema: {
    type: 'object',
    $defs: { Page: { type: 'integer' }, File: file },
    properties: {
      query: { type: 'string' },
      limit: { type: 'integer' },
      used: { type: ['boolean', 'null'] },
      page: { $ref: '#/$defs/Page' },
      tags: { type: 'array', items: { type: 'string' } },
      ids: { anyOf: [{ type: 'array', items: { type: 'integer' } }, { type: 'null' }] },
      either: { type: ['string', 'integer'] },
      filter: { type: 'object' },
      bytes: base64,
      file,
      files: { type: 'array', items: { $ref: '#/$defs/File' } },
    },
  },
};

/** What the call is made with; the tool is on the second page of the list. */
const called = async (...typed: readonly string[]) => calledWith({}, ...typed);

const calledWith = async (
  { input = '', answer = () => Response.json({ result: { content: [] } }) },
  ...typed: readonly string[]
) => {
  let sent: unknown;
  const pages = [{ items: [{ name: 'other' }], next_cursor: 'c' }, { items: [search] }];
  const said = await machine.run(['call', 'books', 'search', ...typed], {
    environment: { HOSTED_MCP_TOKEN: 'hmt_token' },
    input,
    fetch: async (url, { body }) => {
      if (url.includes('/test')) {
        sent = JSON.parse(String(body)).arguments;
        return answer();
      }
      return Response.json(url.includes('/tools') ? pages.shift() : { version: 1 });
    },
  });
  return { ...said, sent };
};

describe('an argument behind the tool', () => {
  test.each<[string, object]>([
    ['query=dune', { query: 'dune' }],
    ['query=3', { query: '3' }],
    ['query=a=b', { query: 'a=b' }],
    ['query=', { query: '' }],
    ['limit=3', { limit: 3 }],
    ['page=2', { page: 2 }],
    ['used=true', { used: true }],
    ['used=null', { used: null }],
    ['either=3', { either: '3' }],
    ['limit=many', { limit: 'many' }],
    ['filter={"a":1}', { filter: { a: 1 } }],
    ['tags=new', { tags: ['new'] }],
    ['tags=["a","b"]', { tags: ['a', 'b'] }],
    ['ids=7', { ids: [7] }],
    ['nobody_knows=3', { nobody_knows: '3' }],
    ['either:=3', { either: 3 }],
    ['query:="3"', { query: '3' }],
    ['query:=null', { query: null }],
    ['query:=false', { query: false }],
    ['nobody_knows:=null', { nobody_knows: null }],
    ['__proto__=3', JSON.parse('{"__proto__":"3"}')],
  ])('%s is by the type that the tool gives it', async (typed, sent) => {
    expect((await called(typed)).sent).toEqual(sent);
  });

  test('that is a list may be given one by one, beside others', async () => {
    const { sent } = await called('tags=a', 'tags=b', '--arg', 'query=dune', 'limit=3');
    expect(sent).toEqual({ tags: ['a', 'b'], query: 'dune', limit: 3 });
  });

  test.each([
    ['dune', 'An argument is NAME=VALUE or NAME:=JSON, not "dune".'],
    ['limit:={', '"limit:={" has no JSON behind the :=.'],
  ])('%s is none', async (typed, why) => {
    expect(await called(typed)).toMatchObject({ code: 2, errors: expect.stringContaining(why) });
  });

  test('that is no list is given once', async () => {
    const said = await called('limit=1', 'limit=2');
    expect(said).toMatchObject({
      code: 2,
      errors: expect.stringContaining('limit is given twice'),
    });
  });
});

describe('a file behind the tool', () => {
  const path = join(machine.folder, 'f.bin');
  const bytes = Buffer.from([0, 255, 10]);
  const data = bytes.toString('base64');
  beforeAll(() => writeFile(path, bytes));

  test.each<[string, object]>([
    [`file=@${path}`, { file: { data, filename: 'f.bin' } }],
    [`bytes=@${path}`, { bytes: data }],
    [`files=@${path}`, { files: [{ data, filename: 'f.bin' }] }],
    ['file=AP8K', { file: 'AP8K' }],
    ['file:="@f.bin"', { file: '@f.bin' }],
  ])('%s goes as its schema has it', async (typed, sent) => {
    expect((await called(typed)).sent).toEqual(sent);
  });

  test('that the schema does not ask for is text with an @', async () => {
    const { sent } = await called(`query=@${path}`, 'tags=@a', 'nobody_knows=@b');
    expect(sent).toEqual({ query: `@${path}`, tags: ['@a'], nobody_knows: '@b' });
  });

  test('may be standard input, without a name', async () => {
    const { sent } = await calledWith({ input: 'abc' }, 'file=@-');
    expect(sent).toEqual({ file: { data: 'YWJj' } });
  });

  test.each([
    [`file=@${path}.not`, 1, `The file ${path}.not cannot be read: `],
    ['file=@', 2, 'file=@ names no file: file=@PATH.'],
  ])('that is not there is named: %s', async (typed, code, why) => {
    const said = await called(typed);
    expect(said).toMatchObject({ code, sent: undefined, errors: expect.stringContaining(why) });
  });

  test('that is no base64 is refused with how files are given', async () => {
    const error = { message: '/file is not valid base64' };
    const said = await calledWith({ answer: () => Response.json({ error }) }, 'file=f.bin');
    expect(said).toMatchObject({ code: 1, errors: expect.stringContaining('NAME=@PATH') });
  });

  test('that is too large for the service is refused with how large it may be', async () => {
    const answer = () => Response.json({ message: 'Request Entity Too Large' }, { status: 413 });
    const said = await calledWith({ answer }, `file=@${path}`);
    expect(said).toMatchObject({ code: 1, errors: expect.stringContaining('750 KB') });
  });
});
