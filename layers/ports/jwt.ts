import type { JwtAlgorithm } from '../tokens/rules/jwt/jwt-issuer.ts';

/** A public key as a JWKS shows it, believed by nobody before it is imported. Source: RFC 7517 §4. */
export type Jwk = Readonly<Record<string, unknown>>;

export interface JwtSignatures {
  /**
   * Whether one of the keys signed a JWT; what it says is for the domain to judge. Keys that are given
   * as the same list again need not be imported again.
   *
   * @throws InvalidToken if none did
   */
  check(token: string, keys: readonly Jwk[], algorithms: readonly JwtAlgorithm[]): Promise<void>;
}

/** Keys of external issuers, remembered. Source: docs/decisions/oauth.md, "Tokens of mode jwt". */
export interface IssuerKeys {
  /**
   * All that the issuer publishes; the same list as long as it is remembered.
   *
   * @param keyId - the token's `kid`: one that is not known is looked for at the issuer, once in a while
   * @throws Fault if the keys cannot be had
   */
  find(jwksUri: string, keyId: string | undefined): Promise<readonly Jwk[]>;
}
