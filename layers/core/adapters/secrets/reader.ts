import { CredentialUnavailable } from '../../domain/credential-access.ts';
import type { Credential } from '../../domain/target.ts';
import type { CredentialReader } from '../../ports.ts';
import { credentialFrom } from '../dynamodb/credential-form.ts';
import { nameOf } from '../aws/access.ts';
import { type Secrets, secretsFault } from './client.ts';

/** No such secret, no such version, or it is being deleted. */
const GONE: ReadonlySet<string> = new Set(['ResourceNotFoundException', 'InvalidRequestException']);
/** The second is the key's word. */
const DENIED: ReadonlySet<string> = new Set(['AccessDeniedException', 'DecryptionFailure']);

export const secretsManagerReader = (
  open: () => Promise<Secrets>,
  { prefix }: { readonly prefix: string },
): CredentialReader => ({
  read: async ({ deploymentId, version }) => {
    const { sdk, client } = await open();
    const SecretId = `${prefix}/${deploymentId}`;
    const found = await client
      .send(new sdk.GetSecretValueCommand({ SecretId, VersionId: version }))
      .catch(refused);
    return found && readable(found.SecretString);
  },
});

const refused = (error: unknown): undefined => {
  const name = nameOf(error);
  if (GONE.has(name)) return undefined;
  if (DENIED.has(name)) throw new CredentialUnavailable('denied', `secrets-manager: ${name}`);
  return secretsFault(error);
};

const readable = (text = ''): Credential => {
  const credential = credentialFrom(text);
  if (!credential) throw new CredentialUnavailable('denied', 'the secret is not readable');
  return credential;
};
