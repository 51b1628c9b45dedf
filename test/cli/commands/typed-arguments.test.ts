import { afterAll, describe, expect, test } from '@jest/globals';
import { aMachineFor } from '../../support/cli/command-line.ts';

const machine = await aMachineFor('https://mcp.example.com/v1');
afterAll(() => machine.remove());

const search = {
  name: 'search',
  input_schema: {
    type: 'object',
    $defs: { Page: { type: 'integer' } },
    properties: {
      query: { type: 'string' },
      limit: { type: 'integer' },
      used: { type: ['boolean', 'null'] },
      page: { $ref: '#/$defs/Page' },
      tags: { type: 'array', items: { type: 'string' } },
      ids: { anyOf: [{ type: 'array', items: { type: 'integer' } }, { type: 'null' }] },
      either: { type: ['string', 'integer'] },
      filter: { type: 'object' },
    },
  },
};

/** What the call is made with; the tool is on the second page of the list. */
const called = async (...typed: readonly string[]) => {
  let sent: unknown;
  const pages = [{ items: [{ name: 'other' }], next_cursor: 'c' }, { items: [search] }];
  const said = await machine.run(['call', 'books', 'search', ...typed], {
    environment: { HOSTED_MCP_TOKEN: 'hmt_token' },
    fetch: async (url, { body }) => {
      if (url.includes('/test')) {
        sent = JSON.parse(String(body)).arguments;
        return Response.json({ result: { content: [] } });
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
