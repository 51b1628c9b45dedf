import { throwIfDenied } from './denied.ts';
import { type Kms, kmsFault } from '../../platform/kms/client.ts';

/** KMS encryption context: decryption needs exactly the same. */
type EncryptionContext = Readonly<Record<string, string>>;

/** Errors of KMS that mean: the key is not usable by us, or the ciphertext is not that of this key. */
const DENIED = [
  'AccessDeniedException',
  'DisabledException',
  'IncorrectKeyException',
  'InvalidCiphertextException',
  'KMSInvalidStateException',
  'NotFoundException',
];

/** AES-256 data keys that KMS generates and wraps, each for one use. */
export const kmsDataKeys = (open: () => Promise<Kms>, KeyId: string) => ({
  /** @throws Fault */
  generate: async (EncryptionContext: EncryptionContext) => {
    const [{ client }, sdk] = await Promise.all([open(), import('./data-key-sdk.ts')]);
    const { Plaintext = NOTHING, CiphertextBlob = NOTHING } = await client
      .send(new sdk.GenerateDataKeyCommand({ KeyId, KeySpec: 'AES_256', EncryptionContext }))
      .catch(kmsFault);
    return { key: Plaintext, wrapped: CiphertextBlob };
  },

  /** @throws CredentialUnavailable denied @throws Fault */
  unwrap: async (CiphertextBlob: Uint8Array, EncryptionContext: EncryptionContext) => {
    const [{ client }, sdk] = await Promise.all([open(), import('./data-key-sdk.ts')]);
    const { Plaintext = NOTHING } = await client
      .send(new sdk.DecryptCommand({ KeyId, CiphertextBlob, EncryptionContext }))
      .catch(throwKmsFailure);
    return Plaintext;
  },
});

const NOTHING = new Uint8Array();

const throwKmsFailure = (error: unknown): never => {
  throwIfDenied('kms', DENIED, error);
  return kmsFault(error);
};
