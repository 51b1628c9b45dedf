import { InvalidToken } from '../invalid-token.ts';

type Key = Readonly<Record<string, unknown>>;

const MOST_KEYS = 20;
/** Of RSA: a check costs the square of the modulus times the length of the exponent, which others chose. */
const MOST_MODULUS_BITS = 4096;
const MOST_EXPONENT_BITS = 32;

/** Keys that one signature is tried with, where no key id says which it is. */
export const MOST_CANDIDATES = 4;

/**
 * Those keys of a set that are cheap to check a signature with. Strangers write such sets, and whoever shows
 * tokens has them checked: RSA-3072 with an exponent as long costs a hundred times what it costs with 65537.
 *
 * @throws InvalidToken for a set of more than 20 keys
 */
export const boundedKeys = (keys: readonly Key[]): readonly Key[] => {
  if (keys.length > MOST_KEYS) {
    throw new InvalidToken(`signature not accepted: a set of more than ${MOST_KEYS} keys`);
  }
  return keys.filter(
    ({ kty, n, e }) =>
      kty !== 'RSA' || (bitsOf(n) <= MOST_MODULUS_BITS && bitsOf(e) <= MOST_EXPONENT_BITS),
  );
};

/** Of a number in base64url, as RSA keys have it. Source: RFC 7518 §2, "Base64urlUInt". */
const bitsOf = (encoded: unknown): number => {
  if (typeof encoded !== 'string') return Infinity;
  const bytes = Buffer.from(encoded, 'base64url');
  const first = bytes.findIndex((byte) => byte !== 0);
  if (first === -1) return 0;
  return (bytes.length - first) * 8 - (Math.clz32(bytes[first] ?? 0) - 24);
};
