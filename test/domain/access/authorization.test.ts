import { describe, expect, test } from '@jest/globals';
import { bearerToken, checkSingle } from '../../../layers/core/domain/access/authorization.ts';

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
});
