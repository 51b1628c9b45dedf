import { createHash } from 'node:crypto';
import * as z from 'zod/mini';

declare const fingerprinted: unique symbol;

/** SHA-256 of a secret in hex. Stores accept only this type, so that no secret is stored by mistake. */
export type Fingerprint = string & { readonly [fingerprinted]: true };

export const fingerprint = (secret: string): Fingerprint =>
  createHash('sha256').update(secret).digest('hex') as Fingerprint;

export const isFingerprint = (value: unknown): value is Fingerprint =>
  typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);

export const FingerprintText = z.custom<Fingerprint>(isFingerprint);
