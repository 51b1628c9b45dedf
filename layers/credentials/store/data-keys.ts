import { throwIfDenied } from './denied.ts';
import { type Kms, kmsFault } from '../../platform/kms/client.ts';

/** What a data key is bound to: it is opened with exactly the same. */
type EncryptionContext = Readonly<Record<string, string>>;

/** The key is not ours to use, not usable, or not the one; what was encrypted is not what we were given. */
const DENIED = [
  'AccessDeniedException',
  'DisabledException',
  'IncorrectKeyException',
  'InvalidCiphertextException',
  'KMSInvalidStateException',
  'NotFoundException',
];

/** AES-256 keys for one use each, which KMS makes and wraps. */
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
