import { randomBytes } from 'node:crypto';
import type { Mint } from '../../ports.ts';

/** Randomness from the platform's cryptographic generator. */
export const randomMint = (): Mint => ({
  id: () => crypto.randomUUID(),
  secret: () => randomBytes(32).toString('base64url'),
});
