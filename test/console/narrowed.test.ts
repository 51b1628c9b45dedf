import { expect, test } from '@jest/globals';
import { narrowed } from '../../console/src/pages/new/narrowed.ts';
import type { AnswerOf } from '../../console/src/api/operation.ts';

type Report = AnswerOf<'POST /descriptions'>;

const operation = (method: string, path: string) => ({
  method,
  path,
  tags: [],
  deprecated: false,
  chosen: true,
});
const tool = (method: string, path: string, tokens: number, accepted_by: readonly string[]) => ({
  name: `${method} ${path}`,
  method,
  path,
  tokens,
  accepted_by,
});
const APIS = ['claude', 'openai', 'gemini', 'bedrock'];
const warning = (where: string) => ({ where, what: 'gives out secrets', hint: '' });

const WHOLE = {
  title: 'Orders',
  tool_mode: 'search',
  problems: [{ code: 'too_many_operations', detail: '', findings: [] }],
  warnings: [
    warning('/paths/~1orders/get'),
    warning('/paths/~1orders~1{id}/delete/responses'),
    warning('/servers'),
  ],
  operations: [operation('GET', '/orders'), operation('DELETE', '/orders/{id}')],
  tools: [tool('GET', '/orders', 100, APIS), tool('DELETE', '/orders/{id}', 50, ['claude'])],
  tools_left_out: 0,
  totals: { tools: 2, tokens: 150, accepted_by: {} },
} as unknown as Report;

test('a narrower choice is told of a wider preview: tools, tokens, verdicts, warnings and mode', () => {
  const shown = narrowed(WHOLE, { include: ['DELETE *'], exclude: [] }, 'operations');

  expect(shown).toMatchObject({
    tool_mode: 'operations',
    problems: [],
    totals: {
      tools: 1,
      tokens: 50,
      accepted_by: { claude: 1, openai: 0, gemini: 0, bedrock: 0 },
    },
    operations: [{ chosen: false }, { chosen: true }],
  });
  expect(shown?.tools.map(({ path }) => path)).toEqual(['/orders/{id}']);
  expect(shown?.warnings.map(({ where }) => where)).toEqual([
    '/paths/~1orders~1{id}/delete/responses',
    '/servers',
  ]);
});

test.each<[string, Partial<Report>]>([
  ['tools were left out of it', { tools_left_out: 1 }],
  ['it was of fewer operations', { tools: WHOLE.tools.slice(0, 1) }],
])('nothing is told where %s', (_, over) => {
  const whole = { ...WHOLE, ...over };
  expect(narrowed(whole, { include: null, exclude: [] }, 'search')).toBeUndefined();
});
