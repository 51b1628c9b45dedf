import { describe, expect, test } from '@jest/globals';
import { DEFAULT_LIMITS, readLimits } from '../../../layers/limits/rules/limits.ts';

describe('reading overrides of limits', () => {
  test('keeps the defaults where no overrides are given', () => {
    expect(readLimits(undefined)).toBe(DEFAULT_LIMITS);
    expect(readLimits('')).toBe(DEFAULT_LIMITS);
  });

  test('replaces only the limits that are named', () => {
    expect(readLimits('{"endpoints_per_deployment":7}')).toEqual({
      ...DEFAULT_LIMITS,
      endpoints_per_deployment: 7,
    });
  });

  test('accepts 0 where it forbids something', () => {
    expect(readLimits('{"free_searchable_operations":0,"kept_answer_max_bytes":0}')).toMatchObject({
      free_searchable_operations: 0,
      pro_searchable_operations: 5000,
      kept_answer_max_bytes: 0,
    });
  });

  test.each([
    ['not JSON', '{', 'the limits are not valid JSON'],
    ['an array', '[]', 'must be a JSON object'],
    ['null', 'null', 'must be a JSON object'],
    ['an unknown name', '{"endpoints":7}', 'unknown limit "endpoints"'],
    ['a name of Object.prototype', '{"toString":7}', 'unknown limit "toString"'],
    ['a negative number', '{"free_searchable_operations":-1}', 'a whole number of at least 0'],
    ['zero elsewhere', '{"gallery_per_day":0}', 'limit "gallery_per_day" must be a whole number'],
    ['a fraction', '{"gallery_per_day":1.5}', 'must be a whole number'],
    ['a string', '{"gallery_per_day":"9"}', 'must be a whole number'],
  ])('refuses %s', (_, text, message) => {
    expect(() => readLimits(text)).toThrow(message);
  });
});
