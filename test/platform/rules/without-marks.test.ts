import { expect, test } from '@jest/globals';
import { withoutMarks } from '../../../layers/platform/rules/text.ts';
import { growth, MOST_GROWTH } from '../../support/growth.ts';

test.each([
  ['Größe', 'Große'],
  ['e\u0301\u0327', 'e'],
  ['ﬁ ① Å', 'fi 1 A'],
  ['\u0344\u0f77', ''],
  ['한', '\u1112\u1161\u11ab'],
])('%j without marks is %j', (text, expected) => {
  expect(withoutMarks(text)).toBe(expected);
});

// Normal forms put marks in order by going back over all before, for each.
test('marks are taken from a text in linear time', async () => {
  const run = (size: number) => withoutMarks(`a${'\u0301\u0316'.repeat(size)}`);

  expect(await growth(run, 10_000)).toBeLessThan(MOST_GROWTH);
});
