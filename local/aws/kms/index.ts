import { createPrivateKey, createPublicKey, type KeyObject, randomBytes } from 'node:crypto';
import * as z from 'zod';
import type { Wanted } from '../iam/access-control.ts';
import { kmsContext } from '../iam/key-use.ts';
import { blob } from '../wire/input.ts';
import { jsonOperation, jsonService } from '../wire/json.ts';
import { AwsError } from '../wire/aws-error.ts';
import type { AwsService } from '../wire/service.ts';
import { type EncryptionContext, keyOf, seal, unseal } from './envelope.ts';
import { type KeyStore, openKeyStore } from './key-store.ts';
import { signDigest } from './signature.ts';

export interface EmbeddedKms {
  readonly service: AwsService;
  /** For services that encrypt what they store. @throws AwsError if no such key has the alias */
  encrypt(alias: string, plaintext: Buffer, context: EncryptionContext): Buffer;
  decrypt(ciphertext: Buffer, context: EncryptionContext): Buffer;
  /** @throws AwsError if no key has the alias */
  arnOf(alias: string): string;
  /** Creates a symmetric key under an alias, unless it exists. */
  createEncryptionKey(alias: string): Promise<void>;
  /** Creates a P-256 key for ES256 under an alias, unless it exists. */
  createSigningKey(alias: string): Promise<void>;
}

export const openKms = async (folder: string, region: string): Promise<EmbeddedKms> => {
  const keys = await openKeyStore(folder, region);
  return {
    service: jsonService({
      signingName: 'kms',
      target: 'TrentService',
      version: '1.1',
      maxBodyBytes: 64 * 1024,
      operations: operationsOf(keys),
    }),
    encrypt: (alias, plaintext, context) =>
      seal(keys.find(alias, 'SYMMETRIC_DEFAULT'), plaintext, context),
    decrypt: (ciphertext, context) => unseal(keys, ciphertext, context).plaintext,
    arnOf: keys.arnOf,
    createEncryptionKey: (alias) => keys.create(alias, 'SYMMETRIC_DEFAULT'),
    createSigningKey: (alias) => keys.create(alias, 'ECC_NIST_P256'),
  };
};

const SIGNING_ALGORITHM = 'ECDSA_SHA_256';
const KeyId = z.string();
const EncryptionContext = z.record(z.string(), z.string()).default({});

const operationsOf = (keys: KeyStore) => ({
  GenerateDataKey: jsonOperation(
    z.strictObject({ KeyId, KeySpec: z.literal('AES_256'), EncryptionContext }),
    (input) => {
      const key = keys.find(input.KeyId, 'SYMMETRIC_DEFAULT');
      const plaintext = randomBytes(32);
      const CiphertextBlob = base64(seal(key, plaintext, input.EncryptionContext));
      return { CiphertextBlob, Plaintext: base64(plaintext), KeyId: key.arn };
    },
    ({ KeyId, EncryptionContext }) => use(keys, 'GenerateDataKey', KeyId, EncryptionContext),
  ),
  Decrypt: jsonOperation(
    z.strictObject({ KeyId, CiphertextBlob: blob, EncryptionContext }),
    (input) => {
      const key = keys.find(input.KeyId, 'SYMMETRIC_DEFAULT');
      if (keyOf(keys, input.CiphertextBlob).id !== key.id) {
        throw new AwsError(
          'IncorrectKeyException',
          'The key ID in the request does not identify a CMK that can perform this operation.',
        );
      }
      const { plaintext } = unseal(keys, input.CiphertextBlob, input.EncryptionContext);
      return { Plaintext: base64(plaintext), KeyId: key.arn };
    },
    ({ KeyId, EncryptionContext }) => use(keys, 'Decrypt', KeyId, EncryptionContext),
  ),
  Sign: jsonOperation(
    z.strictObject({
      KeyId,
      Message: blob.refine(
        ({ length }) => length === 32,
        'Digest is invalid length for algorithm.',
      ),
      MessageType: z.literal('DIGEST'),
      SigningAlgorithm: z.literal(SIGNING_ALGORITHM),
    }),
    (input) => {
      const key = keys.find(input.KeyId, 'ECC_NIST_P256');
      const Signature = base64(signDigest(privateKeyOf(key), input.Message));
      return { Signature, KeyId: key.arn, SigningAlgorithm: SIGNING_ALGORITHM };
    },
    ({ KeyId }) => use(keys, 'Sign', KeyId),
  ),
  GetPublicKey: jsonOperation(
    z.strictObject({ KeyId }),
    (input) => {
      const key = keys.find(input.KeyId, 'ECC_NIST_P256');
      const publicKey = createPublicKey(privateKeyOf(key));
      return {
        KeyId: key.arn,
        KeySpec: key.spec,
        KeyUsage: 'SIGN_VERIFY',
        SigningAlgorithms: [SIGNING_ALGORITHM],
        PublicKey: base64(publicKey.export({ format: 'der', type: 'spki' })),
      };
    },
    ({ KeyId }) => use(keys, 'GetPublicKey', KeyId),
  ),
});

/** Access to a key that the caller uses itself, not through another service. */
const use = (
  keys: KeyStore,
  operation: string,
  keyId: string,
  encryptionContext: EncryptionContext = {},
): readonly Wanted[] => [
  {
    action: `kms:${operation}`,
    resource: keys.arnOf(keyId),
    context: kmsContext(encryptionContext),
  },
];

const privateKeyOf = ({ material }: { readonly material: string }): KeyObject =>
  createPrivateKey({ key: Buffer.from(material, 'base64'), format: 'der', type: 'pkcs8' });

const base64 = (bytes: Buffer): string => bytes.toString('base64');
