import { expect, test } from '@jest/globals';
import { brokenLimits } from '../../../layers/openapi/model-apis/client-limits.ts';
import type { ModelTool } from '../../../layers/openapi/model-apis/rules.ts';

const aTool = (
  name: string,
  value: Readonly<Record<string, unknown>> = { type: 'string' },
): ModelTool => ({
  name,
  description: 'Lists pets.',
  inputSchema: { type: 'object', properties: { value }, $defs: { Pet: { type: 'string' } } },
});

const broken = (tool: ModelTool, server = 'pets') =>
  brokenLimits([aTool('list'), tool], server).map(({ client, outcome, tools, why }) => ({
    told: `${client} ${outcome} ${tools.join()}`,
    why,
  }));

test.each([
  [128, []],
  [129, ['OpenAI has no room for t128', 'VS Code has no room for t128']],
])('of %d tools those beyond 128 are told', (count, told) => {
  const tools = Array.from({ length: count }, (_, at) => aTool(`t${at}`));
  const limits = brokenLimits(tools, 'pets');

  expect(limits.map((one) => `${one.client} ${one.outcome} ${one.tools.join()}`)).toEqual(told);
  for (const { why } of limits) expect(why).toContain('there are 129, and it takes 128 at once');
});

test('a plain tool breaks no limit of a client', () => {
  expect(broken(aTool('get'))).toEqual([]);
});

test.each([
  ['Cursor hides', 'x'.repeat(56), 'y'.repeat(56 - 1), 'pets'],
  ['Claude Code refuses', 'x'.repeat(54), 'y'.repeat(53), 'pets'],
])('%s a tool whose name is too long with that of the server', (told, long, short, server) => {
  expect(broken(aTool(long), server).map((one) => one.told)).toContain(`${told} ${long}`);
  expect(broken(aTool(short), server).map((one) => one.told)).not.toContain(`${told} ${short}`);
});

test.each<[string, string, Readonly<Record<string, unknown>>]>([
  ['Copilot Studio leaves out get', 'refers to a schema', { $ref: '#/$defs/Pet' }],
  ['Copilot Studio cuts the arguments of get', 'several types', { type: ['string', 'null'] }],
  [
    'Copilot Studio cuts the arguments of get',
    'exclusiveMinimum is a number',
    { type: 'number', exclusiveMinimum: 1 },
  ],
  [
    'OpenAI, with strict functions, refuses get',
    'members that are not described',
    { type: 'object', additionalProperties: { type: 'string' } },
  ],
  [
    'OpenAI, with strict functions, refuses get',
    'patternProperties',
    { type: 'object', properties: {}, patternProperties: { '^x-': { type: 'string' } } },
  ],
  ['OpenAI, with strict functions, refuses get', 'a value of any type (value)', {}],
])('%s where it %s', (told, why, schema) => {
  expect(broken(aTool('get', schema))).toEqual([{ told, why: expect.stringContaining(why) }]);
});
