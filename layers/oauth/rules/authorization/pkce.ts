import { createHash, timingSafeEqual } from 'node:crypto';

// PKCE: the code verifier of the client and the challenge made of it (RFC 7636).
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

/** Source: RFC 7636 §4.1. */
export const isVerifier = (text: string): boolean => VERIFIER.test(text);

/** Whether it can be BASE64URL(SHA-256(verifier)). Source: RFC 7636 §4.2. */
export const isChallenge = (text: string): boolean => CHALLENGE.test(text);

/** Whether a verifier is the one behind an S256 challenge. Source: RFC 7636 §4.6. */
export const answersChallenge = (verifier: string, challenge: string): boolean => {
  const expected = Buffer.from(challenge, 'base64url');
  const actual = createHash('sha256').update(verifier).digest();
  return actual.length === expected.length && timingSafeEqual(actual, expected);
};
