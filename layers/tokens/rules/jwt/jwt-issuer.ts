/**
 * What a JWT may be signed with: asymmetric algorithms only, never `none`, never HMAC.
 * Source: docs/decisions/oauth.md, "Tokens of mode jwt".
 */
export const JWT_ALGORITHMS = [
  'ES256',
  'ES384',
  'ES512',
  'PS256',
  'PS384',
  'PS512',
  'RS256',
  'RS384',
  'RS512',
  'EdDSA',
  'Ed25519',
] as const;
export type JwtAlgorithm = (typeof JWT_ALGORITHMS)[number];

/**
 * Whose tokens, besides our own, a `jwt` deployment accepts.
 * Source: docs/decisions/oauth.md, "Tokens of mode jwt".
 */
export interface JwtIssuer {
  /** Compared byte for byte with `iss`. */
  readonly issuer: string;
  readonly jwksUri: string;
  readonly audience: string;
  /** At least one. */
  readonly algorithms: readonly JwtAlgorithm[];
}
