import { describe, expect, test } from '@jest/globals';
import type { CallRecord } from '../../../layers/events/rules/call-record.ts';
import { credentialRefusals } from '../../../layers/activity/rules/credential-refusals.ts';

type Answer = number | string | undefined;

/** Calls, the newest first, of answers in the order in which they came: a status, or of another version `v1 401`. */
const calls = (answers: readonly Answer[]): readonly CallRecord[] =>
  answers
    .map((answer, index): CallRecord => {
      const [version, status] =
        typeof answer === 'string' ? answer.split(' ') : ['v2', answer && String(answer)];
      return {
        at: index + 1,
        requestId: `r${index}`,
        index: 0,
        deploymentId: 'd',
        version: 1,
        tool: 't',
        outcome: status === '200' ? 'ok' : 'target_error',
        durationMs: 1,
        ip: '192.0.2.1',
        subject: 's',
        ...(version !== undefined && { credentialVersion: version }),
        ...(status && { status: Number(status) }),
      };
    })
    .toReversed();

describe('what a target says of a credential', () => {
  test.each<[string, Answer[], object]>([
    ['one 401', [401], { since: 1, calls: 1, status: 401 }],
    ['401 after it was taken', [200, 401, 401], { since: 2, calls: 2, status: 401 }],
    [
      '401 among failures and limits',
      [200, 401, 500, 429, 401],
      { since: 2, calls: 2, status: 401 },
    ],
    ['three 403 one after the other', [403, 403, 403], { since: 1, calls: 3, status: 403 }],
    ['403 and 401', [401, 403], { since: 1, calls: 2, status: 403 }],
    [
      '401 of this version, whatever former ones met',
      ['v1 200', 'v1 403', 401],
      { since: 3, calls: 1, status: 401 },
    ],
  ])('is a refusal after %s', (_case, answers, refusals) => {
    expect(credentialRefusals(calls(answers), 'v2')).toEqual(refusals);
  });

  test.each<[string, Answer[]]>([
    ['nothing was called', []],
    ['the last one was taken', [401, 401, 200]],
    ['an operation alone may be forbidden', [200, 403, 403]],
    ['forbidden operations stand between others', [403, 403, 200, 403, 404, 403]],
    ['a former version was refused', ['v1 401', 'v1 401']],
    ['there was no answer', [undefined, undefined]],
    ['only limits and failures were met', [429, 503]],
    ['an error shows that it was let in', [401, 404]],
  ])('is no refusal where %s', (_case, answers) => {
    expect(credentialRefusals(calls(answers), 'v2')).toBeUndefined();
  });
});
