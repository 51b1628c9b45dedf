import type { EmbeddedKms } from '../kms/index.ts';
import {
  optionalBoolean,
  optionalNumber,
  optionalText,
  refuseMembers,
  text,
} from '../wire/fields.ts';
import { type Json, type JsonOperation, jsonService } from '../wire/json.ts';
import { AwsRefusal } from '../wire/refusal.ts';
import type { AwsService } from '../wire/service.ts';
import { findVersion, type Secret } from './secret.ts';
import { notFound, openSecretStore, type SecretStore } from './secret-store.ts';
import { openValues, type Values } from './values.ts';
import { badRequest, named, usable, writing } from './write.ts';

const DAY = 86_400;

/** Secrets Manager: secrets with versions and stages, their values encrypted by the embedded KMS. */
export const openSecrets = async (
  folder: string,
  region: string,
  kms: EmbeddedKms,
): Promise<AwsService> => {
  const clock = () => Math.floor(Date.now() / 1000);
  const secrets = await openSecretStore(folder, region, clock());
  const values = await openValues(kms);
  return jsonService({
    signingName: 'secretsmanager',
    target: 'secretsmanager',
    version: '1.1',
    maxBodyBytes: 256 * 1024,
    operations: {
      ...writing(secrets, values, clock),
      ...reading(secrets, values, clock),
      ...deleting(secrets, clock),
    },
  });
};

const reading = (
  secrets: SecretStore,
  values: Values,
  clock: () => number,
): Record<string, JsonOperation> => ({
  GetSecretValue: async (input) => {
    const secret = usable(secrets.find(text(input, 'SecretId'), clock()));
    const stage = optionalText(input, 'VersionStage');
    const version = findVersion(secret, optionalText(input, 'VersionId'), stage);
    return named(secret, {
      VersionId: version.id,
      VersionStages: version.stages,
      CreatedDate: version.createdAt,
      ...values.reveal(secret, version),
    });
  },
  DescribeSecret: async (input) => {
    const secret = secrets.find(text(input, 'SecretId'), clock());
    if (!secret) throw notFound();
    return { ...described(secret), VersionIdsToStages: stagesOf(secret) };
  },
  ListSecrets: async (input) => {
    refuseMembers(input, 'Filters', 'SortBy', 'SortOrder');
    const limit = optionalNumber(input, 'MaxResults') ?? 100;
    if (limit < 1 || limit > 100) throw invalidParameter('MaxResults must be 1 to 100.');
    const after = Buffer.from(optionalText(input, 'NextToken') ?? '', 'base64url').toString();
    const planned = optionalBoolean(input, 'IncludePlannedDeletion') ?? false;
    const rest = secrets
      .list(clock())
      .filter(({ name, deletionAt }) => name > after && (planned || deletionAt === undefined));
    const page = rest.slice(0, limit);
    const last = page.at(-1)?.name ?? '';
    return {
      SecretList: page.map((secret) => ({
        ...described(secret),
        SecretVersionsToStages: stagesOf(secret),
      })),
      ...(rest.length > limit && { NextToken: Buffer.from(last).toString('base64url') }),
    };
  },
});

const deleting = (secrets: SecretStore, clock: () => number): Record<string, JsonOperation> => ({
  DeleteSecret: async (input) => {
    const reference = text(input, 'SecretId');
    const now = clock();
    const window = recoveryDays(input);
    if (window === undefined) {
      // Deleting by force what is not there is no error.
      const gone = secrets.find(reference, now);
      if (gone) await secrets.change(reference, now, () => undefined);
      return { ARN: gone?.arn, Name: gone?.name ?? reference, DeletionDate: now };
    }
    const deletionAt = now + window * DAY;
    const secret = await secrets.change(reference, now, (current) => ({
      ...usable(current),
      deletionAt,
    }));
    return named(secret, { DeletionDate: deletionAt });
  },
  RestoreSecret: async (input) =>
    named(
      await secrets.change(text(input, 'SecretId'), clock(), (current) => {
        if (!current) throw notFound();
        if (current.deletionAt === undefined) throw badRequest('The secret is not being deleted.');
        const { deletionAt: _, ...kept } = current;
        return kept;
      }),
    ),
});

/** Days until it is gone, `undefined` for at once. @throws AwsRefusal */
const recoveryDays = (input: Json): number | undefined => {
  const force = optionalBoolean(input, 'ForceDeleteWithoutRecovery') ?? false;
  const days = optionalNumber(input, 'RecoveryWindowInDays');
  if (force && days !== undefined) {
    throw invalidParameter("You can't force the deletion and give a recovery window.");
  }
  if (days !== undefined && (days < 7 || days > 30)) {
    throw invalidParameter('RecoveryWindowInDays must be 7 to 30.');
  }
  return force ? undefined : (days ?? 30);
};

const described = (secret: Secret) =>
  named(secret, {
    Description: secret.description,
    KmsKeyId: secret.kmsKeyId,
    Tags: secret.tags,
    CreatedDate: secret.createdAt,
    LastChangedDate: secret.changedAt,
    DeletedDate: secret.deletionAt,
  });

const stagesOf = ({ versions }: Secret) =>
  Object.fromEntries(
    versions.filter(({ stages }) => stages.length > 0).map(({ id, stages }) => [id, stages]),
  );

const invalidParameter = (message: string) => new AwsRefusal('InvalidParameterException', message);
