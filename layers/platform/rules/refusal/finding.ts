import type { Finding } from './api-refusal.ts';

export const finding = (where: string, what: string, hint: string): Finding => ({
  where,
  what,
  hint,
});

/** The finding, in a list, unless a condition holds. */
export const unless = (
  holds: boolean,
  where: string,
  what: string,
  hint: string,
): readonly Finding[] => (holds ? [] : [finding(where, what, hint)]);
