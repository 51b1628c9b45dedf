import { arnOf } from '../account.ts';
import { choice, invalid, optionalText, refuseMembers, text } from '../wire/fields.ts';
import type { JsonOperation } from '../wire/json.ts';
import { AwsRefusal } from '../wire/refusal.ts';
import type { KeyStore, KmsKey } from './key-store.ts';
import { usageMembers, usageOf } from './usage.ts';

/** Making, naming and finding keys. */
export const administration = (keys: KeyStore, region: string): Record<string, JsonOperation> => ({
  CreateKey: async (input) => {
    refuseMembers(input, 'CustomerMasterKeySpec', 'CustomKeyStoreId', 'XksKeyId', 'MultiRegion');
    const spec = choice(input, 'KeySpec', ['SYMMETRIC_DEFAULT', 'ECC_NIST_P256']);
    const usage = choice(input, 'KeyUsage', ['ENCRYPT_DECRYPT', 'SIGN_VERIFY']);
    choice(input, 'Origin', ['AWS_KMS']);
    if (usage !== usageOf(spec)) {
      throw invalid(`KeyUsage ${usage} is not compatible with KeySpec ${spec}.`);
    }
    const key = await keys.create(spec, optionalText(input, 'Description') ?? '');
    return { KeyMetadata: metadataOf(key) };
  },
  DescribeKey: async (input) => ({ KeyMetadata: metadataOf(keys.find(text(input, 'KeyId'))) }),
  ListKeys: async () => ({
    Keys: keys.keys().map(({ id, arn }) => ({ KeyId: id, KeyArn: arn })),
    Truncated: false,
  }),
  CreateAlias: async (input) => {
    const name = text(input, 'AliasName');
    if (!/^alias\/(?!aws\/)[\w/-]{1,250}$/.test(name)) {
      throw new AwsRefusal('InvalidAliasNameException', 'The alias name is not valid.');
    }
    await keys.addAlias(name, text(input, 'TargetKeyId'));
    return {};
  },
  ListAliases: async (input) => {
    const reference = optionalText(input, 'KeyId');
    const only = reference === undefined ? undefined : keys.find(reference).id;
    return {
      Aliases: [...keys.aliases()]
        .filter(([, id]) => (only ?? id) === id)
        .map(([name, id]) => ({
          AliasName: name,
          AliasArn: arnOf('kms', region, name),
          TargetKeyId: id,
        })),
      Truncated: false,
    };
  },
});

const metadataOf = (key: KmsKey) => ({
  KeyId: key.id,
  Arn: key.arn,
  CreationDate: key.createdAt,
  Description: key.description,
  Enabled: true,
  KeyState: 'Enabled',
  KeyManager: 'CUSTOMER',
  Origin: 'AWS_KMS',
  MultiRegion: false,
  ...usageMembers(key),
});
