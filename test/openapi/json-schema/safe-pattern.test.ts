import { describe, expect, test } from '@jest/globals';
import { patternReader, safePattern } from '../../../layers/openapi/json-schema/safe-pattern.ts';

describe('a pattern of a description', () => {
  test.each([
    '^[a-z0-9]+(-[a-z0-9]+)*$',
    '^([a-z0-9]+-)*[a-z0-9]+$',
    "^[A-Za-z]+(?:[\\s'-][A-Za-z]+)*$",
    '^#(([0-9a-fA-F]{2}){3}|([0-9a-fA-F]){3})$',
    '^([01]\\d|2[0-3]):?([0-5]\\d)$',
    '^[\\w.%+-]+@[a-zA-Z0-9.-]+\\.[a-zA-Z]{2,}$',
    '^\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}$',
    '^-?\\d+(\\.\\d+)?$',
    '^(active|archived)$',
    '^(A[A-Z0-9]{1,})?$',
    '^[UW][A-Z0-9]{8,}$|^$',
    '^\\p{L}+$',
    '^[^/]+$',
    '[0-9a-f]{7,}?',
    '.*',
    '^(?<year>\\d{4})-\\d{2}$',
    '^\\u0041\\x42\\cA\\u{1F600}$',
  ])('is kept where it backtracks within bounds: %s', (pattern) => {
    expect(safePattern(pattern)).toBe(pattern);
  });

  test.each([
    ['^/[a-z]+$', '^/[a-z]+$'],
    ['/^[a-z]+$/', '^[a-z]+$'],
    ['/^[a-z]+$/u', '^[a-z]+$'],
    [' ^[a-z]+$', '^[a-z]+$'],
    [' [a-z] ', ' [a-z] '],
    ['^[\\w\\-\\_]+\\@$', '^[\\w\\-_]+@$'],
    ['^a\\-b$', '^a-b$'],
  ])('is repaired as its author means it: %s becomes %s', (pattern, kept) => {
    expect(safePattern(pattern)).toBe(kept);
  });

  test.each([
    ['written for Python', '^(?P<year>\\d+)$'],
    ['written for Python', '\\Aabc\\Z'],
    ['written for PCRE', '(?i)abc'],
    ['written with a flag', '/^[a-z]+$/i'],
    ['unbalanced', '([a-z]'],
    ['of an unknown property', '\\p{Print}+'],
    ['dependent on a back reference', '^(a)\\1$'],
    ['dependent on a look-ahead', '^(?=.*\\d).+$'],
    ['too long', `^${'a'.repeat(500)}$`],
  ])('is left out where it is %s: %s', (_, pattern) => {
    expect(safePattern(pattern)).toBeUndefined();
  });

  test.each([
    '(a+)+$',
    '^(a*)*$',
    '^(a|a)*$',
    '^(a|ab)*$',
    '^(a|b|ab)+$',
    '(.*)*',
    '^(\\w+\\s?)*$',
    '^(([a-z])+.)+[A-Z]([a-z])+$',
    '^(,a+a+)*$',
    '^(ab?b?)*$',
    'a?a?a?aaa',
    '((a|a){16}){16}',
    '^(a|a)(a|a)(a|a)$',
    '^(a?){50}$',
    '.*.*.*',
    '^\\s*(\\s*\\S+\\s*)*$',
    `${'('.repeat(100)}a${'+)+'.repeat(100)}`,
  ])('is left out where it could backtrack without bound: %s', (pattern) => {
    expect(safePattern(pattern)).toBeUndefined();
  });
});

test('of all patterns of a description so many different characters are looked at', () => {
  const read = patternReader();
  const long = (at: number) => `^${'a'.repeat(400)}${at}$`;
  const found = Array.from({ length: 1000 }, (_, at) => read(long(at))).filter(Boolean);

  expect(found.length).toBeGreaterThan(200);
  expect(found.length).toBeLessThan(250);
  expect(read(long(0))).toBe(long(0));
  expect(read('^a$')).toBeUndefined();

  const another = patternReader();
  expect(Array.from({ length: 1000 }, () => another(long(1))).every(Boolean)).toBe(true);
});
