/** A private key as a JSON Web Key. Source: RFC 7517; RFC 7518 §6; RFC 8037. */
type Jwk = Readonly<Record<string, unknown>>;

const CURVES: Readonly<Record<string, string>> = {
  'P-256': 'ES256',
  'P-384': 'ES384',
  'P-521': 'ES512',
  Ed25519: 'Ed25519',
};

const RSA_ALGORITHMS: ReadonlySet<unknown> = new Set([
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
]);

/** What a key signs with: what it says itself, or what its form allows. @returns undefined for a key that signs nothing */
export const keyAlgorithm = ({ kty, crv, alg }: Jwk): string | undefined => {
  if (kty === 'RSA')
    return alg === undefined ? 'RS256' : RSA_ALGORITHMS.has(alg) ? String(alg) : undefined;
  if (kty !== 'EC' && kty !== 'OKP') return undefined;
  return typeof crv === 'string' && Object.hasOwn(CURVES, crv) ? CURVES[crv] : undefined;
};

/** The private halves of keys, by their kind: without one nothing can be signed. */
export const isPrivateJwk = (jwk: Jwk): boolean =>
  keyAlgorithm(jwk) !== undefined && typeof jwk['d'] === 'string' && jwk['d'] !== '';
