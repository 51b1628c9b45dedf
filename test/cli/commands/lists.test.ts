import { afterAll, expect, test } from '@jest/globals';
import { aMachineFor, here } from '../../support/cli/command-line.ts';

const machine = await aMachineFor('https://mcp.example.com/v1');
afterAll(() => machine.remove());

const shown = (args: readonly string[], answer: (url: string) => object) =>
  machine.run(args, {
    environment: { HOSTED_MCP_TOKEN: 'hmt_token' },
    fetch: async (url) => Response.json(answer(url)),
  });

test('a full window says when it opens again', async () => {
  const end = '2027-01-15T14:00:00Z';
  const usage = {
    hour: { used: 20, limit: 20, ends_at: end },
    month: { used: 20, limit: 500, ends_at: end },
  };
  const { out } = await shown(['usage'], () => ({ email: 'ada@example.com', usage, limits: {} }));

  expect(out).toContain(`20 of 20 requests (100 %); opens again at ${here(end)}\n`);
  expect(out).toContain('20 of 500 requests (4 %)\n');
});

test('a list of servers says what is served by search', async () => {
  const items = [
    { slug: 'large', tool_mode: 'search', tool_count: 1000 },
    { slug: 'small', tool_mode: 'operations', tool_count: 3 },
  ];
  const { out } = await shown(['ls'], () => ({ items }));

  expect(out).toMatch(/large .* 1000, by search .*\nsmall .* 3 /);
});

test('a call is replayed by the id of its request, unless that made several', async () => {
  const call = { request_id: 'r-1', tool: 'list', at: '2027-01-15T14:00:00Z', arguments: {} };
  const replay = (...items: readonly object[]) =>
    shown(['replay', 'books', 'r-1', '--version', '1'], (url) =>
      url.includes('/recorded-calls') ? { items } : { result: { content: [] } },
    );

  expect(await replay({ ...call, id: '1.a' })).toMatchObject({ code: 0 });
  const several = await replay({ ...call, id: '1.a' }, { ...call, id: '1.b' });
  expect(several).toMatchObject({ code: 2, errors: expect.stringContaining('1.b: list at ') });
  expect(await replay()).toMatchObject({ code: 4 });
});
