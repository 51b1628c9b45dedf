import { AwsRefusal } from '../wire/refusal.ts';

export interface Secret {
  readonly name: string;
  readonly arn: string;
  readonly description: string | undefined;
  /** As the caller named it; `undefined` is the service's own key. */
  readonly kmsKeyId: string | undefined;
  readonly tags: readonly unknown[];
  /** Epoch seconds. */
  readonly createdAt: number;
  readonly changedAt: number;
  /** Set while it is scheduled for deletion: from then on it is gone. Epoch seconds. */
  readonly deletionAt?: number;
  readonly versions: readonly SecretVersion[];
}

export interface SecretVersion {
  readonly id: string;
  readonly stages: readonly string[];
  /** Epoch seconds. */
  readonly createdAt: number;
  readonly kind: 'SecretString' | 'SecretBinary';
  /** The value as KMS encrypted it, Base64. */
  readonly sealed: string;
}

const CURRENT = 'AWSCURRENT';
const PREVIOUS = 'AWSPREVIOUS';
const MAX_VERSIONS = 100;

/**
 * The versions after one is added under the given stages. A stage belongs to one version, so it leaves the one
 * that had it; who loses `AWSCURRENT` becomes `AWSPREVIOUS`; the very first is `AWSCURRENT` in any case.
 *
 * Source: AWS Secrets Manager API Reference, PutSecretValue.
 */
export const withVersion = (
  versions: readonly SecretVersion[],
  added: Omit<SecretVersion, 'stages'>,
  asked: readonly string[],
): readonly SecretVersion[] => {
  const stages = [...new Set(versions.length === 0 ? [...asked, CURRENT] : asked)];
  const takesCurrent = stages.includes(CURRENT);
  const others = versions.map((version) => {
    const left = version.stages.filter(
      (stage) => !stages.includes(stage) && !(takesCurrent && stage === PREVIOUS),
    );
    const loses = takesCurrent && version.stages.includes(CURRENT);
    return { ...version, stages: loses ? [...left, PREVIOUS] : left };
  });
  return withinLimit([...others, { ...added, stages }]);
};

/** @throws AwsRefusal if no version has both the id and the stage; without either, the current one */
export const findVersion = (
  { versions }: Secret,
  id: string | undefined,
  stage: string | undefined,
): SecretVersion => {
  const wanted = stage ?? (id === undefined ? CURRENT : undefined);
  const found = versions.find(
    (version) =>
      (id ?? version.id) === version.id &&
      (wanted === undefined || version.stages.includes(wanted)),
  );
  if (!found) {
    throw new AwsRefusal(
      'ResourceNotFoundException',
      "Secrets Manager can't find the specified secret value for " +
        (id === undefined ? `staging label: ${wanted}` : `VersionId: ${id}`),
    );
  }
  return found;
};

// The oldest go first, but never one that a stage points to.
const withinLimit = (versions: readonly SecretVersion[]): readonly SecretVersion[] => {
  const spare = versions.filter(({ stages }) => stages.length === 0);
  const dropped = spare.slice(0, Math.max(0, versions.length - MAX_VERSIONS));
  return versions.filter((version) => !dropped.includes(version));
};
