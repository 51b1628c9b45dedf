import type { Fingerprint } from '../../platform/rules/fingerprint.ts';
import { subjectCache } from '../../platform/cache/subject-cache.ts';

/**
 * Tokens, by the place where they were presented, that were valid at this instance when last seen. Knowing one only
 * skips the limit of its address: it is still looked up each time.
 */
export const goodTokens = () => {
  const known = subjectCache<true>();
  return {
    has: (shown: Fingerprint): boolean => known.has(shown),
    add: (shown: Fingerprint): void => {
      known.set(shown, true);
    },
    forget: (shown: Fingerprint): void => {
      known.delete(shown);
    },
  };
};

export type GoodTokens = ReturnType<typeof goodTokens>;
