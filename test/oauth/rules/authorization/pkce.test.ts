import { describe, expect, test } from '@jest/globals';
import {
  answersChallenge,
  isChallenge,
  isVerifier,
} from '../../../../layers/oauth/rules/authorization/authorization-code.ts';

describe('a PKCE code verifier', () => {
  test.each([
    ['43 characters', 'a'.repeat(43)],
    ['128 characters', 'a'.repeat(128)],
    ['every kind of character', 'AZaz09-._~'.padEnd(43, 'x')],
  ])('may have %s', (_, verifier) => {
    expect(isVerifier(verifier)).toBe(true);
  });

  test.each([
    ['42 characters', 'a'.repeat(42)],
    ['129 characters', 'a'.repeat(129)],
    ['a plus sign', '+'.padEnd(43, 'a')],
    ['a space', ' '.padEnd(43, 'a')],
    ['a line break', `${'a'.repeat(43)}\n`],
    ['a NUL', '\0'.padEnd(43, 'a')],
    ['digits beyond ASCII', '١'.repeat(43)],
  ])('never has %s', (_, verifier) => {
    expect(isVerifier(verifier)).toBe(false);
  });

  // Source: RFC 7636, appendix B.
  const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
  const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

  test('matches its own S256 challenge and no other', () => {
    expect(answersChallenge(verifier, challenge)).toBe(true);
    expect(answersChallenge(`${verifier}x`, challenge)).toBe(false);
    expect(answersChallenge(verifier, verifier)).toBe(false);
    expect(answersChallenge(verifier, '')).toBe(false);
  });

  test('has a challenge of exactly 43 base64url characters', () => {
    expect(isChallenge(challenge)).toBe(true);
    expect(isChallenge(`${challenge}=`)).toBe(false);
    expect(isChallenge(challenge.slice(1))).toBe(false);
    expect(isChallenge(challenge.replace('-', '+'))).toBe(false);
  });
});
