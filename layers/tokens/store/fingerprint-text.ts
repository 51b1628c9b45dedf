import * as z from 'zod/mini';
import type { Fingerprint } from '../../platform/rules/fingerprint.ts';

/** What a fingerprint looks like; the domain makes them. */
export const FingerprintText = z.custom<Fingerprint>(
  (value) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value),
);
