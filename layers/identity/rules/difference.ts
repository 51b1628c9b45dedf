import { isDeepStrictEqual } from 'node:util';
import type { IdentityProvider } from './providers.ts';

export interface ProviderChange {
  readonly id: string;
  readonly what: 'added' | 'changed' | 'removed' | 'same';
  readonly members?: readonly string[];
}

/** Changes are ordered like the new list, removals last. A new issuer under the same id is a change of `issuer`. */
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
