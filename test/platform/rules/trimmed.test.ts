import { describe, expect, test } from '@jest/globals';
import { trimmed, trimmedEnd } from '../../../layers/platform/rules/text.ts';
import { growth, MOST_GROWTH } from '../../support/growth.ts';

describe('a text is trimmed', () => {
  test.each([
    ['', ''],
    ['//', ''],
    ['a', 'a'],
    ['a/b//', 'a/b'],
    ['//a//b', '//a//b'],
  ])('at its end: %j is %j', (text, expected) => {
    expect(trimmedEnd(text, /\//)).toBe(expected);
  });

  test.each([
    ['', ''],
    [' \t', ''],
    ['a', 'a'],
    ['\t a b ', 'a b'],
    ['a\n ', 'a\n'],
  ])('at both ends: %j is %j', (text, expected) => {
    expect(trimmed(text, /[ \t]/)).toBe(expected);
  });

  test('in linear time, wherever its blanks stand', async () => {
    const run = (size: number) => trimmed(`a${' '.repeat(size)}b`, / /);

    expect(await growth(run, 250_000)).toBeLessThan(MOST_GROWTH);
  });
});
