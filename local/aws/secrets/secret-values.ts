import type { EmbeddedKms } from '../kms/index.ts';
import { AwsError } from '../wire/aws-error.ts';
import type { Secret, SecretVersion } from './secret-store.ts';

/** Most versions of a secret. Source: AWS Secrets Manager, "AWS Secrets Manager quotas". */
const MAX_VERSIONS = 100;
/** Younger versions are never removed. */
const REMOVABLE_SECONDS = 86_400;

/** @throws AwsError if the id has another value, or if there are too many versions of the last day */
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
  const now = Math.floor(Date.now() / 1000);
  const kept = withoutOld(secret.versions, now);
  const added = { id, ciphertext: encrypted(kms, secret, id, SecretString), createdAt: now };
  return { ...secret, versions: [...kept, added] };
};

/** Makes room for one more version: the oldest ones without a label are removed. */
const withoutOld = (versions: readonly SecretVersion[], now: number): readonly SecretVersion[] => {
  const surplus = versions.length + 1 - MAX_VERSIONS;
  if (surplus <= 0) return versions;
  // The latest one has a label: it is current now, and then becomes the previous one.
  const removable = versions
    .slice(0, -1)
    .filter(({ createdAt = 0 }) => createdAt <= now - REMOVABLE_SECONDS);
  if (removable.length < surplus) {
    const message = 'The secret has as many versions as it may, of which none can be removed yet.';
    throw new AwsError('LimitExceededException', message);
  }
  const removed = new Set(removable.slice(0, surplus));
  return versions.filter((version) => !removed.has(version));
};

/** Encryption context of a value. Source: AWS Secrets Manager, "Secret encryption and decryption". */
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

/** Decrypts the value of a version. @throws AwsError if the key does not open it */
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

export const exists = (what: string) =>
  new AwsError('ResourceExistsException', `The operation failed because ${what} already exists.`);
