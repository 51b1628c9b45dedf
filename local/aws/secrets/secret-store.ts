import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openFolder, removeFile, replaceFile } from '../disk.ts';
import { openSerial } from '../serial.ts';
import { parsedJson } from '../../../layers/platform/rules/json/parsed-json.ts';

export interface Secret {
  readonly name: string;
  readonly arn: string;
  readonly description: string | undefined;
  /** The key, as the caller named it. */
  readonly kmsKeyId: string;
  readonly tags: readonly { readonly Key: string; readonly Value: string }[];
  /** Epoch seconds. Until then its name is taken, and it can be restored, but neither read nor written. */
  readonly deletedAt?: number;
  readonly versions: readonly SecretVersion[];
}

export interface SecretVersion {
  readonly id: string;
  /** The value as KMS encrypted it, Base64. */
  readonly ciphertext: string;
  /** Epoch seconds; absent in versions from before this was stored. */
  readonly createdAt?: number;
}

export interface SecretStore {
  find(name: string): Secret | undefined;
  list(): readonly Secret[];
  /**
   * Changes one secret, with no other change of it in between.
   * @param change - makes the next secret of the stored one; undefined deletes it, and an error changes nothing
   * @returns what `change` returned
   */
  change<Next extends Secret | undefined>(
    name: string,
    change: (current: Secret | undefined) => Next,
  ): Promise<Next>;
}

/** Secrets on disk, one file each, named by the hash of the secret's name. */
export const openSecretStore = async (folder: string): Promise<SecretStore> => {
  const secrets = new Map<string, Secret>();
  for (const file of await openFolder(folder)) {
    const secret = parsedJson(await readFile(join(folder, file), 'utf8')) as Secret;
    secrets.set(secret.name, secret);
  }
  const serially = openSerial();
  const pathOf = (name: string) =>
    join(folder, `${createHash('sha256').update(name).digest('hex')}.json`);

  return {
    find: (name) => secrets.get(name),
    list: () => [...secrets.values()],
    change: (name, change) =>
      serially(name, async () => {
        const current = secrets.get(name);
        const next = change(current);
        if (next === current) return next;
        if (next === undefined) {
          await removeFile(pathOf(name));
          secrets.delete(name);
        } else {
          await replaceFile(pathOf(name), JSON.stringify(next));
          secrets.set(name, next);
        }
        return next;
      }),
  };
};
