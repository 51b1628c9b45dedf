import { optionalText, refuseMembers, text, textList } from '../wire/fields.ts';
import type { Json, JsonOperation } from '../wire/json.ts';
import { AwsRefusal } from '../wire/refusal.ts';
import { findVersion, type Secret, withVersion } from './secret.ts';
import { notFound, type SecretStore } from './secret-store.ts';
import { type SecretValue, sentValue, type Values } from './values.ts';

/** CreateSecret, PutSecretValue and UpdateSecret. @param clock - epoch seconds */
export const writing = (
  secrets: SecretStore,
  values: Values,
  clock: () => number,
): Record<string, JsonOperation> => ({
  CreateSecret: async (input) => {
    refuseMembers(input, 'AddReplicaRegions', 'ForceOverwriteReplicaSecret', 'Type');
    const now = clock();
    const added = sentVersion(input, ['AWSCURRENT'], now);
    const name = nameOf(input);
    const secret = await secrets.change(name, now, (current) => {
      if (!current) {
        const created = newSecret(input, name, secrets.newArn(name), now);
        return added ? withValue(values, created, added) : created;
      }
      if (current.deletionAt !== undefined) {
        throw badRequest('A secret with this name is already scheduled for deletion.');
      }
      // The same request again; `withValue` refuses it if its value is another one.
      if (added && current.versions.some(({ id }) => id === added.id)) {
        return withValue(values, current, added);
      }
      throw exists(`the secret ${name}`);
    });
    return named(secret, added && { VersionId: added.id });
  },
  PutSecretValue: async (input) => {
    refuseMembers(input, 'RotationToken');
    const now = clock();
    const asked = textList(input, 'VersionStages');
    const added = sentVersion(input, asked.length > 0 ? asked : ['AWSCURRENT'], now);
    if (!added) throw badRequest('You must provide either SecretString or SecretBinary.');
    const secret = await secrets.change(text(input, 'SecretId'), now, (current) =>
      withValue(values, usable(current), added),
    );
    const { stages } = findVersion(secret, added.id, undefined);
    return named(secret, { VersionId: added.id, VersionStages: stages });
  },
  UpdateSecret: async (input) => {
    refuseMembers(input, 'Type');
    const now = clock();
    const added = sentVersion(input, ['AWSCURRENT'], now);
    const secret = await secrets.change(text(input, 'SecretId'), now, (stored) => {
      const current = usable(stored);
      const changed: Secret = {
        ...current,
        description: optionalText(input, 'Description') ?? current.description,
        kmsKeyId: optionalText(input, 'KmsKeyId') ?? current.kmsKeyId,
        changedAt: now,
      };
      return added ? withValue(values, changed, added) : changed;
    });
    return named(secret, added && { VersionId: added.id });
  },
});

interface SentVersion {
  readonly id: string;
  readonly value: SecretValue;
  readonly stages: readonly string[];
  readonly now: number;
}

/** @throws AwsRefusal if another value is stored under the same id */
const withValue = (values: Values, secret: Secret, sent: SentVersion): Secret => {
  const { id, value, stages, now } = sent;
  const same = secret.versions.find((version) => version.id === id);
  if (same) {
    const stored = values.open(secret, same);
    if (stored.kind === value.kind && stored.bytes.equals(value.bytes)) return secret;
    throw exists(`the version ${id}`);
  }
  const added = { id, createdAt: now, ...values.seal(secret, id, value) };
  return { ...secret, changedAt: now, versions: withVersion(secret.versions, added, stages) };
};

const sentVersion = (
  input: Json,
  stages: readonly string[],
  now: number,
): SentVersion | undefined => {
  const value = sentValue(input);
  return value && { id: tokenOf(input), value, stages, now };
};

const newSecret = (input: Json, name: string, arn: string, now: number): Secret => ({
  name,
  arn,
  description: optionalText(input, 'Description'),
  kmsKeyId: optionalText(input, 'KmsKeyId'),
  tags: Array.isArray(input['Tags']) ? input['Tags'] : [],
  createdAt: now,
  changedAt: now,
  versions: [],
});

/** @throws AwsRefusal if it is missing or scheduled for deletion */
export const usable = (secret: Secret | undefined): Secret => {
  if (!secret) throw notFound();
  if (secret.deletionAt !== undefined) {
    throw badRequest(
      "You can't perform this operation on the secret because it was marked for deletion.",
    );
  }
  return secret;
};

export const named = ({ arn, name }: Secret, more: object | undefined = {}): object => ({
  ARN: arn,
  Name: name,
  ...more,
});

export const badRequest = (message: string) => new AwsRefusal('InvalidRequestException', message);

const exists = (what: string) =>
  new AwsRefusal('ResourceExistsException', `The operation failed because ${what} already exists.`);

const nameOf = (input: Json): string => {
  const name = text(input, 'Name');
  if (!/^[\w/+=.@-]{1,512}$/.test(name)) {
    throw new AwsRefusal('InvalidParameterException', 'Invalid name.');
  }
  return name;
};

const tokenOf = (input: Json): string => {
  const token = text(input, 'ClientRequestToken');
  if (token.length < 32 || token.length > 64) {
    throw new AwsRefusal('InvalidParameterException', 'ClientRequestToken must be 32 to 64 long.');
  }
  return token;
};
