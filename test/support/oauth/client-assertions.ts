import { randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { NOON } from '../aws/dynamodb-fixtures.ts';
import { ISSUER } from './oauth.ts';

export interface Signer {
  /** Public. */
  readonly jwk: JWK;
  /** The parameters of an assertion for a client, good for a minute and used nowhere yet. */
  sign(clientId: string, claims?: object, header?: object): Promise<Record<string, string>>;
}

export const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** A client's own key, ES256. */
export const aSigner = async (kid = 'key-1'): Promise<Signer> => {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  return {
    jwk: { ...(await exportJWK(publicKey)), kid },
    sign: async (clientId, claims = {}, header = {}) => ({
      client_assertion_type: ASSERTION_TYPE,
      client_assertion: await new SignJWT({
        iss: clientId,
        sub: clientId,
        aud: ISSUER,
        exp: NOON + 60,
        jti: randomUUID(),
        ...claims,
      })
        .setProtectedHeader({ alg: 'ES256', kid, ...header })
        .sign(privateKey),
    }),
  };
};
