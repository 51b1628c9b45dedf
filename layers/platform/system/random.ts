import { randomBytes } from 'node:crypto';
import type { Random } from '../../ports.ts';

/** Randomness from the platform's cryptographic generator. */
export const systemRandom = (): Random => ({
  id: () => crypto.randomUUID(),
  secret: () => randomBytes(32).toString('base64url'),
});
