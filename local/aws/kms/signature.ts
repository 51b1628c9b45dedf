import { createECDH, type KeyObject } from 'node:crypto';

/** The order of P-256. Source: SP 800-186 §3.2.1.3. */
const N = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/**
 * Signs a SHA-256 digest with ECDSA on P-256. node:crypto hashes whatever it is given to sign, so it only does the
 * arithmetic of the curve here. Not in constant time, which is enough on a machine of one's own.
 * @returns DER
 * Source: FIPS 186-5 §6.4.1; RFC 3279 §2.2.3.
 */
export const signDigest = (privateKey: KeyObject, digest: Buffer): Buffer => {
  const { d = '' } = privateKey.export({ format: 'jwk' });
  const secret = createECDH('prime256v1');
  const point = secret.generateKeys();
  const r = integer(point.subarray(1, 33)) % N;
  const sum = integer(digest) + r * integer(Buffer.from(d, 'base64url'));
  const s = (inverse(integer(secret.getPrivateKey())) * sum) % N;
  // r or s is zero with a probability of 2^-256.
  const numbers = Buffer.concat([derInteger(r), derInteger(s)]);
  return Buffer.concat([Buffer.of(0x30, numbers.length), numbers]);
};

const integer = (bytes: Buffer): bigint => BigInt(`0x${bytes.toString('hex')}`);

/** By Fermat's little theorem, since N is prime. */
const inverse = (value: bigint): bigint => {
  let inverted = 1n;
  let square = value;
  for (let exponent = N - 2n; exponent > 0n; exponent >>= 1n) {
    if (exponent & 1n) inverted = (inverted * square) % N;
    square = (square * square) % N;
  }
  return inverted;
};

const derInteger = (value: bigint): Buffer => {
  const digits = value.toString(16);
  const whole = digits.padStart(digits.length + (digits.length % 2), '0');
  // A leading one bit would make it negative.
  const bytes = Buffer.from(/^[89a-f]/.test(whole) ? `00${whole}` : whole, 'hex');
  return Buffer.concat([Buffer.of(0x02, bytes.length), bytes]);
};
