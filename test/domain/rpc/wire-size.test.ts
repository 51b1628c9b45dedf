import { describe, expect, test } from '@jest/globals';
import {
  checkFits,
  isSmallerAsBase64,
  withinBudget,
} from '../../../layers/core/domain/rpc/index.ts';

const MAX_BYTES = 6 * 1024 * 1024 - 64 * 1024;
const letters = (count: number) => 'x'.repeat(count);
/** Half of it doubles when it is put into a JSON string. */
const quotes = (count: number) => '"x'.repeat(count / 2);

describe('T8 keeping answers under what a function may return', () => {
  test.each([
    ['letters', letters(MAX_BYTES - 2)],
    ['quotes, which go as base64', quotes(4_600_000)],
  ])('lets %s pass that just fit', (_, text) => {
    expect(withinBudget([{ id: 1, text }])).toEqual([{ id: 1, text }]);
    expect(() => checkFits(text)).not.toThrow();
  });

  test.each([
    ['letters', letters(MAX_BYTES)],
    ['quotes', quotes(4_800_000)],
    ['wide characters', '€'.repeat(2_400_000)],
  ])('says so where %s do not fit', (_, text) => {
    const [answer] = withinBudget([{ id: 1, text }]);
    expect(JSON.parse(answer?.text ?? '')).toMatchObject({
      id: 1,
      error: { code: -32000, data: { reason: 'answer_too_large' } },
    });
    expect(() => checkFits(text)).toThrow('server_error');
  });

  test('replaces only those answers of a batch that no longer fit', () => {
    const large = letters(4_000_000);
    const kept = withinBudget([
      { id: 1, text: large },
      { id: 2, text: large },
      { id: 3, text: 'small' },
    ]);

    expect(
      kept.map(({ id, text }) => [id, text.length === large.length || text === 'small']),
    ).toEqual([
      [1, true],
      [2, false],
      [3, true],
    ]);
  });

  test.each([
    ['a small body', quotes(1000), false],
    ['a large body of letters', letters(5_000_000), false],
    ['a large body of quotes', quotes(4_600_000), true],
  ])('chooses the shorter form for %s', (_, body, smaller) => {
    expect(isSmallerAsBase64(body)).toBe(smaller);
  });
});
