import { describe, expect, test } from '@jest/globals';
import {
  boundedPattern,
  patternWithin,
} from '../../../layers/openapi/json-schema/bounded-pattern.ts';

const matches = (pattern: string, text: string): boolean => {
  const bounded = boundedPattern(pattern);
  if (!bounded) throw new Error('the pattern is not run');
  return new RegExp(bounded.source, 'u').test(text);
};

describe('a pattern that a call is checked with', () => {
  test.each([
    ['^[a-z]+$', 'abc', 'aBc'],
    ['b', 'abc', 'ac'],
    ['^a|b$', 'xb', 'x'],
    ['^(?:\\d{4}-)?\\d{2}$', '2030-01', '2030-'],
    ['^(?=.*\\d).{2,8}$', 'a1', 'ab'],
    ['^[)\\](]+$', '()]', 'x'],
    ['^(?<year>\\d{4})$', '2030', '20'],
    ['^\\p{L}+$', 'ü', '1'],
    ['^(ab){2}$', 'abab', 'ab'],
    ['^\\@\\_x$', '@_x', 'x'],
  ])('matches what the original pattern matches: %s', (pattern, yes, no) => {
    expect(matches(pattern, yes)).toBe(true);
    expect(matches(pattern, no)).toBe(false);
    expect(patternWithin(boundedPattern(pattern)?.source ?? '')).toBe(
      pattern.replaceAll(/\\([@_])/g, '$1'),
    );
  });

  test.each([
    '^(a+)+$',
    '^(a*)*$',
    '(a|a)*b',
    '(?:a|ab){2,}',
    '^(a?){30}$',
    '((a{1,9}){1,9}){1,9}',
    '(\\w+\\s?)*$',
    '^(([a-z])+.)+[A-Z]([a-z])+$',
    '(a)\\1',
    '(?<x>a)\\k<x>',
    `^${'a?'.repeat(20)}$`,
    '[',
    '(',
    'a'.repeat(1001),
  ])('is not tried where its work has no bound, or it is no pattern: %s', (pattern) => {
    expect(boundedPattern(pattern)).toBeUndefined();
  });

  test.each([
    ['^a*$', 100_000],
    ['a*', 316],
    ['^a*b*$', 316],
    ['^a*b*c*$', 46],
  ])(
    'is tried on texts up to a length that bounds its work: %s up to %s characters',
    (pattern, longest) => {
      expect(matches(`${pattern.replace(/\$$/, '')}#$`, 'a'.repeat(longest))).toBe(false);
      expect(matches(`${pattern.replace(/\$$/, '')}#$`, 'a'.repeat(longest + 1))).toBe(true);
    },
  );

  test.each([
    ['^[a-z]{2}-\\d+$', true],
    ['^a*b*$', false],
    ['a*', false],
    ['^a|b*$', false],
  ])('says whether its work is linear: %s, %s', (pattern, linear) => {
    expect(boundedPattern(pattern)?.linear).toBe(linear);
  });
});
