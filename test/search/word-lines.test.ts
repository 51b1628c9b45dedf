import { expect, test } from '@jest/globals';
import { linesWith } from '../../layers/search/word-lines.ts';

const TABLE = `
company firm
say: tell told
company: tell
tells teller: company companies
`;

test('the lines of a table that have a word are found by its stem, in their order', () => {
  expect(linesWith(TABLE, 'tell')).toEqual([
    { left: ['say'], right: ['tell', 'told'], isLeft: false },
    { left: ['company'], right: ['tell'], isLeft: false },
    { left: ['tells', 'teller'], right: ['company', 'companies'], isLeft: true },
  ]);
});

test('a line with two words of one stem is found twice', () => {
  expect(linesWith(TABLE, 'company').map(({ isLeft }) => isLeft)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test.each(['fir', 'old', 'say:'])('no line is found by what is no word: %j', (stem) => {
  expect(linesWith(TABLE, stem)).toEqual([]);
});

test('a stem of `y` alone is compared with words that begin with it, and no others', () => {
  expect(
    linesWith('\ny: axis\nies: end\nflies fly: insect\n', 'y').map(({ left }) => left),
  ).toEqual([['y']]);
  expect(linesWith('\nflies: insect\n', 'fly')).toHaveLength(1);
});
