import type { EpochSeconds } from '../../../platform/rules/time.ts';

/**
 * How long an instance goes on with the roles that it has read: so long it may sign with the key before, and
 * believe one that was retired.
 */
export const ROLES_CACHE_SECONDS = 15;

/**
 * Which key signs, which one will, and which ones did. A key goes through these roles once and never again.
 * Source: docs/decisions/oauth.md, "Signing keys".
 */
export interface SigningKeyRoles {
  readonly current: string;
  /** Published, so that all who verify know it before it signs. */
  readonly next?: { readonly keyId: string; readonly publishedAt: EpochSeconds };
  /** The latest last, those whose last token has ended among them. */
  readonly former: readonly FormerKey[];
  /** Counts every change, for optimistic concurrency; 0: none was ever made. */
  readonly revision: number;
}

interface FormerKey {
  readonly keyId: string;
  /** When the last token that it signed has ended. */
  readonly endsAt: EpochSeconds;
}

/** @param keyIds - at least one */
export const firstRoles = ([current = '']: readonly string[]): SigningKeyRoles => ({
  current,
  former: [],
  revision: 0,
});

/** The keys that tokens may be signed with: of these the JWKS consists. */
export const publishedKeyIds = (
  { current, next, former }: SigningKeyRoles,
  now: EpochSeconds,
): readonly string[] => [
  current,
  ...(next ? [next.keyId] : []),
  ...former.filter(({ endsAt }) => now < endsAt).map(({ keyId }) => keyId),
];

/** The first of the configured keys that has had no role yet. */
export const unusedKeyId = (
  { current, former }: SigningKeyRoles,
  keyIds: readonly string[],
): string | undefined =>
  keyIds.find((id) => id !== current && !former.some(({ keyId }) => keyId === id));

export const withNext = (
  roles: SigningKeyRoles,
  keyId: string,
  publishedAt: EpochSeconds,
): SigningKeyRoles => ({ ...roles, next: { keyId, publishedAt }, revision: roles.revision + 1 });

/** The next key signs from now on. @param formerEndsAt - when the last token of the one before has ended */
export const rotated = (
  { current, former, revision }: SigningKeyRoles,
  next: string,
  formerEndsAt: EpochSeconds,
): SigningKeyRoles => ({
  current: next,
  former: [...former, { keyId: current, endsAt: formerEndsAt }],
  revision: revision + 1,
});

/** Another key signs from now on, and nobody believes those any more that did. */
export const retired = (
  { current, former, revision }: SigningKeyRoles,
  successor: string,
  now: EpochSeconds,
): SigningKeyRoles => ({
  current: successor,
  former: [
    ...former.map(({ keyId, endsAt }) => ({ keyId, endsAt: Math.min(endsAt, now) })),
    { keyId: current, endsAt: now },
  ],
  revision: revision + 1,
});
