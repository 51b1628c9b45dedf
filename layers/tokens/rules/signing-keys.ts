import type { SigningKeyRoles } from './jwt/signing-key-roles.ts';
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
