import type { JwtAlgorithm } from '../rules/jwt.ts';
import { InvalidToken } from '../rules/authorization.ts';
import { boundedKeys, type Jwk, MOST_CANDIDATES } from '../rules/signing-keys.ts';

type Jose = typeof import('./jose.ts');
type KeySet = ReturnType<Jose['createLocalJWKSet']>;
type Ambiguous = InstanceType<Jose['errors']['JWKSMultipleMatchingKeys']>;

/** The library is imported at the first use: most deployments check no signatures. */
export const joseSignatures = () => {
  const sets = new WeakMap<readonly Jwk[], KeySet>();

  return {
    /**
     * Checks that one of the keys signed a JWT, not its claims. The same key array is imported only once.
     * @throws InvalidToken if none did
     */
    check: async (
      token: string,
      keys: readonly Jwk[],
      algorithms: readonly JwtAlgorithm[],
    ): Promise<void> => {
      const jose = await import('./jose.ts');
      const { JOSEError, JWKSMultipleMatchingKeys } = jose.errors;
      const options = { algorithms: [...algorithms] };
      try {
        const set = sets.get(keys) ?? jose.createLocalJWKSet({ keys: [...boundedKeys(keys)] });
        sets.set(keys, set);
        await jose.compactVerify(token, set, options).catch(async (error: unknown) => {
          if (!(error instanceof JWKSMultipleMatchingKeys)) throw error;
          await verifyWithAny(jose, token, error, options);
        });
      } catch (error) {
        if (error instanceof InvalidToken) throw error;
        // An unusable key is the issuer's mistake: the token is invalid, the service has no fault.
        const why = error instanceof JOSEError ? error.code : 'unusable key';
        throw new InvalidToken(`signature not accepted: ${why}`);
      }
    },
  };
};

export type JwtSignatures = ReturnType<typeof joseSignatures>;

/** A token without a key id may be signed with any of a few keys of its type. */
const verifyWithAny = async (
  { compactVerify, errors }: Jose,
  token: string,
  candidates: Ambiguous,
  options: { readonly algorithms: string[] },
): Promise<void> => {
  let tried = 0;
  for await (const key of candidates) {
    if (++tried > MOST_CANDIDATES) {
      throw new InvalidToken(
        `signature not accepted: by none of ${MOST_CANDIDATES} keys, and no key id says which`,
      );
    }
    const verified = await compactVerify(token, key, options).then(
      () => true,
      () => false,
    );
    if (verified) return;
  }
  throw new errors.JWSSignatureVerificationFailed();
};
