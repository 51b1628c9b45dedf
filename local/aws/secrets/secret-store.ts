import { createHash, randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { arnOf } from '../account.ts';
import { openFolder, removeFile, replaceFile } from '../disk.ts';
import { openSerial } from '../serial.ts';
import { AwsRefusal } from '../wire/refusal.ts';
import type { Secret } from './secret.ts';

export interface SecretStore {
  /** Those whose recovery window is over are gone. @param reference - name or ARN */
  find(reference: string, now: number): Secret | undefined;
  /** Sorted by name. */
  list(now: number): readonly Secret[];
  newArn(name: string): string;
  /**
   * Changes one secret with nothing in between.
   *
   * @param reference - name or ARN
   * @param change - gets what is stored; returns what is to be, `undefined` to delete; what it throws stops it
   * @returns what `change` returned
   */
  change<Next extends Secret | undefined>(
    reference: string,
    now: number,
    change: (current: Secret | undefined) => Next,
  ): Promise<Next>;
}

/** Secrets on disk, one file each, named by the hash of the secret's name. */
export const openSecretStore = async (
  folder: string,
  region: string,
  now: number,
): Promise<SecretStore> => {
  const secrets = new Map<string, Secret>();
  for (const file of await openFolder(folder)) {
    const secret = JSON.parse(await readFile(join(folder, file), 'utf8')) as Secret;
    if (isGone(secret, now)) await removeFile(join(folder, file));
    else secrets.set(secret.name, secret);
  }
  const serially = openSerial();
  const pathOf = (name: string) =>
    join(folder, `${createHash('sha256').update(name).digest('hex')}.json`);

  /** The name that a reference means; `undefined` for an ARN that is not one of ours. */
  const nameOf = (reference: string): string | undefined => {
    if (!reference.startsWith('arn:')) return reference;
    const name = reference.slice(arnOf('secretsmanager', region, 'secret:').length, -7);
    return secrets.get(name)?.arn === reference ? name : undefined;
  };
  const find = (reference: string, now: number): Secret | undefined => {
    const secret = secrets.get(nameOf(reference) ?? '');
    return secret && !isGone(secret, now) ? secret : undefined;
  };

  return {
    find,
    list: (now) =>
      [...secrets.values()]
        .filter((secret) => !isGone(secret, now))
        .sort((one, other) => (one.name < other.name ? -1 : 1)),
    newArn: (name) => arnOf('secretsmanager', region, `secret:${name}-${suffix()}`),
    change: (reference, now, change) => {
      const name = nameOf(reference);
      if (name === undefined) return Promise.reject(notFound());
      return serially(name, async () => {
        const current = find(name, now);
        const next = change(current);
        if (next === undefined) {
          await removeFile(pathOf(name));
          secrets.delete(name);
        } else if (next !== current) {
          await replaceFile(pathOf(name), JSON.stringify(next));
          secrets.set(name, next);
        }
        return next;
      });
    },
  };
};

const isGone = ({ deletionAt }: Secret, now: number): boolean =>
  deletionAt !== undefined && deletionAt <= now;

export const notFound = () =>
  new AwsRefusal('ResourceNotFoundException', "Secrets Manager can't find the specified secret.");

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

const suffix = (): string =>
  Array.from({ length: 6 }, () => LETTERS[randomInt(LETTERS.length)]).join('');
