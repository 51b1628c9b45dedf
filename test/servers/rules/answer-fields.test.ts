import { expect, test } from '@jest/globals';
import { unknownAnswerFields } from '../../../layers/servers/rules/check-overrides.ts';
import type { CompiledTool } from '../../../layers/openapi/tool-index.ts';

test('members that many operations of one response lack are looked up once', () => {
  const tools = Array.from({ length: 1000 }, () => ({
    name: 'one',
    operation: { operationId: 'one' },
  }));
  const pointers = Array.from({ length: 100 }, (_, at) => `/p${at}`);
  let read = 0;
  const output = {
    get schema() {
      read += 1;
      return JSON.stringify({ type: 'object', properties: { p0: { type: 'string' } } });
    },
    names: {},
  };
  const warnings = unknownAnswerFields(
    tools as never as readonly CompiledTool[],
    { one: { answerFields: pointers } },
    () => output as never,
  );

  expect(warnings).toHaveLength(99 * 1000);
  expect(warnings[0]?.what).toContain('"/p1" is in no answer');
  expect(read).toBe(1);
});
