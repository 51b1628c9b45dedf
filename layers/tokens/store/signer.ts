import { createHash } from 'node:crypto';
import { type Kms, kmsFault } from '../../platform/kms/client.ts';
import { joseSignature } from './jose-signature.ts';
import type { KmsSigningKeys } from './signing-keys.ts';

/** Source: RFC 7515 §3.1, RFC 7518 §3.4. */
export const kmsSigner = (
  open: () => Promise<Kms>,
  signingKeys: Pick<KmsSigningKeys, 'current'>,
) => ({
  /** A compact JWS. @param typ - the header, for example `at+jwt` */
  sign: async (typ: string, claims: Readonly<Record<string, unknown>>): Promise<string> => {
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
          // KMS signs messages of at most 4,096 bytes, digests always.
          MessageType: 'DIGEST',
          Message: createHash('sha256').update(input).digest(),
        }),
      )
      .catch(kmsFault);
    return `${input}.${joseSignature(Signature ?? Buffer.of()).toString('base64url')}`;
  },
});

/** Signs ES256 with a key that never leaves KMS. Source: docs/decisions/oauth.md, "Signing keys". */
export type Signer = ReturnType<typeof kmsSigner>;

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
