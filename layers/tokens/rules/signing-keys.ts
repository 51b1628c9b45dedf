import * as z from 'zod/mini';
import type { ValueOf } from '../../platform/rules/shape.ts';
import type { EpochSeconds } from '../../platform/rules/time.ts';
import { InvalidToken } from './authorization.ts';

export interface SigningKeys {
  /**
   * Public JWKs with `kid`, `alg` and `use`, the signing key first. Returns the same array as long as the keys are
   * the same.
   * @param keyId - a token's `kid`: for an unknown one the keys are read again, at most once a minute
   */
  list(keyId?: string): Promise<readonly Jwk[]>;
}

export interface SigningKeyRegister {
  readonly keyIds: readonly string[];
  roles(): Promise<SigningKeyRoles>;
  /** @returns false if the stored revision is not `revision - 1` */
  replace(roles: SigningKeyRoles): Promise<boolean>;
}

/** A public key of a JWKS, unchecked. Source: RFC 7517 §4. */
export type Jwk = Readonly<Record<string, unknown>>;

/** How long an instance caches the roles. Until then it may sign with the former key, and accept a retired one. */
export const ROLES_CACHE_SECONDS = 15;

const keyId = z.string().check(z.minLength(1));

/** Signing keys by role. Each key has each role at most once. Source: docs/decisions/oauth.md, "Signing keys". */
export const SigningKeyRoles = z.object({
  current: keyId,
  /** Published before it signs, so that every verifier knows it. */
  next: z.exactOptional(z.object({ keyId, publishedAt: z.int() })),
  /** In the order of their replacement; expired ones included. */
  former: z.array(
    z.object({
      keyId,
      /** When the last token that it signed expires. */
      endsAt: z.int(),
    }),
  ),
  /** Counts changes, for optimistic concurrency; 0: never changed. */
  revision: z.int(),
});
export type SigningKeyRoles = ValueOf<typeof SigningKeyRoles>;

/** @param keyIds - at least one */
export const firstRoles = ([current = '']: readonly string[]): SigningKeyRoles => ({
  current,
  former: [],
  revision: 0,
});

/** Ids of the keys in the JWKS. */
export const publishedKeyIds = (
  { current, next, former }: SigningKeyRoles,
  now: EpochSeconds,
): readonly string[] => [
  current,
  ...(next ? [next.keyId] : []),
  ...former.filter(({ endsAt }) => now < endsAt).map(({ keyId }) => keyId),
];

/** The first configured key that has had no role yet. */
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

/** @param formerEndsAt - when the last token of the former key expires */
export const rotated = (
  { current, former, revision }: SigningKeyRoles,
  next: string,
  formerEndsAt: EpochSeconds,
): SigningKeyRoles => ({
  current: next,
  former: [...former, { keyId: current, endsAt: formerEndsAt }],
  revision: revision + 1,
});

/** Replaces the current key and distrusts it and all former keys. */
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

const MOST_KEYS = 20;
/** Limits for RSA, since strangers choose keys: costs grow with the square of the modulus and with the exponent. */
const MOST_MODULUS_BITS = 4096;
const MOST_EXPONENT_BITS = 32;

/** Keys to try for a signature without a key id. */
export const MOST_CANDIDATES = 4;

/**
 * Drops keys that are expensive to verify with. Strangers provide key sets and tokens: RSA-3072 with a 3072-bit
 * exponent costs a hundred times as much as with 65537.
 * @throws InvalidToken for a set of more than 20 keys
 */
export const boundedKeys = (keys: readonly Jwk[]): readonly Jwk[] => {
  if (keys.length > MOST_KEYS) {
    throw new InvalidToken(`signature not accepted: a set of more than ${MOST_KEYS} keys`);
  }
  return keys.filter(
    ({ kty, n, e }) =>
      kty !== 'RSA' || (bitsOf(n) <= MOST_MODULUS_BITS && bitsOf(e) <= MOST_EXPONENT_BITS),
  );
};

/** Bit length of an RSA key's member. Source: RFC 7518 §2, "Base64urlUInt". */
const bitsOf = (encoded: unknown): number => {
  if (typeof encoded !== 'string') return Infinity;
  const bytes = Buffer.from(encoded, 'base64url');
  const first = bytes.findIndex((byte) => byte !== 0);
  if (first === -1) return 0;
  return (bytes.length - first) * 8 - (Math.clz32(bytes[first] ?? 0) - 24);
};
