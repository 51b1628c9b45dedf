import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { arnOf } from '../account.ts';
import type { EmbeddedKms } from '../kms/index.ts';
import { jsonOperation, jsonService } from '../wire/json.ts';
import { AwsError } from '../wire/aws-error.ts';
import type { AwsService } from '../wire/service.ts';
import { secretAccesses } from './accesses.ts';
import { openSecretStore, type Secret, type SecretStore } from './secret-store.ts';
import { decrypted, exists, withVersion } from './secret-values.ts';

export interface EmbeddedSecrets {
  readonly service: AwsService;
  /** All secrets but those that are marked for deletion, without their values. */
  list(): readonly DescribedSecret[];
  /** Deletes those that can no longer be restored. @param now - epoch seconds @returns how many */
  sweep(now: number): Promise<number>;
}

export interface DescribedSecret extends Pick<Secret, 'name' | 'kmsKeyId' | 'tags'> {
  readonly versionIds: readonly string[];
}

/** Secrets Manager: secrets with versions, their values encrypted by the embedded KMS. */
export const openSecrets = async (
  folder: string,
  region: string,
  kms: EmbeddedKms,
): Promise<EmbeddedSecrets> => {
  const secrets = await openSecretStore(folder);
  return {
    service: jsonService({
      signingName: 'secretsmanager',
      target: 'secretsmanager',
      version: '1.1',
      maxBodyBytes: 256 * 1024,
      operations: operationsOf(secrets, region, kms),
    }),
    list: () =>
      secrets
        .list()
        .filter(({ deletedAt }) => deletedAt === undefined)
        .map(({ name, kmsKeyId, tags, versions }) => ({
          name,
          kmsKeyId,
          tags,
          versionIds: versions.map(({ id }) => id),
        })),
    sweep: async (now) => {
      const over = secrets.list().filter(({ deletedAt = Infinity }) => deletedAt <= now);
      for (const { name } of over) await secrets.change(name, () => undefined);
      return over.length;
    },
  };
};

const DAY = 86_400;

const SecretId = z.string().min(1);
const Name = z.string().regex(/^[\w/+=.@!-]{1,512}$/);
const Version = {
  ClientRequestToken: z.string().min(32).max(64),
  SecretString: z.string().refine((text) => Buffer.byteLength(text) <= 65_536, 'At most 64 KB'),
};
const Tag = z.strictObject({ Key: z.string(), Value: z.string() });

const operationsOf = (secrets: SecretStore, region: string, kms: EmbeddedKms) => {
  const access = secretAccesses(secrets, region, kms);
  return {
    CreateSecret: jsonOperation(
      z.strictObject({
        Name,
        KmsKeyId: z.string(),
        Description: z.string().optional(),
        Tags: z.array(Tag).default([]),
        ...Version,
      }),
      async (input) => {
        const suffix = randomBytes(3).toString('hex');
        const created: Secret = {
          name: input.Name,
          arn: arnOf('secretsmanager', region, `secret:${input.Name}-${suffix}`),
          description: input.Description,
          kmsKeyId: input.KmsKeyId,
          tags: input.Tags,
          versions: [],
        };
        const { arn, name } = await secrets.change(input.Name, (current) => {
          if (current?.deletedAt !== undefined) {
            throw invalidRequest('A secret with this name is already scheduled for deletion.');
          }
          // A repetition of the same request; `withVersion` refuses it if its value differs.
          const repeated = current?.versions.some(({ id }) => id === input.ClientRequestToken);
          if (current && !repeated) throw exists(`the secret ${input.Name}`);
          return withVersion(kms, current ?? created, input);
        });
        return { ARN: arn, Name: name, VersionId: input.ClientRequestToken };
      },
      access.create,
    ),
    PutSecretValue: jsonOperation(
      z.strictObject({ SecretId, ...Version }),
      async (input) => {
        const { arn, name } = await secrets.change(input.SecretId, (current) =>
          withVersion(kms, usable(current), input),
        );
        return { ARN: arn, Name: name, VersionId: input.ClientRequestToken };
      },
      access.put,
    ),
    GetSecretValue: jsonOperation(
      z.strictObject({ SecretId, VersionId: z.string() }),
      (input) => {
        const secret = usable(secrets.find(input.SecretId));
        const version = secret.versions.find(({ id }) => id === input.VersionId);
        if (!version)
          throw notFound(`the specified secret value for VersionId: ${input.VersionId}`);
        const SecretString = decrypted(kms, secret, version);
        return { ARN: secret.arn, Name: secret.name, VersionId: version.id, SecretString };
      },
      access.get,
    ),
    // Also describes secrets that are marked for deletion: only they have a date.
    DescribeSecret: jsonOperation(
      z.strictObject({ SecretId }),
      ({ SecretId: name }) => {
        const secret = secrets.find(name);
        if (!secret) throw notFound('the specified secret.');
        const labelled = secret.versions.slice(-2).toReversed();
        return {
          ARN: secret.arn,
          Name: secret.name,
          VersionIdsToStages: Object.fromEntries(
            labelled.map(({ id }, index) => [id, [index === 0 ? 'AWSCURRENT' : 'AWSPREVIOUS']]),
          ),
          ...(secret.deletedAt !== undefined && { DeletedDate: secret.deletedAt }),
        };
      },
      access.describe,
    ),
    DeleteSecret: jsonOperation(
      z
        .strictObject({
          SecretId,
          ForceDeleteWithoutRecovery: z.boolean().default(false),
          RecoveryWindowInDays: z.int().min(7).max(30).optional(),
        })
        .refine(
          (input) => !input.ForceDeleteWithoutRecovery || input.RecoveryWindowInDays === undefined,
          'Either by force or with a window',
        ),
      async ({ SecretId: name, ForceDeleteWithoutRecovery: force, RecoveryWindowInDays = 30 }) => {
        const deletedAt = Math.floor(Date.now() / 1000) + RecoveryWindowInDays * DAY;
        // Deleting by force a secret that does not exist is no error.
        await secrets.change(name, (current) =>
          force ? undefined : { ...usable(current), deletedAt },
        );
        return { Name: name };
      },
      access.remove,
    ),
    RestoreSecret: jsonOperation(
      z.strictObject({ SecretId }),
      async ({ SecretId: name }) => {
        const { arn } = await secrets.change(name, (current) => {
          if (!current) throw notFound('the specified secret.');
          const { deletedAt: _, ...restored } = current;
          return restored;
        });
        return { ARN: arn, Name: name };
      },
      access.restore,
    ),
  };
};

/** @throws AwsError if it is missing or marked for deletion */
const usable = (secret: Secret | undefined): Secret => {
  if (!secret) throw notFound('the specified secret.');
  if (secret.deletedAt === undefined) return secret;
  throw invalidRequest(
    "You can't perform this operation on the secret because it was marked for deletion.",
  );
};

const notFound = (what: string) =>
  new AwsError('ResourceNotFoundException', `Secrets Manager can't find ${what}`);

const invalidRequest = (message: string) => new AwsError('InvalidRequestException', message);
