import { describe, expect, test } from '@jest/globals';
import { csvOf } from '../../console/src/pages/server/activity/csv.ts';
import { rangeOf } from '../../console/src/pages/server/activity/range.ts';
import { SCOPE_WORDS } from '../../console/src/kit/scopes.ts';
import { SCOPES } from '../../layers/tokens/rules/oauth-records.ts';
import {
  clientOf,
  type ListedCall,
  meanMs,
  shareOf,
  slotsOfCalls,
  slotsOfDays,
  type ToolDay,
  totalsByTool,
} from '../../console/src/pages/server/activity/series.ts';

const outcomes = { ok: 2, target_error: 1, no_answer: 0, refused: 0 };

const aDay = (day: string, tool: string, hours: readonly number[]): ToolDay => ({
  type: 'tool_invocations',
  day,
  tool,
  calls: 3 * hours.length,
  outcomes,
  errors: hours.length,
  trials: 0,
  latency_ms: { count: 3 * hours.length, sum: 30 * hours.length, max: 15 },
  hours: hours.map((hour) => ({
    hour,
    calls: 3,
    outcomes,
    errors: 1,
    trials: 0,
    latency_ms: { count: 3, sum: 30, max: 15 },
  })),
});

const aCall = (at: string, more: Partial<ListedCall> = {}): ListedCall => ({
  at,
  tool: 'listBooks',
  version: 1,
  outcome: 'ok',
  duration_ms: 10,
  subject: '192.0.2.1',
  ip: '192.0.2.1',
  request_id: 'r-1',
  index: 0,
  ...more,
});

const seconds = (iso: string) => Date.parse(iso) / 1000;

describe('the columns of the charts', () => {
  test('are all hours of the range, also those without calls, and add up the tools', () => {
    const days = [aDay('2026-11-22', 'a', [9, 11]), aDay('2026-11-22', 'b', [11])];
    const slots = slotsOfDays(days, {
      unit: 'hour',
      since: seconds('2026-11-22T09:00:00Z'),
      until: seconds('2026-11-22T11:59:00Z'),
    });

    expect(slots.map(({ calls, errors }) => [calls, errors])).toEqual([
      [3, 1],
      [0, 0],
      [6, 2],
    ]);
    expect(slots.map(meanMs)).toEqual([10, undefined, 10]);
  });

  test('leave out what was before the range', () => {
    const days = [aDay('2026-11-20', 'a', [9]), aDay('2026-11-22', 'a', [9])];
    const slots = slotsOfDays(days, {
      unit: 'day',
      since: seconds('2026-11-21T00:00:00Z'),
      until: seconds('2026-11-22T12:00:00Z'),
    });

    expect(slots.map(({ calls }) => calls)).toEqual([0, 3]);
  });

  test('are the same whether they come from counts or from the calls themselves', () => {
    const calls = [
      aCall('2026-11-22T09:00:00Z'),
      aCall('2026-11-22T09:59:59Z', { duration_ms: 15 }),
      aCall('2026-11-22T09:30:00Z', { duration_ms: 5, outcome: 'target_error', status: 500 }),
    ];
    const [since, until] = [seconds('2026-11-22T09:00:00Z'), seconds('2026-11-22T09:59:59Z')];
    const period = { unit: 'hour', since, until } as const;

    expect(slotsOfCalls(calls, period)).toEqual(
      slotsOfDays([aDay('2026-11-22', 'a', [9])], period),
    );
  });

  test('begin with a whole hour or day', () => {
    const now = seconds('2026-11-22T10:20:30Z');

    expect(rangeOf('24h', now).sinceText).toBe('2026-11-21T11:00:00.000Z');
    expect(rangeOf('7d', now).sinceText).toBe('2026-11-16T00:00:00.000Z');
    expect(rangeOf('nothing such', now).id).toBe('24h');
  });
});

