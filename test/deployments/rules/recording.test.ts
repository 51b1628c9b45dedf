import { describe, expect, test } from '@jest/globals';
import { type Recording } from '../../../layers/deployments/rules/recording.ts';
import { fittedContent, isRecorded } from '../../../layers/activity/rules/recorded-content.ts';

const RECORDING: Recording = { publicKey: 'key', since: 100, until: 200 };
const CALL = { at: 150, tool: 'getBook', subject: 'user-1' };

describe('a call', () => {
  test.each([
    ['is recorded', {}, {}, true],
    ['of the first second is recorded', {}, { at: 100 }, true],
    ['that was sent before is not', {}, { at: 99 }, false],
    ['that was sent at its end is not', {}, { at: 200 }, false],
    ['of its owner who tries a tool is not', {}, { trial: true as const }, false],
    ['of the tool that is recorded is', { tool: 'getBook' }, {}, true],
    ['of another tool is not', { tool: 'listBooks' }, {}, false],
    ['of the person who is recorded is', { subjects: ['a@b', 'user-1'] }, {}, true],
    ['of another person is not', { subjects: ['a@b', 'user-2'] }, {}, false],
  ])('%s', (_, recording, call, expected) => {
    expect(isRecorded({ ...RECORDING, ...recording }, { ...CALL, ...call })).toBe(expected);
  });
});

describe('what is recorded', () => {
  test('is whole where it is short', () => {
    const sent = { title: 'Dune' };
    expect(fittedContent({ arguments: sent, answer: 'yes' })).toEqual({
      arguments: sent,
      answer: 'yes',
    });
    expect(fittedContent({ arguments: undefined, error: 'no' })).toEqual({ error: 'no' });
  });

  test('has 32 KB at most, arguments 16, in whole characters', () => {
    const { arguments: whole, ...cut } = fittedContent({
      arguments: { text: 'ü'.repeat(10_000) },
      answer: '€'.repeat(20_000),
    });
    expect(whole).toBeUndefined();
    const { argumentsText = '', answer = '', leftOut = 0 } = cut;
    expect(argumentsText).toMatch(/^\{"text":"ü+$/);
    expect(Buffer.byteLength(argumentsText)).toBeGreaterThan(16 * 1024 - 4);
    expect(answer).toMatch(/^€+$/);
    const bytes = Buffer.byteLength(argumentsText) + Buffer.byteLength(answer);
    expect(bytes).toBeLessThanOrEqual(32 * 1024);
    expect(bytes).toBeGreaterThan(32 * 1024 - 8);
    expect(leftOut).toBe(60_000 - Buffer.byteLength(answer));
  });

  test('has the headers of an answer behind it, however long that is', () => {
    const headers = 'Headers of the answer:\nlink: </a?page=2>; rel="next"';

    expect(fittedContent({ arguments: {}, answer: 'yes', headers })).toEqual({
      arguments: {},
      answer: `yes\n${headers}`,
    });
    const { answer = '', leftOut } = fittedContent({
      arguments: {},
      answer: 'x'.repeat(100_000),
      headers,
    });
    expect(answer.endsWith(`x\n${headers}`)).toBe(true);
    expect(Buffer.byteLength(answer)).toBe(32 * 1024 - 2);
    expect(leftOut).toBe(100_000 - (32 * 1024 - 2 - headers.length - 1));
  });

  test('keeps what was sent in place of arguments', () => {
    expect(fittedContent({ arguments: ['a'], error: 'no' })).toEqual({
      argumentsText: '["a"]',
      error: 'no',
    });
  });
});
