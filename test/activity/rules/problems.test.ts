import { describe, expect, test } from '@jest/globals';
import type { CallRecord } from '../../../layers/events/rules/call-record.ts';
import { problemsOf } from '../../../layers/activity/rules/problems.ts';
import { searchWords } from '../../../layers/activity/rules/search-words.ts';

const aCall = (over: Partial<CallRecord>): CallRecord => ({
  at: 100,
  requestId: 'r',
  index: 0,
  deploymentId: 'd',
  version: 1,
  tool: 'listOrders',
  outcome: 'refused',
  reason: 'invalid_params',
  durationMs: 0,
  subject: 'ada',
  ip: '192.0.2.1',
  ...over,
});
const wrong = { argument: 'filter', keyword: 'type', sent: 'object' } as const;

describe('the problems of calls', () => {
  test('are grouped by tool and cause, the most frequent first', () => {
    const calls = [
      aCall({ faults: [{ argument: 'datatype', keyword: 'required' }] }),
      aCall({ faults: [wrong], at: 90 }),
      aCall({ faults: [wrong], at: 120, subject: 'bob' }),
      aCall({ faults: [wrong], tool: 'listBooks' }),
    ];

    expect(problemsOf(calls, 'strict')).toMatchObject([
      {
        tool: 'listOrders',
        cause: 'wrong_argument',
        what: 'filter is sent as an object',
        calls: 2,
        callers: 2,
        lastAt: 120,
        remedies: ['lenient_checks', 'describe_tool', 'fix_argument', 'hide_argument', 'overlay'],
      },
      { tool: 'listOrders', cause: 'missing_argument', what: 'datatype is missing', calls: 1 },
      { tool: 'listBooks', calls: 1 },
    ]);
  });

  test.each<[string, Partial<CallRecord>, object]>([
    [
      'several faults of one call',
      { faults: [{ argument: 'a', keyword: 'enum' }] },
      { what: 'a is not one of the allowed values' },
    ],
    [
      'a stranger among the arguments',
      { faults: [{ keyword: 'unknown' }] },
      { cause: 'unknown_argument', remedies: ['describe_tool', 'overlay'] },
    ],
    [
      'an operation that is not there',
      { faults: [{ argument: 'name', keyword: 'unknown_operation' }] },
      { cause: 'unknown_operation' },
    ],
    [
      'a search that found nothing',
      { outcome: 'ok', words: ['invoice', 'pdf'] },
      { cause: 'nothing_found', what: 'nothing was found for: invoice pdf' },
    ],
    [
      'a search for words that are not on record',
      { outcome: 'ok', words: [] },
      { what: 'nothing was found for words that are not on record' },
    ],
    [
      'a plan at its limit',
      { reason: 'rate_limited' },
      { cause: 'refused', reason: 'rate_limited', remedies: [] },
    ],
    [
      'a refused credential',
      { outcome: 'target_error', status: 401 },
      { what: 'the API answered 401', remedies: ['set_credential'] },
    ],
    [
      'an API that takes the arguments for wrong',
      { outcome: 'target_error', status: 422 },
      { remedies: ['describe_tool', 'overlay'] },
    ],
    ['an API that fails', { outcome: 'target_error', status: 503 }, { remedies: ['hide_tool'] }],
    [
      'an API that does not answer',
      { outcome: 'no_answer', reason: 'timeout' },
      { cause: 'no_answer', reason: 'timeout' },
    ],
  ])('say what to do about %s', (_, call, problem) => {
    expect(problemsOf([aCall(call)], 'strict')).toMatchObject([{ calls: 1, ...problem }]);
  });

  test('offer to let the API decide only where it does not', () => {
    const calls = [aCall({ faults: [{ argument: 'id', keyword: 'required' }] })];

    expect(problemsOf(calls, 'strict')[0]?.remedies).toContain('lenient_checks');
    expect(problemsOf(calls, 'lenient')[0]?.remedies).not.toContain('lenient_checks');
  });

  test.each(['format', 'pattern', 'type'])('offer it for what breaks a %s', (keyword) => {
    const calls = [aCall({ faults: [{ argument: 'id', keyword, sent: 'string' }] })];

    expect(problemsOf(calls, 'strict')[0]?.remedies[0]).toBe('lenient_checks');
    expect(problemsOf(calls, 'lenient')[0]?.remedies).not.toContain('lenient_checks');
  });

  test('do not offer it for an object or a list where the other is described', () => {
    const calls = [aCall({ faults: [{ argument: 'id', keyword: 'structure', sent: 'object' }] })];

    expect(problemsOf(calls, 'strict')).toMatchObject([
      { cause: 'wrong_argument', what: 'id is sent as an object' },
    ]);
    expect(problemsOf(calls, 'strict')[0]?.remedies).not.toContain('lenient_checks');
  });

  test('do not offer it for what is a part of the address', () => {
    const calls = [aCall({ faults: [{ argument: 'id', keyword: 'path' }] })];

    expect(problemsOf(calls, 'strict')).toMatchObject([
      { cause: 'missing_argument', what: 'id is missing' },
    ]);
    expect(problemsOf(calls, 'strict')[0]?.remedies).not.toContain('lenient_checks');
  });

  test.each<[string, Partial<CallRecord>]>([
    ['succeed', { outcome: 'ok' }],
    ['have not ended', { outcome: 'unfinished' }],
    ['are trials of the owner', { trial: true }],
  ])('are none of calls that %s', (_, call) => {
    expect(problemsOf([aCall(call)], 'strict')).toEqual([]);
  });
});

describe('the words of a search', () => {
  test.each([
    ['Invoice PDF?', ['invoice', 'pdf']],
    ['("pull-requests" of repos/issues), pull', ['pull', 'requests', 'of', 'repos', 'issues']],
    ['Rechnung für Straße 12', ['rechnung', 'für', 'straße']],
    ['orders of ada@example.com since 2026-01-01', ['orders', 'of', 'since']],
    ['token sk-1234abcd https://api.example.com/x a.b', ['token']],
    ['abcdefghijklmnopqrstuvwxyz', []],
    ['   ', []],
    [
      'one two three four five six seven eight nine',
      ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'],
    ],
  ])('of %j are letters alone', (text, words) => {
    expect(searchWords(text)).toEqual(words);
  });
});
