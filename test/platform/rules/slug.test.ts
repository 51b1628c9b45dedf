import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  checkSlug,
  isSlug,
  slugFromTitle,
  slugWithEnding,
} from '../../../layers/platform/rules/addresses.ts';

describe('a slug', () => {
  test.each(['abc', 'a-1', 'a'.repeat(63), 'sample'])('may be %s', (slug) => {
    expect(isSlug(slug)).toBe(true);
  });

  test.each(['', 'ab', 'a'.repeat(64), '1abc', '-abc', 'Abc', 'a_c', 'a/c', 'abc\n', 'äbc'])(
    'may not be %j',
    (slug) => {
      expect(isSlug(slug)).toBe(false);
      expect(() => checkSlug(slug)).toThrow('cannot be used');
    },
  );
});

describe('a slug made from a title', () => {
  test.each([
    ['Petstore API', 'petstore-api'],
    ['  Café & Crème!  ', 'cafe-creme'],
    ['3scale', 'api-3scale'],
    ['', 'api'],
    ['日本', 'api'],
    ['X', 'x-api'],
  ])('%j becomes %s', (title, slug) => {
    expect(slugFromTitle(title)).toBe(slug);
  });

  test('is always valid, even with a random ending', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (title) => {
        const slug = slugFromTitle(title);
        return isSlug(slug) && isSlug(slugWithEnding(slug, 'ab12cd'));
      }),
    );
  });
});
