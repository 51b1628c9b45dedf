import { describe, expect, test } from '@jest/globals';
import { stdoutLog } from '../../../layers/platform/log/stdout-log.ts';
import { Fault } from '../../../layers/platform/rules/fault.ts';

const NOON = 1_795_176_000;
const clock = { now: () => NOON, elapsedMs: () => 0 };

/** What one record becomes: the raw writes. */
const writes = (record: Record<string, unknown>): string[] => {
  const written: string[] = [];
  stdoutLog(clock, { write: (line) => written.push(line) }).write(record);
  return written;
};

const logged = (record: Record<string, unknown>): Record<string, unknown> =>
  JSON.parse(writes(record).join(''));

describe('a log record', () => {
  test('is one line of JSON in one write that begins with the time', () => {
    expect(writes({ route: '/messages', status: 200, ok: true, none: null })).toEqual([
      '{"time":"2026-11-20T12:00:00.000Z","route":"/messages","status":200,"ok":true,"none":null}\n',
    ]);
  });

  test.each([
    ['line breaks', 'a\r\n{"forged":true}'],
    ['an escape sequence', '\u001b[2J'],
    ['C1 controls', '\u009b2J'],
    ['line separators', 'a\u2028b\u2029c'],
    ['bidirectional overrides', 'a\u202eb\u2066c'],
    ['a zero-width space', 'a\u200bb'],
    ['half a surrogate pair', 'a\ud800'],
  ])('cannot be forged or disguised with %s', (_, text) => {
    const [line = ''] = writes({ text });

    expect(line).toMatch(/^[^\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]*\n$/u);
    expect(JSON.parse(line).text).toBe(text);
  });

  test('keeps emoji and other scripts as they are', () => {
    expect(writes({ text: '日本 😀' })[0]).toContain('日本 😀');
  });

  test.each([
    [
      'an error with its causes',
      new Fault('s3', 'gone', new Error('why')),
      { name: 'Fault', message: 's3: gone', cause: { message: 'why' } },
    ],
    [
      'an error without the properties the SDK adds',
      Object.assign(new Error('x'), { Item: 'kept' }),
      expect.not.objectContaining({ Item: 'kept' }),
    ],
    ['a big integer', 2n ** 64n, '18446744073709551616'],
    ['a date', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['an invalid date', new Date(Number.NaN), null],
    ['bytes', Buffer.from('abc'), '[3 bytes]'],
    ['NaN', Number.NaN, null],
  ])('can contain %s', (_, value, expected) => {
    const { value: told } = logged({ value });
    if (typeof expected === 'object' && expected !== null) expect(told).toMatchObject(expected);
    else expect(told).toBe(expected);
  });

  test('omits undefined values and functions', () => {
    expect(logged({ a: undefined, b: () => 1 })).toEqual({ time: '2026-11-20T12:00:00.000Z' });
  });
});

describe('a log record that is too large', () => {
  test('has its strings cut, with their length noted', () => {
    expect(logged({ text: 'x'.repeat(2001) })['text']).toBe(`${'x'.repeat(2000)}… (2001)`);
    expect(logged({ text: 'x'.repeat(2000) })['text']).toBe('x'.repeat(2000));
  });

  test('has its lists cut', () => {
    const list = logged({ list: Array(61).fill(1) })['list'];

    expect(list).toEqual([...Array(60).fill(1), '… (61)']);
  });

  test('has its objects cut', () => {
    const object = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`key${i}`, i]));

    expect(Object.keys(logged({ object })['object'] as object)).toHaveLength(61);
  });

  test('has its depth cut, even for cycles', () => {
    const circle: Record<string, unknown> = {};
    circle['again'] = circle;

    expect(writes({ circle })[0]).toContain('[deeper]');
  });
});

describe('a secret in a log record', () => {
  test.each([
    'authorization',
    'Authorization',
    'proxy-authorization',
    'access_token',
    'refreshToken',
    'password',
    'client_secret',
    'set-cookie',
    'x-api-key',
    'api_key',
    'apikey',
    'credentials',
  ])('is masked by the member name %s', (name) => {
    expect(logged({ headers: { [name]: 'hunter2' } })).toMatchObject({
      headers: { [name]: '[redacted]' },
    });
  });

  test.each([
    ['a bearer header', 'sent Bearer abcdefgh1234 to it', 'sent [redacted] to it'],
    ['a basic header', 'basic dXNlcjpwYXNz', '[redacted]'],
    ['an access token', 'mcp_access_0b1c-22 was refused', '[redacted] was refused'],
    ['a refresh token', 'x mcp_refresh_0b1c', 'x [redacted]'],
    ['an authorization code', 'mcp_code_0b1c-22 again', '[redacted] again'],
    ['a client secret', 'secret_0123456789', '[redacted]'],
    ['a JWT', 'of eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhbm4ifQ.c2lnbmVk-_, it', 'of [redacted], it'],
    ['the beginning of a JWT', 'of eyJhbGciOiJFUzI1NiJ9, it', 'of [redacted], it'],
    ['a JWT without its signature', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbm4ifQ.', '[redacted]'],
  ])('is masked by its format: %s', (_, text, expected) => {
    expect(logged({ text, error: new Error(text) })).toMatchObject({
      text: expected,
      error: { message: expected },
    });
  });

  test('is masked before the string is cut', () => {
    const text = `${'x'.repeat(1990)} secret_0123456789`;

    expect(logged({ text })['text']).not.toContain('secret_');
  });

  test('is not confused with names and words that sound similar', () => {
    const record = { tool: 'getBasicInfo', text: 'basic auth is required', bearer: 'none' };

    expect(logged(record)).toMatchObject(record);
  });
});

describe('writing a log record', () => {
  test('reports a record that cannot be serialized instead of throwing', () => {
    const hostile = {
      get value() {
        throw new Error('no');
      },
    };

    expect(logged({ hostile })).toEqual({
      time: '2026-11-20T12:00:00.000Z',
      level: 'error',
      message: 'a log record could not be written',
    });
  });

  test('does not throw when standard output is closed', () => {
    const log = stdoutLog(clock, {
      write: () => {
        throw new Error('EPIPE');
      },
    });

    expect(() => log.write({ a: 1 })).not.toThrow();
  });
});
