import { describe, expect, test } from '@jest/globals';
import { readName, signUpFindings } from '../../../layers/core/domain/accounts/sign-up.ts';
import {
  beginning,
  isSignedOut,
  signedOutFrom,
} from '../../../layers/core/domain/accounts/signed-out.ts';

const NOON = 1_795_176_000;

describe('signing up', () => {
  test('says all that is wrong at once, and where', () => {
    expect(signUpFindings('nobody', 'short')).toEqual([
      { where: '/email', what: 'not an e-mail address', mend: expect.stringContaining('@') },
      { where: '/password', what: 'too short', mend: 'Use at least 12 characters.' },
    ]);
  });

  test.each([
    [undefined, {}],
    ['   ', {}],
    ['Ada Lovelace', { name: 'Ada Lovelace' }],
    [' Ada\n\tLovelace\u202e ', { name: 'Ada Lovelace' }],
    ['é'.repeat(200), { name: 'é'.repeat(100) }],
  ])('takes the name %p for %p', (name, read) => {
    expect(readName(name)).toEqual(read);
  });
});

describe('a password reset', () => {
  const reset = { signedOutAt: signedOutFrom(NOON) };

  test('ends what began before it, in its own second too', () => {
    expect(isSignedOut(reset, NOON - 1)).toBe(true);
    expect(isSignedOut(reset, NOON)).toBe(true);
  });

  test('lets live what begins after it, in its own second too', () => {
    expect(isSignedOut(reset, beginning(reset, NOON))).toBe(false);
    expect(isSignedOut(reset, beginning(reset, NOON + 5))).toBe(false);
  });
});
