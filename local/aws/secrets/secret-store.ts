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
  /** As the caller named it. */
  readonly kmsKeyId: string;
  readonly tags: readonly { readonly Key: string; readonly Value: string }[];
  /** Epoch seconds. Until then it has its name, can be restored, and neither read nor written. */
  readonly deletedAt?: number;
  /** The latest comes last. */
  readonly versions: readonly SecretVersion[];
}

export interface SecretVersion {
  readonly id: string;
  /** The value as KMS encrypted it, Base64. */
  readonly ciphertext: string;
  /** Epoch seconds; absent where it was made before that was kept. */
  readonly createdAt?: number;
}

export interface SecretStore {
  find(name: string): Secret | undefined;
  list(): readonly Secret[];
  /**
   * Changes one secret with nothing in between.
   *
   * @param change - gets what is stored; returns what is to be, `undefined` to delete; what it throws stops it
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
