import type { Fingerprint } from '../../platform/rules/fingerprint.ts';
import { subjectCache } from '../../platform/cache/subject-cache.ts';

/**
 * Tokens, by the place where they are shown, that were good at this instance when they were last shown there. It opens
 * nothing: each is looked up again, whatever the address that it comes from has shown besides.
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
