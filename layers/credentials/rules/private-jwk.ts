/** Private key as a JSON Web Key. Source: RFC 7517; RFC 7518 §6; RFC 8037. */
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

/** Signature algorithm of a key: its `alg`, or that of its type. @returns undefined for a key that cannot sign */
export const keyAlgorithm = ({ kty, crv, alg }: Jwk): string | undefined => {
  if (kty === 'RSA')
    return alg === undefined ? 'RS256' : RSA_ALGORITHMS.has(alg) ? String(alg) : undefined;
  if (kty !== 'EC' && kty !== 'OKP') return undefined;
  return typeof crv === 'string' && Object.hasOwn(CURVES, crv) ? CURVES[crv] : undefined;
};

/** Whether a key can sign: it has its private part, `d`. */
export const isPrivateJwk = (jwk: Jwk): boolean =>
  keyAlgorithm(jwk) !== undefined && typeof jwk['d'] === 'string' && jwk['d'] !== '';
