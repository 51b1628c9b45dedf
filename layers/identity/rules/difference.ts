import { isDeepStrictEqual } from 'node:util';
import type { IdentityProvider } from './providers.ts';

/** What becomes of one provider when a list is applied. */
export interface ProviderChange {
  readonly id: string;
  readonly what: 'added' | 'changed' | 'removed' | 'same';
  /** Members that differ, of one that is changed. */
  readonly members?: readonly string[];
}

/**
 * How two lists of providers differ, in the order of the next one, removed ones last. Another issuer under the same id
 * is a change of `issuer`: who was known by the former one is not known by it.
 */
export const providersDifference = (
  before: readonly IdentityProvider[],
  next: readonly IdentityProvider[],
): readonly ProviderChange[] => [
  ...next.map((provider): ProviderChange => {
    const former = before.find(({ id }) => id === provider.id);
    if (!former) return { id: provider.id, what: 'added' };
    const members = membersThatDiffer(former, provider);
    return members.length === 0
      ? { id: provider.id, what: 'same' }
      : { id: provider.id, what: 'changed', members };
  }),
  ...before
    .filter(({ id }) => !next.some((one) => one.id === id))
    .map(({ id }): ProviderChange => ({ id, what: 'removed' })),
];

const membersThatDiffer = (one: IdentityProvider, other: IdentityProvider): readonly string[] => {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  const members = [new Map(Object.entries(one)), new Map(Object.entries(other))] as const;
  return [...names].filter(
    (name) => !isDeepStrictEqual(members[0].get(name), members[1].get(name)),
  );
};
