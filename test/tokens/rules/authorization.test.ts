import { describe, expect, test } from '@jest/globals';
import { bearerToken, checkSingle } from '../../../layers/tokens/rules/authorization.ts';

describe('the Authorization header', () => {
  test.each([
    undefined,
    'Bearer abc',
    'Basic dXNlcjpwYXNz',
    'Digest username="Mufasa, King", realm="a \\"b, c\\"", uri="/", qop=auth',
  ])('may be %p', (header) => {
    expect(() => checkSingle(header)).not.toThrow();
  });

  test.each([
    'Bearer a,Bearer b',
    'Bearer a, Bearer b',
    'Bearer a,b',
    'Bearer a,',
    ',Bearer a',
    ',',
    'Bearer a,Basic dXNlcjpwYXNz==',
    'Digest username="a", realm="b",Bearer c',
    'Bearer a, "b',
    'Bearer a,"b\\',
  ])('is refused where it holds two credentials: %p', (header) => {
    expect(() => checkSingle(header)).toThrow('Send one Authorization header.');
  });

  test.each([
    ['Bearer abc', 'abc'],
    ['bearer abc', 'abc'],
    ['BEARER abc', 'abc'],
    ['Bearer   abc  ', 'abc'],
    ['Bearer', ''],
    ['Bearer ', ''],
    ['Bearerabc', undefined],
    ['Basic abc', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('%p yields the bearer token %p', (header, token) => {
    expect(bearerToken(header)).toBe(token);
  });

  // Read in two ways, each of them would take minutes.
  test('is soon read whatever it holds a million times', () => {
    const blanks = `Bearer ${' '.repeat(1_000_000)}\u2028x`;
    const quotations = `Bearer a"${'\\"'.repeat(1_000_000)}`;

    expect(bearerToken(blanks)).toBe('\u2028x');
    expect(() => checkSingle(quotations)).not.toThrow();
  });
});
