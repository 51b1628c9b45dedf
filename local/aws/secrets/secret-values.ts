import type { EmbeddedKms } from '../kms/index.ts';
import { AwsError } from '../wire/aws-error.ts';
import type { Secret } from './secret-store.ts';

/** AWS deletes old versions too, but never the current one nor the one before. */
const MAX_VERSIONS = 100;

/**
 * The secret with one more version; the same one again changes nothing.
 *
 * @throws AwsError if another value is stored under the same id
 */
export const withVersion = (
  kms: EmbeddedKms,
  secret: Secret,
  { ClientRequestToken: id, SecretString }: { ClientRequestToken: string; SecretString: string },
): Secret => {
  const same = secret.versions.find((version) => version.id === id);
  if (same) {
    if (decrypted(kms, secret, same) === SecretString) return secret;
    throw exists(`the version ${id}`);
  }
  const added = { id, ciphertext: encrypted(kms, secret, id, SecretString) };
  return { ...secret, versions: [...secret.versions, added].slice(-MAX_VERSIONS) };
};

/** What a value is encrypted for. Source: AWS Secrets Manager, "Secret encryption and decryption". */
const contextOf = ({ arn }: Secret, versionId: string) => ({
  SecretARN: arn,
  SecretVersionId: versionId,
});

const encrypted = (kms: EmbeddedKms, secret: Secret, id: string, text: string): string => {
  try {
    return kms
      .encrypt(secret.kmsKeyId, Buffer.from(text), contextOf(secret, id))
      .toString('base64');
  } catch {
    throw new AwsError('EncryptionFailure', "Secrets Manager can't encrypt with the key.");
  }
};

/** The value of a version. @throws AwsError if the key does not open it */
export const decrypted = (
  kms: EmbeddedKms,
  secret: Secret,
  { id, ciphertext }: Secret['versions'][number],
): string => {
  try {
    return kms.decrypt(Buffer.from(ciphertext, 'base64'), contextOf(secret, id)).toString('utf8');
  } catch {
    throw new AwsError('DecryptionFailure', "Secrets Manager can't decrypt the secret.");
  }
};

/** @param what - is there already */
export const exists = (what: string) =>
  new AwsError('ResourceExistsException', `The operation failed because ${what} already exists.`);
