import type { CredentialRef } from '../rules/credential-access.ts';
import type { CredentialVault } from './stores.ts';
import type { StoredCredential } from '../../target/rules/credential.ts';
import { errorName } from '../../platform/aws/access.ts';
import { GONE, secretName, type Secrets, secretsFault } from './secrets-client.ts';

export interface SecretPlace {
  /** Prefix of secret names, as `secretName` uses it. */
  readonly prefix: string;
  /** Key that secrets are encrypted with: id, ARN or alias. */
  readonly keyId: string;
}

/** Minimum of Secrets Manager; no role may delete a secret at once. */
const RECOVERY_DAYS = 7;

/** One secret for each named credential. A secret's version ids are the credential's versions. */
export const secretsManagerVault = (
  open: () => Promise<Secrets>,
  { prefix, keyId }: SecretPlace,
): CredentialVault => {
  const put = async (
    ref: CredentialRef,
    credential: StoredCredential,
  ): Promise<'stored' | 'too_often'> => {
    const { deploymentId, ownerId, version } = ref;
    const { sdk, client } = await open();
    const name = secretName(prefix, ref);
    // The token becomes the version id, so that a retry adds nothing.
    const value = { ClientRequestToken: version, SecretString: JSON.stringify(credential) };
    const add = () => client.send(new sdk.PutSecretValueCommand({ SecretId: name, ...value }));
    const create = () =>
      client.send(
        new sdk.CreateSecretCommand({
          Name: name,
          KmsKeyId: keyId,
          Description: 'Credential of a deployment for its target API',
          Tags: [
            { Key: 'deployment', Value: deploymentId },
            { Key: 'owner', Value: ownerId },
          ],
          ...value,
        }),
      );
    const restore = () => client.send(new sdk.RestoreSecretCommand({ SecretId: name }));
    return add()
      .catch(whenMissing(create, add))
      .catch(whenDeleted(async () => (await restore(), add())))
      .then(() => 'stored' as const, unlessTooOften);
  };

  return {
    put,

    // Secrets Manager takes part in no transaction.
    removing: () => undefined,

    // If a later version is there already, this one stays readable too: a secret keeps its latest two.
    add: async (ref, credential) => {
      await put(ref, credential);
    },

    remove: async (place) => {
      const { sdk, client } = await open();
      const SecretId = secretName(prefix, place);
      const deletion = { SecretId, RecoveryWindowInDays: RECOVERY_DAYS };
      await client.send(new sdk.DeleteSecretCommand(deletion)).catch(unlessGone);
    },
  };
};

/** Creates a missing secret, and adds to it if somebody else has created it meanwhile. */
const whenMissing =
  (create: () => Promise<unknown>, add: () => Promise<unknown>) =>
  (error: unknown): Promise<unknown> => {
    if (errorName(error) !== 'ResourceNotFoundException') throw error;
    return create().catch((failure: unknown) => {
      if (errorName(failure) !== 'ResourceExistsException') throw failure;
      return add();
    });
  };

/** Restores a deleted secret, which stays for some days. */
const whenDeleted =
  (restored: () => Promise<unknown>) =>
  (error: unknown): Promise<unknown> => {
    if (errorName(error) !== 'InvalidRequestException') throw error;
    return restored();
  };

/** A secret takes about a hundred versions, and Secrets Manager removes none of the last day. */
const unlessTooOften = (error: unknown): 'too_often' =>
  errorName(error) === 'LimitExceededException' ? 'too_often' : secretsFault(error);

const unlessGone = (error: unknown): void => {
  if (!GONE.includes(errorName(error))) secretsFault(error);
};
