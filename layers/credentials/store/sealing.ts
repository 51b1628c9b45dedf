import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { Random } from '../../platform/system/random.ts';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A text under AES-256-GCM, its authentication tag at its end. */
export interface Sealed {
  readonly nonce: Uint8Array;
  readonly sealed: Uint8Array;
}

/** @param key - for this text alone @param boundTo - is authenticated with it: without the same it does not open */
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

/** @returns undefined for what was not sealed with this key, or is bound to something else */
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
