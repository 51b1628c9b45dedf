import { ACCOUNT_ID } from '../account.ts';
import type { Context } from './policy.ts';

/** A key that a service uses in its caller's name, to read or write what is encrypted. */
export interface KeyUse {
  readonly action: 'kms:Decrypt' | 'kms:GenerateDataKey';
  /** ARN of the table, the bucket or the queue. The policies name its key, if it has one of ours. */
  readonly keyOf: string;
  readonly context: Context;
}

/**
 * The condition keys of KMS.
 * @param via - the service that asks in a caller's name, as in `s3.us-east-1.amazonaws.com`; none if the
 * caller asks itself
 * Source: AWS KMS Developer Guide, "AWS KMS condition keys".
 */
export const kmsContext = (
  encryptionContext: Readonly<Record<string, string>>,
  via?: string,
): Context => {
  const context: Record<string, string | readonly string[]> = {
    'kms:CallerAccount': ACCOUNT_ID,
    'kms:EncryptionContextKeys': Object.keys(encryptionContext),
  };
  if (via !== undefined) context['kms:ViaService'] = via;
  for (const [name, value] of Object.entries(encryptionContext)) {
    context[`kms:EncryptionContext:${name}`] = value;
  }
  return context;
};

export const viaService = (service: string, region: string): string =>
  `${service}.${region}.amazonaws.com`;
