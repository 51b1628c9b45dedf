import { createHash } from 'node:crypto';

declare const fingerprinted: unique symbol;

/** SHA-256 of a secret, hex. Stores take nothing else, so that no secret can be kept by mistake. */
export type Fingerprint = string & { readonly [fingerprinted]: true };

export const fingerprint = (secret: string): Fingerprint =>
  createHash('sha256').update(secret).digest('hex') as Fingerprint;
