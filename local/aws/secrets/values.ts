import type { EmbeddedKms } from '../kms/index.ts';
import { optionalBlob, optionalText } from '../wire/fields.ts';
import type { Json } from '../wire/json.ts';
import { AwsRefusal } from '../wire/refusal.ts';
import type { Secret, SecretVersion } from './secret.ts';

const SERVICE_KEY = 'alias/aws/secretsmanager';
const MAX_VALUE_BYTES = 65_536;

export interface SecretValue {
  readonly kind: SecretVersion['kind'];
  readonly bytes: Buffer;
}

export interface Values {
  seal(
    secret: Pick<Secret, 'arn' | 'kmsKeyId'>,
    versionId: string,
    value: SecretValue,
  ): Pick<SecretVersion, 'kind' | 'sealed'>;
  /** @throws AwsRefusal */
  open(secret: Secret, version: SecretVersion): SecretValue;
  /** The members of an answer. @throws AwsRefusal */
  reveal(secret: Secret, version: SecretVersion): object;
}

/** Values as they lie on disk: encrypted by KMS, bound to their secret and version. */
export const openValues = async (kms: EmbeddedKms): Promise<Values> => {
  const serviceKey = await kms.serviceKey(SERVICE_KEY);
  const context = ({ arn }: Pick<Secret, 'arn'>, versionId: string) => ({
    SecretARN: arn,
    SecretVersionId: versionId,
  });
  const open: Values['open'] = (secret, { id, kind, sealed }) => {
    try {
      return { kind, bytes: kms.decrypt(Buffer.from(sealed, 'base64'), context(secret, id)) };
    } catch {
      throw new AwsRefusal('DecryptionFailure', "Secrets Manager can't decrypt the secret.");
    }
  };
  return {
    open,
    seal: (secret, versionId, { kind, bytes }) => {
      try {
        const key = secret.kmsKeyId ?? serviceKey;
        const sealed = kms.encrypt(key, bytes, context(secret, versionId)).toString('base64');
        return { kind, sealed };
      } catch {
        throw new AwsRefusal('EncryptionFailure', "Secrets Manager can't encrypt with the key.");
      }
    },
    reveal: (secret, version) => {
      const { kind, bytes } = open(secret, version);
      return { [kind]: bytes.toString(kind === 'SecretString' ? 'utf8' : 'base64') };
    },
  };
};

/** The value in a request, if there is one. @throws AwsRefusal */
export const sentValue = (input: Json): SecretValue | undefined => {
  const string = optionalText(input, 'SecretString');
  const binary = optionalBlob(input, 'SecretBinary');
  if (string !== undefined && binary) {
    throw new AwsRefusal(
      'InvalidParameterException',
      'You must not provide both SecretString and SecretBinary.',
    );
  }
  const bytes = string === undefined ? binary : Buffer.from(string);
  if (!bytes) return undefined;
  if (bytes.length > MAX_VALUE_BYTES) {
    throw new AwsRefusal('InvalidParameterException', 'The secret value is too long.');
  }
  return { kind: string === undefined ? 'SecretBinary' : 'SecretString', bytes };
};
