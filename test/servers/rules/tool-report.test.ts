import { describe, expect, test } from '@jest/globals';
import { applyOverrides } from '../../../layers/deployments/rules/apply-overrides.ts';
import { chosenNotes, toolReport } from '../../../layers/servers/rules/tool-report.ts';
import { type CompiledTool, toToolIndex } from '../../../layers/openapi/tool-index.ts';
import type { ToolNote } from '../../../layers/openapi/tool-note.ts';
import type { ToolOverrides } from '../../../layers/deployments/rules/publication.ts';

const aTool = (name: string, over: Partial<CompiledTool['operation']> = {}): CompiledTool => ({
  name,
  listed: {
    name,
    description: name,
    inputSchema: {
      type: 'object',
      properties: { a: {}, ab: {}, c: { $ref: '#/$defs/C' } },
      $defs: { C: {} },
    },
    annotations: {},
  },
  operation: {
    method: 'GET',
    path: `/${name}`,
    serverUrl: 'https://api.example.com',
    operationId: name,
    parameters: ['a', 'ab', 'c'].map((argument) => ({
      argument,
      name: argument,
      in: 'query',
      required: false,
      style: 'form',
      explode: true,
      allowReserved: false,
    })),
    accept: [],
    ...over,
  },
});

const reported = (
  compiled: readonly CompiledTool[],
  overrides: ToolOverrides,
  notes: Readonly<Record<string, readonly ToolNote[]>>,
) => {
  const { tools, names } = applyOverrides(compiled, overrides);
  return {
    index: toToolIndex(tools),
    report: toolReport(tools, names, new Map(Object.entries(notes))),
  };
};

const saying = (what: string, places?: readonly string[]): ToolNote => ({
  what,
  why: 'so',
  ...(places && { arguments: places }),
});

describe('the report of published tools', () => {
  test('follows renamed tools, even where two swap their names', () => {
    const { report } = reported(
      [aTool('one'), aTool('two')],
      { one: { name: 'two' }, two: { name: 'one' } },
      { one: [saying('of one')], two: [saying('of two')] },
    );

    expect(report.tools.map(({ name, notes }) => [name, notes.map(({ what }) => what)])).toEqual([
      ['two', ['named two instead of one', 'of one']],
      ['one', ['named one instead of two', 'of two']],
    ]);
  });

  test('has no notes on a hidden tool, even where another tool takes its name', () => {
    const { report } = reported(
      [aTool('one'), aTool('two')],
      { one: { hidden: true }, two: { name: 'one' } },
      { one: [saying('of one')], two: [saying('of two')] },
    );

    expect(report.tools).toEqual([
      {
        name: 'one',
        notes: [expect.objectContaining({ what: 'named one instead of two' }), saying('of two')],
      },
    ]);
  });

  test('leaves out a tool without notes', () => {
    expect(reported([aTool('one')], {}, {}).report).toEqual({ format: 1, tools: [] });
  });

  test('names headers that are always sent, but not their values', () => {
    const { report } = reported([aTool('one', { headers: { 'x-key': 'a secret' } })], {}, {});

    expect(report.tools[0]?.notes).toEqual([
      { what: 'header x-key is always sent with one value', why: expect.any(String) },
    ]);
  });

  test('has no notes on hidden arguments and what is inside them', () => {
    const { report, index } = reported(
      [aTool('one')],
      { one: { arguments: { a: { hidden: true }, c: { value: 1 } } } },
      {
        one: [
          saying('of a', ['a']),
          saying('inside', ['a.b', 'a[]', 'ab', 'ab.c', 'c', 'C.d']),
          saying('of all'),
        ],
      },
    );

    expect(report.tools[0]?.notes).toEqual([saying('inside', ['ab', 'ab.c']), saying('of all')]);
    expect(index.tools.flatMap(chosenNotes)).toEqual([
      { what: 'always sent with one value', why: 'its owner chose so', arguments: ['c'] },
      { what: 'never sent', why: 'its owner chose so', arguments: ['a'] },
    ]);
  });
});
