import { CredentialUnavailable } from '../rules/credential-access.ts';
import type { StoredCredential } from '../../target/rules/credential.ts';
import type { CredentialReader } from './stores.ts';
import { parseCredential } from './credential-schema.ts';
import { throwIfDenied } from './denied.ts';
import { errorName } from '../../platform/aws/access.ts';
import { GONE, secretName, type Secrets, secretsFault } from './secrets-client.ts';

/** `DecryptionFailure` means that KMS denied the key. */
const DENIED = ['AccessDeniedException', 'DecryptionFailure'];

export const secretsManagerReader = (
  open: () => Promise<Secrets>,
  { prefix }: { readonly prefix: string },
): CredentialReader => ({
  read: async (ref) => {
    const { sdk, client } = await open();
    const SecretId = secretName(prefix, ref);
    const found = await client
      .send(new sdk.GetSecretValueCommand({ SecretId, VersionId: ref.version }))
      .catch(unlessGone);
    return found && readable(found.SecretString);
  },
});

const unlessGone = (error: unknown): undefined => {
  if (GONE.includes(errorName(error))) return undefined;
  throwIfDenied('secrets-manager', DENIED, error);
  return secretsFault(error);
};

const readable = (text = ''): StoredCredential => {
  const credential = parseCredential(text);
  if (!credential) throw new CredentialUnavailable('denied', 'the secret is not readable');
  return credential;
};
