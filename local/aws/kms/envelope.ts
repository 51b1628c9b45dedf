import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { AwsError } from '../wire/aws-error.ts';
import type { KeyStore, KmsKey } from './key-store.ts';

export type EncryptionContext = Readonly<Record<string, string>>;

// A blob: version, key id as 16 bytes, nonce, ciphertext, tag.
const VERSION = Buffer.of(1);
const KEY_ID_END = 17;
const NONCE_END = KEY_ID_END + 12;
const TAG_BYTES = 16;

/** Encrypts with AES-256-GCM, which also authenticates version, key id and context. */
export const seal = (key: KmsKey, plaintext: Buffer, context: EncryptionContext): Buffer => {
  const header = Buffer.concat([VERSION, Buffer.from(key.id.replaceAll('-', ''), 'hex')]);
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(key.material, 'base64'), nonce);
  cipher.setAAD(Buffer.concat([header, canonical(context)]));
  const sealed = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return Buffer.concat([header, nonce, sealed, cipher.getAuthTag()]);
};

/** @throws AwsError, the same for every reason, so that it tells nothing about the blob */
export const unseal = (
  keys: KeyStore,
  blob: Buffer,
  context: EncryptionContext,
): { key: KmsKey; plaintext: Buffer } => {
  const key = keyOf(keys, blob);
  try {
    const decipher = createDecipheriv(
      'aes-256-gcm',
      Buffer.from(key.material, 'base64'),
      blob.subarray(KEY_ID_END, NONCE_END),
    );
    decipher.setAAD(Buffer.concat([blob.subarray(0, KEY_ID_END), canonical(context)]));
    decipher.setAuthTag(blob.subarray(-TAG_BYTES));
    const sealed = blob.subarray(NONCE_END, -TAG_BYTES);
    return { key, plaintext: Buffer.concat([decipher.update(sealed), decipher.final()]) };
  } catch {
    throw invalidCiphertext();
  }
};

/** The key that a blob names. @throws AwsError */
export const keyOf = (keys: KeyStore, blob: Buffer): KmsKey => {
  if (blob.length < NONCE_END + TAG_BYTES || blob[0] !== VERSION[0]) throw invalidCiphertext();
  const id = blob
    .toString('hex', 1, KEY_ID_END)
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  const key = keys.byId(id);
  if (key?.spec !== 'SYMMETRIC_DEFAULT') throw invalidCiphertext();
  return key;
};

const canonical = (context: EncryptionContext): Buffer =>
  Buffer.from(
    JSON.stringify(Object.entries(context).sort(([one], [other]) => (one < other ? -1 : 1))),
  );

const invalidCiphertext = () => new AwsError('InvalidCiphertextException', '');
