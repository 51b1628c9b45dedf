import { setTimeout } from 'node:timers/promises';
import type { CredentialVault } from '../../ports.ts';
import { errorName } from '../aws/access.ts';
import { type Secrets, secretsFault } from './client.ts';

export interface SecretPlace {
  /** Names are `prefix/deployment-id`. */
  readonly prefix: string;
  /** The key that secrets are encrypted with: id, ARN or alias. */
  readonly keyId: string;
}

/** A secret that was deleted takes a moment to be gone. */
const GONE_AFTER_MS = [200, 400, 800];

/** One secret per deployment, one version of it per credential; a version's id is the credential's. */
export const secretsManagerVault = (
  open: () => Promise<Secrets>,
  { prefix, keyId }: SecretPlace,
): CredentialVault => ({
  put: async ({ deploymentId, ownerId, version }, credential) => {
    const { sdk, client } = await open();
    const name = `${prefix}/${deploymentId}`;
    // The token names the version, so that a repetition adds nothing.
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
    const addOrCreate = () =>
      add().catch(orAfter('ResourceNotFoundException', create, 'ResourceExistsException', add));
    await whileDeleted(addOrCreate, GONE_AFTER_MS).catch(secretsFault);
  },

  remove: async (deploymentId) => {
    const { sdk, client } = await open();
    const SecretId = `${prefix}/${deploymentId}`;
    await client
      .send(new sdk.DeleteSecretCommand({ SecretId, ForceDeleteWithoutRecovery: true }))
      .catch(secretsFault);
  },
});

/** Does `next` for want of a secret, and `last` if somebody else was there in between. */
const orAfter =
  (
    missing: string,
    next: () => Promise<unknown>,
    overtaken: string,
    last: () => Promise<unknown>,
  ): ((error: unknown) => Promise<unknown>) =>
  (error) => {
    if (errorName(error) !== missing) throw error;
    return next().catch((failure: unknown) => {
      if (errorName(failure) !== overtaken) throw failure;
      return last();
    });
  };

const whileDeleted = async (
  write: () => Promise<unknown>,
  [pauseMs, ...pauses]: readonly number[],
): Promise<void> => {
  try {
    await write();
  } catch (error) {
    if (errorName(error) !== 'InvalidRequestException' || pauseMs === undefined) throw error;
    await setTimeout(pauseMs);
    await whileDeleted(write, pauses);
  }
};
