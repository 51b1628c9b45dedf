import { optionalBoolean, invalid, refuseMembers, textList } from '../wire/fields.ts';
import type { Json } from '../wire/json.ts';
import { AwsRefusal } from '../wire/refusal.ts';
import type { KeySpec, KeyStore, KmsKey } from './key-store.ts';

/** @throws AwsRefusal if there is no such key or it is of the other kind */
export const usable = (keys: KeyStore, reference: string, spec: KeySpec): KmsKey => {
  const key = keys.find(reference);
  if (key.spec !== spec) {
    throw new AwsRefusal(
      'InvalidKeyUsageException',
      `${key.arn} key usage is ${usageOf(key.spec)} which is not valid for this operation.`,
    );
  }
  return key;
};

export const usageOf = (spec: KeySpec) =>
  spec === 'SYMMETRIC_DEFAULT' ? 'ENCRYPT_DECRYPT' : 'SIGN_VERIFY';

export const usageMembers = ({ spec }: KmsKey) => ({
  KeyUsage: usageOf(spec),
  KeySpec: spec,
  CustomerMasterKeySpec: spec,
  ...(spec === 'SYMMETRIC_DEFAULT'
    ? { EncryptionAlgorithms: ['SYMMETRIC_DEFAULT'] }
    : { SigningAlgorithms: ['ECDSA_SHA_256'] }),
});

/** @throws AwsRefusal for dry runs, grants and enclaves */
export const runForReal = (input: Json): void => {
  refuseMembers(input, 'Recipient');
  if (optionalBoolean(input, 'DryRun')) throw invalid('DryRun is not implemented here.');
  if (textList(input, 'GrantTokens').length > 0) throw invalid('Grants are not implemented here.');
};

/** @throws AwsRefusal beyond what KMS takes in one call */
export const sized = (bytes: Buffer, name: string): Buffer => {
  if (bytes.length < 1 || bytes.length > 4096) throw invalid(`${name} must have 1 to 4096 bytes`);
  return bytes;
};

export const base64 = (bytes: Buffer): string => bytes.toString('base64');
