import { expect, test } from '@jest/globals';
import { isTooLarge } from '../../../layers/target/rules/network-call.ts';

test('a call into a network is at most 6 MB of JSON in UTF-8, as Lambda takes it', () => {
  const around = JSON.stringify({ body: '' }).length;
  const most = 6 * 1024 * 1024 - around;

  expect(isTooLarge({ body: 'a'.repeat(most) })).toBe(false);
  expect(isTooLarge({ body: 'a'.repeat(most + 1) })).toBe(true);
  const letters = 'é'.repeat(Math.floor(most / 2));
  expect(isTooLarge({ body: letters })).toBe(false);
  expect(isTooLarge({ body: `${letters}é` })).toBe(true);
});
