import { describe, expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { DEFAULT_LIMITS } from '../../layers/limits/rules/limits.ts';

const LIMITS = new URL('../../docs/limits.md', import.meta.url);

describe('docs/limits.md', () => {
  test('names every limit with its default, and no other', async () => {
    const text = await readFile(LIMITS, 'utf8');
    const shown = [...text.matchAll(/`([a-z]+(?:_[a-z]+)+)` (\d+)/g)].map(
      ([, name = '', value]): readonly [string, number] => [name, Number(value)],
    );

    expect(Object.fromEntries(shown)).toEqual(DEFAULT_LIMITS);
  });
});
