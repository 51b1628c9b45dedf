import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { arnOf } from '../account.ts';
import { openFolder, replaceFile } from '../disk.ts';
import { AwsError } from '../wire/aws-error.ts';
import { parsedJson } from '../../../layers/platform/rules/json/parsed-json.ts';

type KeySpec = 'SYMMETRIC_DEFAULT' | 'ECC_NIST_P256';

export interface KmsKey {
  readonly id: string;
  readonly arn: string;
  readonly alias: string;
  readonly spec: KeySpec;
  /** Base64: 32 bytes, or the private key in the form of RFC 5208. It is used here, and never part of an answer. */
  readonly material: string;
}

export interface KeyStore {
  create(alias: string, spec: KeySpec): Promise<void>;
  /** @throws AwsError if there is no such key, or it is of the other kind */
  find(alias: string, spec: KeySpec): KmsKey;
  byId(id: string): KmsKey | undefined;
  /** ARN of a key of either kind. @throws AwsError if there is no such key */
  arnOf(alias: string): string;
}

/** Keys on disk, one file each, readable by the owner only. */
export const openKeyStore = async (folder: string, region: string): Promise<KeyStore> => {
  const keys = new Map<string, KmsKey>();
  for (const file of await openFolder(folder)) {
    const key = parsedJson(await readFile(join(folder, file), 'utf8')) as KmsKey;
    keys.set(key.alias, key);
  }

  const existing = (alias: string): KmsKey => {
    const key = keys.get(alias);
    if (key) return key;
    throw new AwsError('NotFoundException', `Key '${alias}' does not exist`);
  };

  return {
    arnOf: (alias) => existing(alias).arn,
    create: async (alias, spec) => {
      if (keys.has(alias)) return;
      const id = randomUUID();
      const arn = arnOf('kms', region, `key/${id}`);
      const key: KmsKey = { id, arn, alias, spec, material: newMaterial(spec) };
      await replaceFile(join(folder, `${id}.json`), JSON.stringify(key));
      keys.set(alias, key);
    },
    find: (alias, spec) => {
      const key = existing(alias);
      if (key.spec === spec) return key;
      throw new AwsError(
        'InvalidKeyUsageException',
        `${key.arn} key usage is ${USAGES[key.spec]} which is not valid for this operation.`,
      );
    },
    byId: (id) => [...keys.values()].find((key) => key.id === id),
  };
};

const USAGES = { SYMMETRIC_DEFAULT: 'ENCRYPT_DECRYPT', ECC_NIST_P256: 'SIGN_VERIFY' } as const;

const newMaterial = (spec: KeySpec): string =>
  spec === 'SYMMETRIC_DEFAULT'
    ? randomBytes(32).toString('base64')
    : generateKeyPairSync('ec', { namedCurve: 'P-256' })
        .privateKey.export({ format: 'der', type: 'pkcs8' })
        .toString('base64');
