import {
  createECDH,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { add, N, multiply, type Point, inverse, modulo, G } from './p256.ts';

/** The key pair's private half. @param pkcs8 - DER */
export const privateKeyOf = (pkcs8: Buffer): KeyObject =>
  createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });

/** SubjectPublicKeyInfo, DER. */
export const publicKeyDer = (privateKey: KeyObject): Buffer =>
  createPublicKey(privateKey).export({ format: 'der', type: 'spki' });

/** ECDSA with SHA-256 on P-256. @returns DER */
export const signMessage = (privateKey: KeyObject, message: Buffer): Buffer =>
  sign('sha256', message, privateKey);

export const verifyMessage = (privateKey: KeyObject, message: Buffer, signature: Buffer): boolean =>
  verify('sha256', message, createPublicKey(privateKey), signature);

/**
 * Signs a SHA-256 digest as it is, which node:crypto cannot: it hashes whatever it is given.
 *
 * Source: FIPS 186-5 §6.4.1. Not in constant time: for a machine of one's own.
 */
export const signDigest = (privateKey: KeyObject, digest: Buffer): Buffer => {
  const { d } = privateKey.export({ format: 'jwk' });
  const secret = integer(Buffer.from(String(d), 'base64url'));
  const once = createECDH('prime256v1');
  once.generateKeys();
  const k = integer(once.getPrivateKey());
  const r = modulo(integer(once.getPublicKey().subarray(1, 33)), N);
  const s = modulo(inverse(k, N) * (integer(digest) + r * secret), N);
  // Either is zero with a probability of 2^-256.
  return r === 0n || s === 0n ? signDigest(privateKey, digest) : der(r, s);
};

/** Source: FIPS 186-5 §6.4.2. */
export const verifyDigest = (privateKey: KeyObject, digest: Buffer, signature: Buffer): boolean => {
  const parts = readDer(signature);
  if (!parts) return false;
  const { r, s } = parts;
  if (r <= 0n || r >= N || s <= 0n || s >= N) return false;
  const { x, y } = createPublicKey(privateKey).export({ format: 'jwk' });
  const key: Point = [coordinate(x), coordinate(y)];
  const w = inverse(s, N);
  const point = add(multiply(modulo(integer(digest) * w, N), G), multiply(modulo(r * w, N), key));
  return point !== undefined && modulo(point[0], N) === r;
};

const integer = (bytes: Buffer): bigint => BigInt(`0x${bytes.toString('hex') || '0'}`);

const coordinate = (value: string | undefined): bigint =>
  integer(Buffer.from(value ?? '', 'base64url'));

const der = (...numbers: readonly bigint[]): Buffer => {
  const parts = numbers.map((number) => {
    const hex = number.toString(16);
    const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
    // A leading one bit would make it negative.
    const positive = bytes[0]! >= 0x80 ? Buffer.concat([Buffer.of(0), bytes]) : bytes;
    return Buffer.concat([Buffer.of(0x02, positive.length), positive]);
  });
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.of(0x30, body.length), body]);
};

const readDer = (signature: Buffer): { r: bigint; s: bigint } | undefined => {
  const [, rHex, sHex] = splitDer(signature);
  if (rHex === undefined || sHex === undefined) return undefined;
  const r = integer(rHex);
  const s = integer(sHex);
  // Only the one encoding of the two numbers counts.
  return der(r, s).equals(signature) ? { r, s } : undefined;
};

const splitDer = (signature: Buffer): readonly (Buffer | undefined)[] => {
  const rLength = signature[3] ?? 0;
  const r = signature.subarray(4, 4 + rLength);
  const s = signature.subarray(6 + rLength);
  return signature.length < 8 || signature.length > 72 ? [] : [signature, r, s];
};
