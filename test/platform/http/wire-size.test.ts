import { describe, expect, test } from '@jest/globals';
import { checkFits, isSmallerAsBase64, withinBudget } from '../../../layers/platform/http/reply.ts';

const MAX_BYTES = 6 * 1024 * 1024 - 64 * 1024;
const letters = (count: number) => 'x'.repeat(count);
/** Half of it doubles when it is put into a JSON string. */
const quotes = (count: number) => '"x'.repeat(count / 2);

describe('keeping answers below the response limit of a Lambda function', () => {
  test.each([
    ['letters', letters(MAX_BYTES - 2)],
    ['quotes, which are sent as base64', quotes(4_600_000)],
  ])('leaves %s that just fit as they are', (_, text) => {
    expect(withinBudget([{ id: 1, text }])).toEqual([{ id: 1, text }]);
    expect(() => checkFits(text)).not.toThrow();
  });

  test.each([
    ['letters', letters(MAX_BYTES)],
    ['quotes', quotes(4_800_000)],
    ['wide characters', '€'.repeat(2_400_000)],
  ])('replaces %s that do not fit by an error', (_, text) => {
    const [answer] = withinBudget([{ id: 1, text }]);
    expect(JSON.parse(answer?.text ?? '')).toMatchObject({
      id: 1,
      error: { code: -32000, data: { reason: 'answer_too_large' } },
    });
    expect(() => checkFits(text)).toThrow('server_error');
  });

  test('replaces only the answers of a batch that do not fit', () => {
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
  ])('chooses the shorter of JSON and base64 for %s', (_, body, smaller) => {
    expect(isSmallerAsBase64(body)).toBe(smaller);
  });
});
