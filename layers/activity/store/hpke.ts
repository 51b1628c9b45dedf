import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  diffieHellman,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';

/** Sizes in bytes: X25519 public key, AES-128 key, nonce, GCM tag. */
const [KEY, SYMMETRIC, NONCE, TAG] = [32, 16, 12, 16] as const;
const NO_BYTES = Buffer.alloc(0);
/** Otherwise Node accepts tags of 4 bytes, which can be guessed. */
const GCM = { authTagLength: TAG } as const;

/** Raw X25519 keys, base64url. */
export interface KeyPair {
  readonly publicKey: string;
  readonly privateKey: string;
}

export const generateKeyPair = (): KeyPair => {
  const { x = '', d = '' } = generateKeyPairSync('x25519').privateKey.export({ format: 'jwk' });
  return { publicKey: x, privateKey: d };
};

/** Encrypts for the holder of a private key, and cannot decrypt. */
export interface Sealer {
  /** The sender's ephemeral public key, which `opener` needs; 32 bytes. */
  readonly encapsulated: Uint8Array;
  /** @param sequence - each number once @returns ciphertext and tag */
  readonly seal: (sequence: number, plain: Uint8Array, associated: Uint8Array) => Uint8Array;
}

/**
 * Hybrid public key encryption (HPKE) in base mode: DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, AES-128-GCM.
 * @param publicKey - the receiver's, raw, base64url
 * @param ephemeral - for test vectors; a new pair by default. Source: RFC 9180 §5.1.1, §5.2, §4.1.
 */
export const sealer = (
  publicKey: string,
  info: Uint8Array,
  ephemeral: KeyPair = generateKeyPair(),
): Sealer => {
  const encapsulated = Buffer.from(ephemeral.publicKey, 'base64url');
  const secret = sharedSecret(privateKeyOf(ephemeral), publicKey, encapsulated, publicKey);
  const { key, baseNonce } = keySchedule(secret, info);
  return {
    encapsulated,
    seal: (sequence, plain, associated) => {
      const cipher = createCipheriv('aes-128-gcm', key, nonceOf(baseNonce, sequence), GCM);
      cipher.setAAD(associated);
      return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
    },
  };
};

/** Decrypts what a `sealer` encrypted for this key pair. @returns a function that throws Error for anything else */
export const opener = (pair: KeyPair, encapsulated: Uint8Array, info: Uint8Array) => {
  const sender = Buffer.from(encapsulated);
  const secret = sharedSecret(
    privateKeyOf(pair),
    sender.toString('base64url'),
    sender,
    pair.publicKey,
  );
  const { key, baseNonce } = keySchedule(secret, info);
  return (sequence: number, sealed: Uint8Array, associated: Uint8Array): Buffer => {
    const end = sealed.length - TAG;
    const decipher = createDecipheriv('aes-128-gcm', key, nonceOf(baseNonce, sequence), GCM);
    decipher.setAAD(associated);
    decipher.setAuthTag(sealed.subarray(end));
    return Buffer.concat([decipher.update(sealed.subarray(0, end)), decipher.final()]);
  };
};

const privateKeyOf = ({ publicKey, privateKey }: KeyPair): KeyObject =>
  createPrivateKey({
    key: { kty: 'OKP', crv: 'X25519', x: publicKey, d: privateKey },
    format: 'jwk',
  });

/**
 * @throws Error for a malformed point, and for points of low order, whose secret is zero for every key
 * Source: RFC 9180 §4.1, `ExtractAndExpand`; §7.1.4.
 */
const sharedSecret = (
  privateKey: KeyObject,
  otherPublicKey: string,
  encapsulated: Buffer,
  receiver: string,
): Buffer => {
  const publicKey = createPublicKey({
    key: { kty: 'OKP', crv: 'X25519', x: otherPublicKey },
    format: 'jwk',
  });
  const exchanged = diffieHellman({ privateKey, publicKey });
  const context = Buffer.concat([encapsulated, Buffer.from(receiver, 'base64url')]);
  const suite = Buffer.from('KEM\0\x20', 'latin1');
  const extracted = labeledExtract(suite, NO_BYTES, 'eae_prk', exchanged);
  return labeledExpand(suite, extracted, 'shared_secret', context, KEY);
};

/** Source: RFC 9180 §5.1, `KeySchedule` in base mode. */
const keySchedule = (secret: Buffer, info: Uint8Array) => {
  const suite = Buffer.from('HPKE\0\x20\0\x01\0\x01', 'latin1');
  const context = Buffer.concat([
    Buffer.from([0]),
    labeledExtract(suite, NO_BYTES, 'psk_id_hash', NO_BYTES),
    labeledExtract(suite, NO_BYTES, 'info_hash', info),
  ]);
  const extracted = labeledExtract(suite, secret, 'secret', NO_BYTES);
  return {
    // Ciphers take a key object five times as fast as bytes.
    key: createSecretKey(labeledExpand(suite, extracted, 'key', context, SYMMETRIC)),
    baseNonce: labeledExpand(suite, extracted, 'base_nonce', context, NONCE),
  };
};

const VERSION = Buffer.from('HPKE-v1');
const MOST_SEQUENCE = 0xffff_ffff;

/** Source: RFC 9180 §4, `LabeledExtract`; RFC 5869 §2.2. */
const labeledExtract = (suite: Buffer, salt: Buffer, label: string, key: Uint8Array): Buffer =>
  createHmac('sha256', salt)
    .update(Buffer.concat([VERSION, suite, Buffer.from(label), key]))
    .digest();

/** For lengths up to one block of 32 bytes. Source: RFC 9180 §4, `LabeledExpand`; RFC 5869 §2.3. */
const labeledExpand = (
  suite: Buffer,
  key: Buffer,
  label: string,
  info: Buffer,
  length: number,
): Buffer =>
  createHmac('sha256', key)
    .update(Buffer.from([0, length]))
    .update(Buffer.concat([VERSION, suite, Buffer.from(label), info, Buffer.from([1])]))
    .digest()
    .subarray(0, length);

/** @throws RangeError for numbers beyond 32 bits. Source: RFC 9180 §5.2, `ComputeNonce`. */
const nonceOf = (baseNonce: Buffer, sequence: number): Buffer => {
  if (!Number.isInteger(sequence) || sequence < 0 || sequence > MOST_SEQUENCE) {
    throw new RangeError('a message of HPKE has a number of 32 bits here');
  }
  const nonce = Buffer.from(baseNonce);
  nonce.writeUInt32BE((nonce.readUInt32BE(NONCE - 4) ^ sequence) >>> 0, NONCE - 4);
  return nonce;
};
