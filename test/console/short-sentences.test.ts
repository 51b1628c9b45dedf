import { expect, test } from '@jest/globals';
import { saidByPages, saidByTheApi, saidByTheConsole, type Text } from '../support/words/texts.ts';

const MOST_WORDS = 20;

const longIn = (texts: readonly Text[]): readonly string[] =>
  texts.flatMap(({ file, text }) =>
    text
      .replaceAll(/\s+/g, ' ')
      .split(/(?<=[.?!:;]) +/)
      .filter((one) => (one.match(/\S*[A-Za-z]\S*/g) ?? []).length > MOST_WORDS)
      .map((one) => `${file}: ${one}`),
  );

test.each([
  ['the console', saidByTheConsole, 1500],
  ['pages of sign-in and consent, and of mails', saidByPages, 300],
  ['the management API', saidByTheApi, 300],
] as const)('a sentence of %s has 20 words at most', (_, texts, least) => {
  const all = texts();

  expect(all.length).toBeGreaterThan(least);
  expect(longIn(all)).toEqual([]);
});

test('a sentence is counted over the elements within it, and a longer one is found', () => {
  const text = `${'word '.repeat(20)}more. Short.`;

  expect(longIn([{ file: 'a', text }])).toEqual([`a: ${'word '.repeat(20)}more.`]);
});
