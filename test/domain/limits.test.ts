import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { DEFAULT_LIMITS, readLimits } from '../../layers/core/domain/access/limits.ts';

describe('reading limit overrides', () => {
  test('leaves the defaults where nothing is given', () => {
    expect(readLimits(undefined)).toBe(DEFAULT_LIMITS);
    expect(readLimits('')).toBe(DEFAULT_LIMITS);
  });

  test('replaces only what is named', () => {
    expect(readLimits('{"endpoints_per_deployment":7}')).toEqual({
      ...DEFAULT_LIMITS,
      endpoints_per_deployment: 7,
    });
  });

  test('takes 0 where that forbids', () => {
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
    ['less than zero', '{"free_searchable_operations":-1}', 'a whole number of at least 0'],
    ['zero', '{"gallery_per_day":0}', 'limit "gallery_per_day" must be a whole number'],
    ['a fraction', '{"gallery_per_day":1.5}', 'must be a whole number'],
    ['a string', '{"gallery_per_day":"9"}', 'must be a whole number'],
  ])('refuses %s', (_, text, message) => {
    expect(() => readLimits(text)).toThrow(message);
  });
});

test('every limit is in the README, with its default', async () => {
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
  const missing = Object.entries(DEFAULT_LIMITS).filter(
    ([name, value]) => !readme.includes(`\`${name}\` ${value}`),
  );

  expect(missing).toEqual([]);
});
