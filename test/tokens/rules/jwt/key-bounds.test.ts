import { describe, expect, test } from '@jest/globals';
import { boundedKeys } from '../../../../layers/tokens/rules/signing-keys.ts';

/** A number of so many bits in base64url, after as many zero bytes. */
const bits = (count: number, zeros = 0): string => {
  const bytes = Buffer.alloc(zeros + Math.ceil(count / 8), 0xff);
  bytes.fill(0, 0, zeros);
  bytes[zeros] = 0xff >> ((8 - (count % 8)) % 8);
  return bytes.toString('base64url');
};

const rsa = (over: object = {}) => ({ kty: 'RSA', n: bits(2048), e: 'AQAB', ...over });

describe('keys of a set that a stranger wrote', () => {
  test.each<[string, object, number]>([
    ['a modulus of 4096 bits', { n: bits(4096) }, 1],
    ['a modulus of 4096 bits behind a zero', { n: bits(4096, 1) }, 1],
    ['a modulus of 4097 bits', { n: bits(4097) }, 0],
    ['an exponent of 32 bits', { e: bits(32) }, 1],
    ['an exponent of 33 bits', { e: bits(33) }, 0],
    ['an exponent as long as its modulus', { e: bits(2048) }, 0],
    ['no exponent', { e: undefined }, 0],
    ['a modulus that is no text', { n: 7 }, 0],
  ])('RSA with %s', (_, over, left) => {
    expect(boundedKeys([rsa(over)])).toHaveLength(left);
  });

  test('of other kinds are as cheap as they are', () => {
    const keys = [{ kty: 'EC', crv: 'P-256' }, { kty: 'OKP' }, {}];

    expect(boundedKeys(keys)).toEqual(keys);
  });

  test('are twenty at most', () => {
    expect(boundedKeys(Array(20).fill(rsa()))).toHaveLength(20);
    expect(() => boundedKeys(Array(21).fill(rsa()))).toThrow('a set of more than 20 keys');
  });
});
