import { arnOf } from '../account.ts';
import type { Wanted } from '../iam/access-control.ts';
import { kmsContext, viaService } from '../iam/key-use.ts';
import type { EmbeddedKms } from '../kms/index.ts';
import type { SecretStore } from './secret-store.ts';

interface Create {
  readonly Name: string;
  readonly KmsKeyId: string;
  readonly Description?: string | undefined;
  readonly Tags: readonly { readonly Key: string; readonly Value: string }[];
}

/**
 * Stands for the ARN while Secrets Manager tests whether the creator of a secret may use its key. The guide shows
 * it in place of the version, beside the ARN; AWS's sample policies have it in place of the ARN, too.
 */
const VALIDATION = 'RequestToValidateKeyAccess';

/**
 * Permissions that requests need: the action on the secret, and its key, which Secrets Manager uses in the caller's
 * name.
 * Source: Service Authorization Reference, "AWS Secrets Manager"; AWS Secrets Manager User Guide, "Secret
 * encryption and decryption", "How Secrets Manager uses your KMS key".
 */
export const secretAccesses = (secrets: SecretStore, region: string, kms: EmbeddedKms) => {
  const on = (name: string, action: string, context: Wanted['context'] = {}): Wanted => ({
    action: `secretsmanager:${action}`,
    resource: arnOfSecret(name),
    context: { 'secretsmanager:SecretId': name, ...context },
  });
  // A secret that does not exist yet has no ARN: policies are compared with its name.
  const arnOfSecret = (name: string) =>
    secrets.find(name)?.arn ?? arnOf('secretsmanager', region, `secret:${name}-000000`);

  const key = (action: string, keyId: string, SecretARN: string): Wanted => ({
    action: `kms:${action}`,
    resource: keyArn(keyId),
    context: kmsContext({ SecretARN }, viaService('secretsmanager', region)),
  });
  const keyArn = (keyId: string) => {
    try {
      return kms.arnOf(keyId);
    } catch {
      return keyId;
    }
  };
  const keyOf = (action: string, name: string): readonly Wanted[] => {
    const secret = secrets.find(name);
    return secret ? [key(action, secret.kmsKeyId, secret.arn)] : [];
  };

  return {
    create: ({ Name, KmsKeyId, Description, Tags }: Create): readonly Wanted[] => {
      const tags = {
        'aws:TagKeys': Tags.map((tag) => tag.Key),
        ...Object.fromEntries(Tags.map((tag) => [`aws:RequestTag/${tag.Key}`, tag.Value])),
      };
      const context = {
        'secretsmanager:Name': Name,
        'secretsmanager:KmsKeyId': KmsKeyId,
        'secretsmanager:KmsKeyArn': keyArn(KmsKeyId),
        ...(Description !== undefined && { 'secretsmanager:Description': Description }),
        ...tags,
      };
      return [
        on(Name, 'CreateSecret', context),
        ...(Tags.length > 0 ? [on(Name, 'TagResource', tags)] : []),
        ...[VALIDATION, arnOfSecret(Name)].flatMap((arn) => [
          key('GenerateDataKey', KmsKeyId, arn),
          key('Decrypt', KmsKeyId, arn),
        ]),
      ];
    },
    put: (input: { readonly SecretId: string; readonly ClientRequestToken: string }) => [
      on(input.SecretId, 'PutSecretValue'),
      ...keyOf('GenerateDataKey', input.SecretId),
      // An existing version is decrypted, to compare its value.
      ...(secrets.find(input.SecretId)?.versions.some(({ id }) => id === input.ClientRequestToken)
        ? keyOf('Decrypt', input.SecretId)
        : []),
    ],
    get: ({ SecretId, VersionId }: { readonly SecretId: string; readonly VersionId: string }) => [
      on(SecretId, 'GetSecretValue', { 'secretsmanager:VersionId': VersionId }),
      ...keyOf('Decrypt', SecretId),
    ],
    remove: (input: {
      readonly SecretId: string;
      readonly ForceDeleteWithoutRecovery: boolean;
      readonly RecoveryWindowInDays?: number | undefined;
    }) => [
      on(input.SecretId, 'DeleteSecret', {
        'secretsmanager:ForceDeleteWithoutRecovery': String(input.ForceDeleteWithoutRecovery),
        ...(input.RecoveryWindowInDays !== undefined && {
          'secretsmanager:RecoveryWindowInDays': String(input.RecoveryWindowInDays),
        }),
      }),
    ],
    describe: ({ SecretId }: { readonly SecretId: string }) => [on(SecretId, 'DescribeSecret')],
    restore: ({ SecretId }: { readonly SecretId: string }) => [on(SecretId, 'RestoreSecret')],
  };
};
