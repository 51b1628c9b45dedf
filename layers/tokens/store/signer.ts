import { createHash } from 'node:crypto';
import type { Signer } from '../../ports.ts';
import { type Kms, kmsFault } from '../../platform/kms/client.ts';
import { joseSignature } from './jose-signature.ts';
import type { KmsSigningKeys } from './signing-keys.ts';

/** Signs with ES256. Source: RFC 7515 §3.1, RFC 7518 §3.4. */
export const kmsSigner = (
  open: () => Promise<Kms>,
  signingKeys: Pick<KmsSigningKeys, 'current'>,
): Signer => ({
  sign: async (typ, claims) => {
    const [{ id: KeyId, key }, { sdk, client }] = await Promise.all([
      signingKeys.current(),
      open(),
    ]);
    const { alg, kid } = key;
    const input = `${encoded({ alg, typ, kid })}.${encoded(claims)}`;
    const { Signature } = await client
      .send(
        new sdk.SignCommand({
          KeyId,
          SigningAlgorithm: 'ECDSA_SHA_256',
          // A digest, since KMS takes no message of more than 4,096 bytes.
          MessageType: 'DIGEST',
          Message: createHash('sha256').update(input).digest(),
        }),
      )
      .catch(kmsFault);
    return `${input}.${joseSignature(Signature ?? Buffer.of()).toString('base64url')}`;
  },
});

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
