import { jsonService } from '../wire/json.ts';
import type { AwsService } from '../wire/service.ts';
import { administration } from './administration.ts';
import { encryption } from './encryption.ts';
import { type EncryptionContext, seal, unseal } from './envelope.ts';
import { type KeySpec, openKeyStore } from './key-store.ts';
import { signing } from './signing.ts';
import { usable } from './usage.ts';

export type { EncryptionContext } from './envelope.ts';

export interface EmbeddedKms {
  readonly service: AwsService;
  /** For services that encrypt what they store. @throws AwsRefusal */
  encrypt(reference: string, plaintext: Buffer, context: EncryptionContext): Buffer;
  /** @throws AwsRefusal */
  decrypt(ciphertext: Buffer, context: EncryptionContext): Buffer;
  /** The key of a service itself, `alias/aws/…`, created when first needed. @returns its alias */
  serviceKey(alias: string): Promise<string>;
  /** A symmetric key under an alias; does nothing if it exists. */
  createEncryptionKey(alias: string): Promise<void>;
  /** A P-256 key under an alias; does nothing if it exists. */
  createSigningKey(alias: string): Promise<void>;
}

/** KMS: symmetric keys and P-256 signing keys, under id, ARN and alias. */
export const openKms = async (folder: string, region: string): Promise<EmbeddedKms> => {
  const keys = await openKeyStore(folder, region);
  const createUnder = async (alias: string, spec: KeySpec) => {
    if (keys.aliases().has(alias)) return;
    const { id } = await keys.create(spec, `Key of ${alias}`);
    await keys.addAlias(alias, id);
  };
  return {
    service: jsonService({
      signingName: 'kms',
      target: 'TrentService',
      version: '1.1',
      maxBodyBytes: 64 * 1024,
      operations: {
        ...administration(keys, region),
        ...encryption(keys),
        ...signing(keys),
      },
    }),
    encrypt: (reference, plaintext, context) =>
      seal(usable(keys, reference, 'SYMMETRIC_DEFAULT'), plaintext, context),
    decrypt: (ciphertext, context) => unseal(keys, ciphertext, context).plaintext,
    serviceKey: async (alias) => {
      await createUnder(alias, 'SYMMETRIC_DEFAULT');
      return alias;
    },
    createEncryptionKey: (alias) => createUnder(alias, 'SYMMETRIC_DEFAULT'),
    createSigningKey: (alias) => createUnder(alias, 'ECC_NIST_P256'),
  };
};
