import { describe, expect, test } from '@jest/globals';
import { isPrivateJwk, keyAlgorithm } from '../../../layers/credentials/rules/private-jwk.ts';

describe('a JSON Web Key', () => {
  test.each([
    ['RS256 where an RSA key does not say', { kty: 'RSA' }, 'RS256'],
    ['what an RSA key says', { kty: 'RSA', alg: 'PS384' }, 'PS384'],
    ['nothing where an RSA key is for encryption', { kty: 'RSA', alg: 'RSA-OAEP' }, undefined],
    ['nothing where an RSA key says HMAC', { kty: 'RSA', alg: 'HS256' }, undefined],
    ['ES256 on P-256', { kty: 'EC', crv: 'P-256' }, 'ES256'],
    ['ES512 on P-521', { kty: 'EC', crv: 'P-521' }, 'ES512'],
    ['Ed25519', { kty: 'OKP', crv: 'Ed25519' }, 'Ed25519'],
    ['nothing on a curve of key agreement', { kty: 'OKP', crv: 'X25519' }, undefined],
    [
      'nothing on a curve named as a member of all objects',
      { kty: 'EC', crv: 'constructor' },
      undefined,
    ],
    ['nothing with a shared secret on a curve', { kty: 'oct', crv: 'P-256' }, undefined],
    ['nothing with a shared secret', { kty: 'oct', k: 'c2VjcmV0' }, undefined],
  ])('signs with %s', (_, jwk, algorithm) => {
    expect(keyAlgorithm(jwk)).toBe(algorithm);
  });

  test('is private with its private half', () => {
    expect(isPrivateJwk({ kty: 'RSA', d: 'AQAB' })).toBe(true);
  });

  test.each([
    ['its private half', { kty: 'RSA' }],
    ['more than an empty one', { kty: 'RSA', d: '' }],
    ['a text as one', { kty: 'RSA', d: 7 }],
    ['an algorithm that signs', { kty: 'RSA', alg: 'RSA-OAEP', d: 'AQAB' }],
  ])('is none without %s', (_, jwk) => {
    expect(isPrivateJwk(jwk)).toBe(false);
  });
});
