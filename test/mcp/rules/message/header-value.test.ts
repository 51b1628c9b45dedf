import { describe, expect, test } from '@jest/globals';
import { headerText } from '../../../../layers/mcp/rules/modern-message.ts';

const encoded = (text: string | Uint8Array) => `=?base64?${Buffer.from(text).toString('base64')}?=`;

describe('a header that repeats a part of the body', () => {
  test.each([
    ['tools/list', 'tools/list'],
    [' \t tools/list\t ', 'tools/list'],
    ['', ''],
    ['a b', 'a b'],
    ['=?base64?', '=?base64?'],
    ['=?utf-8?q?x?=', '=?utf-8?q?x?='],
    [encoded(''), ''],
    [encoded('grüße 🐕'), 'grüße 🐕'],
    [` ${encoded(' padded ')} `, ' padded '],
    [encoded('=?base64?eA==?='), '=?base64?eA==?='],
    [encoded('\ufeffx'), '\ufeffx'],
  ])('of %j says %j', (value, text) => {
    expect(headerText(value)).toBe(text);
  });

  // Sought from each of them, the end would be found after minutes.
  test('may hold a million blanks, which are soon read', () => {
    const value = `a${' '.repeat(1_000_000)}b`;

    expect(headerText(` ${value} `)).toBe(value);
  });

  test.each([
    ['without padding', '=?base64?eA?='],
    ['of another alphabet', '=?base64?-_==?='],
    ['with a blank in it', '=?base64?eA ==?='],
    ['with bits that mean nothing', '=?base64?eB==?='],
    ['of what is no UTF-8', encoded(Uint8Array.of(0xff))],
    ['of half a surrogate pair', encoded(Uint8Array.of(0xed, 0xa0, 0x80))],
  ])('of base64 %s says nothing', (_, value) => {
    expect(headerText(value)).toBeUndefined();
  });
});
