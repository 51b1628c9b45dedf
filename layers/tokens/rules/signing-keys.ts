import * as z from 'zod/mini';
import type { ValueOf } from '../../platform/rules/shape.ts';
import type { EpochSeconds } from '../../platform/rules/time.ts';
import { InvalidToken } from './authorization.ts';

export interface SigningKeys {
  /**
   * Public JWKs with `kid`, `alg` and `use`, the one that signs first; the same list as long as they are the same.
   *
   * @param keyId - a token's `kid`: one that is not known is looked for again, once in a while
   */
  list(keyId?: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
}

/** Which of the configured keys signs. */
export interface SigningKeyRegister {
  readonly keyIds: readonly string[];
  roles(): Promise<SigningKeyRoles>;
  /** Writes if what is stored has `revision - 1`. @returns false otherwise */
  replace(roles: SigningKeyRoles): Promise<boolean>;
}

/** A public key as a JWKS shows it, believed by nobody before it is imported. Source: RFC 7517 §4. */
export type Jwk = Readonly<Record<string, unknown>>;

/**
 * How long an instance goes on with the roles that it has read: so long it may sign with the key before, and
 * believe one that was retired.
 */
export const ROLES_CACHE_SECONDS = 15;

const keyId = z.string().check(z.minLength(1));

/**
 * Which key signs, which one will, and which ones did. A key goes through these roles once and never again.
 * Source: docs/decisions/oauth.md, "Signing keys".
 */
export const SigningKeyRoles = z.object({
  current: keyId,
  /** Published, so that all who verify know it before it signs. */
  next: z.exactOptional(z.object({ keyId, publishedAt: z.int() })),
  /** The latest last, those whose last token has ended among them. */
  former: z.array(
    z.object({
      keyId,
      /** When the last token that it signed has ended. */
      endsAt: z.int(),
    }),
  ),
  /** Counts every change, for optimistic concurrency; 0: none was ever made. */
  revision: z.int(),
});
export type SigningKeyRoles = ValueOf<typeof SigningKeyRoles>;

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

type Key = Readonly<Record<string, unknown>>;

const MOST_KEYS = 20;
/** Of RSA: a check costs the square of the modulus times the length of the exponent, which others chose. */
const MOST_MODULUS_BITS = 4096;
const MOST_EXPONENT_BITS = 32;

/** Keys that one signature is tried with, where no key id says which it is. */
export const MOST_CANDIDATES = 4;

/**
 * Those keys of a set that are cheap to check a signature with. Strangers write such sets, and whoever shows
 * tokens has them checked: RSA-3072 with an exponent as long costs a hundred times what it costs with 65537.
 *
 * @throws InvalidToken for a set of more than 20 keys
 */
export const boundedKeys = (keys: readonly Key[]): readonly Key[] => {
  if (keys.length > MOST_KEYS) {
    throw new InvalidToken(`signature not accepted: a set of more than ${MOST_KEYS} keys`);
  }
  return keys.filter(
    ({ kty, n, e }) =>
      kty !== 'RSA' || (bitsOf(n) <= MOST_MODULUS_BITS && bitsOf(e) <= MOST_EXPONENT_BITS),
  );
};

/** Of a number in base64url, as RSA keys have it. Source: RFC 7518 §2, "Base64urlUInt". */
const bitsOf = (encoded: unknown): number => {
  if (typeof encoded !== 'string') return Infinity;
  const bytes = Buffer.from(encoded, 'base64url');
  const first = bytes.findIndex((byte) => byte !== 0);
  if (first === -1) return 0;
  return (bytes.length - first) * 8 - (Math.clz32(bytes[first] ?? 0) - 24);
};
