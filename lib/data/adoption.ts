/** Template and list with which CloudFormation imports what a deleted stack left. */
export interface Adoption {
  readonly template: { readonly Resources: Resources };
  readonly resourcesToImport: readonly {
    readonly ResourceType: string;
    readonly LogicalResourceId: string;
    readonly ResourceIdentifier: Readonly<Record<string, string>>;
  }[];
}

/** Answer of `aws cloudformation list-stack-resources`, which lists deleted stacks, too. */
export interface FormerStack {
  readonly StackResourceSummaries: readonly {
    readonly LogicalResourceId: string;
    readonly PhysicalResourceId?: string;
    readonly ResourceType: string;
    readonly ResourceStatus: string;
  }[];
}

interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

type Resources = Readonly<Record<string, Resource>>;

/** Identifying properties of resources with data. Log groups and vaults are left out: each stack names them anew. */
const IDENTIFIERS: Readonly<Record<string, string>> = {
  'AWS::DynamoDB::Table': 'TableName',
  'AWS::KMS::Key': 'KeyId',
  'AWS::S3::Bucket': 'BucketName',
  'AWS::S3::BucketPolicy': 'Bucket',
};

/**
 * The retained part of the data stack, without references to roles and log groups: an import may create nothing.
 * Source: AWS CloudFormation, "Import AWS resources into a CloudFormation stack".
 * @throws Error where something was retained that the template lacks, or nothing was
 */
export const adoptionOf = (
  template: { readonly Resources: Resources },
  { StackResourceSummaries: summaries }: FormerStack,
): Adoption => {
  const retained = summaries.filter(
    ({ ResourceStatus, ResourceType }) =>
      ResourceStatus === 'DELETE_SKIPPED' && ResourceType in IDENTIFIERS,
  );
  if (retained.length === 0) throw new Error('the stack has left no table, bucket or key');
  const homeless = retained.filter(
    ({ LogicalResourceId: id, ResourceType }) => template.Resources[id]?.Type !== ResourceType,
  );
  if (homeless.length > 0) {
    const names = homeless.map(({ LogicalResourceId }) => LogicalResourceId).join(', ');
    throw new Error(
      `${names}: the template has no place for it; synthesize the release and the settings (\`signing_keys\`, \`stream\`) of before`,
    );
  }
  const ids = new Set(retained.map(({ LogicalResourceId }) => LogicalResourceId));
  const physicalIds = new Map(
    summaries.map(({ LogicalResourceId, PhysicalResourceId = '' }) => [
      LogicalResourceId,
      PhysicalResourceId,
    ]),
  );
  /** A bucket policy is identified by its bucket, not by its own physical id. */
  const identifierOf = (id: string): string => {
    const { Bucket } = (template.Resources[id]?.Properties ?? {}) as { Bucket?: { Ref?: string } };
    return physicalIds.get(Bucket?.Ref ?? id) ?? '';
  };
  return {
    template: {
      Resources: Object.fromEntries(
        Object.entries(template.Resources)
          .filter(([id]) => ids.has(id))
          .map(([id, { Type, Properties = {} }]) => [
            id,
            { Type, DeletionPolicy: 'Retain', Properties: withoutOthers(Properties, ids) },
          ]),
      ),
    },
    resourcesToImport: retained.map((one) => ({
      ResourceType: one.ResourceType,
      LogicalResourceId: one.LogicalResourceId,
      ResourceIdentifier: {
        [IDENTIFIERS[one.ResourceType] ?? '']: identifierOf(one.LogicalResourceId),
      },
    })),
  };
};

/** Drops policy statements that name roles: the next deployment adds them. */
const withoutOthers = (
  properties: Readonly<Record<string, unknown>>,
  ids: ReadonlySet<string>,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(properties).map(([name, value]) => {
      if (name !== 'KeyPolicy' && name !== 'PolicyDocument') return [name, value];
      const policy = value as { readonly Statement: readonly unknown[] };
      const Statement = policy.Statement.filter((statement) =>
        referencesIn(statement).every((id) => ids.has(id) || id.startsWith('AWS::')),
      );
      return [name, { ...policy, Statement }];
    }),
  );

const referencesIn = (value: unknown): readonly string[] => {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    key === 'Ref' || key === 'Fn::GetAtt' ? [String([member].flat()[0])] : referencesIn(member),
  );
};
