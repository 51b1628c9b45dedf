import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { Random } from '../../platform/system/random.ts';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM ciphertext with its authentication tag at the end. */
export interface Sealed {
  readonly nonce: Uint8Array;
  readonly sealed: Uint8Array;
}

/** @param key - for this text alone @param boundTo - additional authenticated data */
export const sealText = (
  key: Uint8Array,
  text: string,
  boundTo: Uint8Array,
  random: Pick<Random, 'secret'>,
): Sealed => {
  const nonce = Buffer.from(random.secret(), 'base64url').subarray(0, NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(boundTo);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return { nonce, sealed };
};

/** @returns undefined for another key, other bound data or a changed text */
export const unsealText = (
  key: Uint8Array,
  { nonce, sealed }: Sealed,
  boundTo: Uint8Array,
): string | undefined => {
  try {
    const options = { authTagLength: TAG_BYTES };
    const opening = createDecipheriv(ALGORITHM, key, nonce, options).setAAD(boundTo);
    opening.setAuthTag(sealed.subarray(-TAG_BYTES));
    const text = opening.update(sealed.subarray(0, -TAG_BYTES));
    return Buffer.concat([text, opening.final()]).toString('utf8');
  } catch {
    return undefined;
  }
};