describe('the table by tool', () => {
  test('begins with the busiest', () => {
    const days = [aDay('2026-11-21', 'b', [1]), aDay('2026-11-22', 'a', [1, 2])];

    const totals = totalsByTool(days, {
      unit: 'day',
      since: seconds('2026-11-20T00:00:00Z'),
      until: seconds('2026-11-22T12:00:00Z'),
    });

    expect(totals.map(({ name, calls, errors }) => [name, calls, errors])).toEqual([
      ['a', 6, 2],
      ['b', 3, 1],
    ]);
  });
});

describe('the numbers of single calls', () => {
  test('are those of the service: neither trials nor unfinished calls are errors', () => {
    const at = '2026-11-22T09:00:00Z';
    const calls = [
      aCall(at),
      aCall(at, { outcome: 'refused', duration_ms: 0 }),
      aCall(at, { outcome: 'unfinished', duration_ms: 0 }),
      aCall(at, { outcome: 'target_error', trial: true }),
      aCall(at, { outcome: 'refused', without_tool: true }),
    ];
    const slots = slotsOfCalls(calls, { unit: 'day', since: seconds(at), until: seconds(at) });

    expect(slots).toMatchObject([{ calls: 2, errors: 1, trials: 1, timed: 1, longestMs: 10 }]);
    expect(slots.map(shareOf)).toEqual(['50 %']);
  });

  test('leave out what was before the period of the charts', () => {
    const days = [aDay('2026-11-21', 'a', [1, 20])];
    const [since, until] = [seconds('2026-11-21T12:00:00Z'), seconds('2026-11-22T11:00:00Z')];

    const totals = totalsByTool(days, { unit: 'hour', since, until });
    expect(totals).toMatchObject([{ name: 'a', calls: 3 }]);
  });

  test('have scopes in words, all that there are', () => {
    expect(Object.keys(SCOPE_WORDS).toSorted()).toEqual([...SCOPES].toSorted());
  });

  test('name a client by an id only where that says something', () => {
    expect(clientOf({ client_name: 'Claude Code', client_id: 'mcp_1' })).toBe('Claude Code');
    expect(clientOf({ client_id: 'https://claude.ai/client' })).toBe('https://claude.ai/client');
    expect(clientOf({ client_id: 'mcp_1' })).toBe('a client that is gone');
  });
});

describe('calls saved as CSV', () => {
  test('quote what would end a cell, and keep formulas from being worked out', () => {
    const text = csvOf([
      aCall('2026-11-22T09:00:00Z', {
        tool: '=HYPERLINK("https://attacker.example")',
        reason: 'a, "b"\nc',
      }),
    ]);
    const [, ...lines] = text.split('\r\n');

    expect(lines.join('\r\n')).toContain(`"'=HYPERLINK(""https://attacker.example"")"`);
    expect(lines.join('\r\n')).toContain('"a, ""b""\nc"');
  });

  test('name the client beside its id, and let that name begin no formula', () => {
    const [titles = '', row = ''] = csvOf([
      aCall('2026-11-22T09:00:00Z', { client_name: '=Claude Code', client_id: 'mcp_1' }),
    ]).split('\r\n');
    const at = titles.split(',').indexOf('client_name');

    expect(titles.split(',')[at + 1]).toBe('client_id');
    expect(row.split(',').slice(at, at + 2)).toEqual(["'=Claude Code", 'mcp_1']);
  });

  test.each([
    ['=1', "'=1"],
    ['+1', "'+1"],
    ['-cmd', "'-cmd"],
    ['@sum', "'@sum"],
    ['\t=1', "'\t=1"],
    ['\uff1d1', "'\uff1d1"],
    ['https://a.example/;=1', "https://a.example/;'=1"],
    ['a;b;;@c', "a;b;;'@c"],
    ['a\n=1', "a\n'=1"],
    ['a=1;b-2', 'a=1;b-2'],
  ])('begin no formula with %j, wherever a spreadsheet begins a cell', (clientId, cell) => {
    const text = csvOf([aCall('2026-11-22T09:00:00Z', { client_id: clientId })]);

    expect(text).toContain(cell);
    expect(text.replaceAll(cell, '')).not.toContain(clientId);
  });
});
