import { createHash, createPublicKey } from 'node:crypto';
import { Fault } from '../../platform/rules/fault.ts';
import { type Kms, kmsFault } from '../../platform/kms/client.ts';

/** Member of the JWKS. Source: RFC 7517 §4; RFC 7518 §6.2.1. */
export interface SigningKey extends Readonly<Record<string, string>> {
  readonly kty: 'EC';
  readonly crv: 'P-256';
  readonly x: string;
  readonly y: string;
  readonly kid: string;
  readonly alg: 'ES256';
  readonly use: 'sig';
}

/** Fetches each key once, since the public half of a KMS key never changes. Parallel calls share the fetch. */
export const kmsPublicKeys = (open: () => Promise<Kms>) => {
  const known = new Map<string, Promise<SigningKey>>();

  const load = async (KeyId: string): Promise<SigningKey> => {
    const { sdk, client } = await open();
    const { PublicKey } = await client.send(new sdk.GetPublicKeyCommand({ KeyId })).catch(kmsFault);
    return signingKey(PublicKey);
  };

  return (keyId: string): Promise<SigningKey> => {
    const found =
      known.get(keyId) ??
      load(keyId).catch((error: unknown) => {
        known.delete(keyId);
        throw error;
      });
    known.set(keyId, found);
    return found;
  };
};

/** @param spki - DER */
const signingKey = (spki: Uint8Array | undefined): SigningKey => {
  const { kty, crv, x, y } = jwkOf(spki ?? Buffer.of());
  if (kty !== 'EC' || crv !== 'P-256' || x === undefined || y === undefined) {
    throw new Fault('kms', 'the signing key is not one of P-256');
  }
  // Members and order of RFC 7638 §3.2.
  const thumbprint = createHash('sha256').update(JSON.stringify({ crv, kty, x, y }));
  return { kty, crv, x, y, kid: thumbprint.digest('base64url'), alg: 'ES256', use: 'sig' };
};

const jwkOf = (spki: Uint8Array) => {
  try {
    return createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' }).export({
      format: 'jwk',
    });
  } catch (cause) {
    throw new Fault('kms', 'the signing key is not readable', cause);
  }
};
