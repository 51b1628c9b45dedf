import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { arnOf } from '../account.ts';
import { openFolder, replaceFile } from '../disk.ts';
import { openSerial } from '../serial.ts';
import { AwsRefusal } from '../wire/refusal.ts';

export type KeySpec = 'SYMMETRIC_DEFAULT' | 'ECC_NIST_P256';

export interface KmsKey {
  readonly id: string;
  readonly arn: string;
  readonly spec: KeySpec;
  readonly description: string;
  /** Epoch seconds. */
  readonly createdAt: number;
  /** Base64: 32 bytes, or the private key as PKCS #8. Leaves this file only to be used, never in an answer. */
  readonly material: string;
}

export interface KeyStore {
  create(spec: KeySpec, description: string): Promise<KmsKey>;
  /** By id, ARN, alias or alias ARN. @throws AwsRefusal */
  find(reference: string): KmsKey;
  byId(id: string): KmsKey | undefined;
  keys(): readonly KmsKey[];
  /** Name to key id. */
  aliases(): ReadonlyMap<string, string>;
  /** @throws AwsRefusal if the alias exists */
  addAlias(name: string, reference: string): Promise<void>;
}

const ALIASES = 'aliases.json';

/** Keys on disk, one file each, readable by the owner only. */
export const openKeyStore = async (folder: string, region: string): Promise<KeyStore> => {
  const keys = new Map<string, KmsKey>();
  let aliases = new Map<string, string>();
  for (const file of await openFolder(folder)) {
    const stored: unknown = JSON.parse(await readFile(join(folder, file), 'utf8'));
    if (file === ALIASES) aliases = new Map(stored as [string, string][]);
    else keys.set((stored as KmsKey).id, stored as KmsKey);
  }
  const serially = openSerial();

  const find = (reference: string): KmsKey => {
    // An ARN of another region or account does not become one of ours.
    const name = reference.startsWith('arn:')
      ? (/^(?:key\/)?(.+)$/.exec(withoutPrefix(reference, arnOf('kms', region, ''))) ?? [])[1]
      : reference;
    const id = name?.startsWith('alias/') ? aliases.get(name) : name;
    return keys.get(id ?? '') ?? unknown(reference);
  };

  return {
    find,
    byId: (id) => keys.get(id),
    keys: () => [...keys.values()],
    aliases: () => aliases,
    create: async (spec, description) => {
      const id = randomUUID();
      const arn = arnOf('kms', region, `key/${id}`);
      const createdAt = Math.floor(Date.now() / 1000);
      const key: KmsKey = { id, arn, spec, description, createdAt, material: newMaterial(spec) };
      await replaceFile(join(folder, `${id}.json`), JSON.stringify(key));
      keys.set(id, key);
      return key;
    },
    addAlias: (name, reference) =>
      serially(ALIASES, async () => {
        const { id } = find(reference);
        if (aliases.has(name)) {
          throw new AwsRefusal('AlreadyExistsException', `An alias named ${name} already exists.`);
        }
        const next = new Map([...aliases, [name, id]]);
        await replaceFile(join(folder, ALIASES), JSON.stringify([...next]));
        aliases = next;
      }),
  };
};

const newMaterial = (spec: KeySpec): string =>
  spec === 'SYMMETRIC_DEFAULT'
    ? randomBytes(32).toString('base64')
    : generateKeyPairSync('ec', { namedCurve: 'P-256' })
        .privateKey.export({ format: 'der', type: 'pkcs8' })
        .toString('base64');

const withoutPrefix = (text: string, prefix: string): string =>
  text.startsWith(prefix) ? text.slice(prefix.length) : '';

const unknown = (reference: string): never => {
  throw new AwsRefusal('NotFoundException', `Key '${reference}' does not exist`);
};
