import type { Fingerprint } from '../../platform/rules/fingerprint.ts';
import { subjectCache } from '../../platform/cache/subject-cache.ts';

/**
 * Tokens that were good at this instance when they were last shown. It opens nothing: each is looked up again, whatever
 * the address that it comes from has shown besides.
 */
export const goodTokens = () => {
  const known = subjectCache<true>();
  return {
    has: (token: Fingerprint): boolean => known.has(token),
    add: (token: Fingerprint): void => {
      known.set(token, true);
    },
    forget: (token: Fingerprint): void => {
      known.delete(token);
    },
  };
};

export type GoodTokens = ReturnType<typeof goodTokens>;
