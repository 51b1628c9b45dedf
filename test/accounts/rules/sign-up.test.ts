import { describe, expect, test } from '@jest/globals';
import { emailFindings, readName } from '../../../layers/accounts/rules/sign-up.ts';
import {
  beginning,
  isSignedOut,
  signedOutFrom,
} from '../../../layers/accounts/rules/signed-out.ts';

const NOON = 1_795_176_000;

describe('signing up', () => {
  test.each(['nobody', 'a..da@example.com', 'ada.@example.com'])(
    'says where an invalid address is and what to enter: %s',
    (email) => {
      expect(emailFindings(email)).toEqual([
        { where: '/email', what: 'not an e-mail address', hint: expect.stringContaining('@') },
      ]);
    },
  );

  test.each([
    [undefined, {}],
    ['   ', {}],
    ['Ada Lovelace', { name: 'Ada Lovelace' }],
    [' Ada\n\tLovelace\u202e ', { name: 'Ada Lovelace' }],
    ['é'.repeat(200), { name: 'é'.repeat(100) }],
  ])('turns the name %p into %p', (name, read) => {
    expect(readName(name)).toEqual(read);
  });
});

describe('the sign-out after a password reset', () => {
  const reset = { signedOutAt: signedOutFrom(NOON) };

  test('ends sessions that began before it or in the same second', () => {
    expect(isSignedOut(reset, NOON - 1)).toBe(true);
    expect(isSignedOut(reset, NOON)).toBe(true);
  });

  test('spares sessions that begin after it, even in the same second', () => {
    expect(isSignedOut(reset, beginning(reset, NOON))).toBe(false);
    expect(isSignedOut(reset, beginning(reset, NOON + 5))).toBe(false);
  });
});
