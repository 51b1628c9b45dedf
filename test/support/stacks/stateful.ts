import { readFileSync } from 'node:fs';
import type { Synthesized } from './synthesized.ts';

/** What CloudFormation cannot change without replacing, or deleting, what holds data. */
export interface Stateful {
  readonly type: string;
  /** Of a table, `pk HASH S, sk RANGE S`. */
  readonly keys?: string;
  /** Of a table, name to keys. */
  readonly indexes?: Readonly<Record<string, string>>;
  /** Other properties that are replaced, not changed. */
  readonly fixed?: Readonly<Record<string, string>>;
}

export type StatefulResources = Readonly<Record<string, Stateful>>;

export const RECORD = new URL('../../lib/stateful-resources.json', import.meta.url);
export const HOW_TO_RECORD = 'node test/support/stacks/record-stateful.ts';

export const recorded = (): StatefulResources =>
  JSON.parse(readFileSync(RECORD, 'utf8')) as StatefulResources;

/** By type: what replaces a resource of it. Source: AWS CloudFormation, "Template reference". */
const FIXED: Readonly<Record<string, readonly string[]>> = {
  'AWS::DynamoDB::Table': ['TableName'],
  'AWS::S3::Bucket': ['BucketName'],
  'AWS::KMS::Key': ['KeySpec', 'KeyUsage', 'MultiRegion'],
  'AWS::Logs::LogGroup': ['LogGroupName'],
  'AWS::Backup::BackupVault': ['BackupVaultName', 'EncryptionKeyArn'],
  'AWS::IAM::Role': ['RoleName', 'Path'],
};

/** The stateful resources of a synthesis by logical id, as they are recorded. */
export const statefulIn = ({ data, service }: Synthesized): StatefulResources =>
  Object.fromEntries(
    [data, service]
      .flatMap((template) => Object.entries(template.toJSON()['Resources'] as Resources))
      .filter(([, { Type }]) => Type in FIXED)
      .map(([id, resource]) => [id, statefulOf(resource)] as const)
      .toSorted(([one], [other]) => one.localeCompare(other)),
  );

type Resources = Record<string, { readonly Type: string; readonly Properties?: Properties }>;
type Properties = Readonly<Record<string, unknown>> & {
  readonly KeySchema?: KeySchema;
  readonly AttributeDefinitions?: readonly { AttributeName: string; AttributeType: string }[];
  readonly GlobalSecondaryIndexes?: readonly { IndexName: string; KeySchema: KeySchema }[];
};
type KeySchema = readonly { readonly AttributeName: string; readonly KeyType: string }[];

const statefulOf = ({ Type, Properties = {} }: Resources[string]): Stateful => {
  const fixed = (FIXED[Type] ?? []).filter((name) => Properties[name] !== undefined);
  const typeOf = Object.fromEntries(
    (Properties.AttributeDefinitions ?? []).map((one) => [one.AttributeName, one.AttributeType]),
  );
  const keysOf = (schema: KeySchema) =>
    schema.map((key) => `${key.AttributeName} ${key.KeyType} ${typeOf[key.AttributeName]}`).join();
  const { KeySchema: keys, GlobalSecondaryIndexes: indexes = [] } = Properties;
  return {
    type: Type,
    ...(keys && {
      keys: keysOf(keys),
      indexes: Object.fromEntries(indexes.map((one) => [one.IndexName, keysOf(one.KeySchema)])),
    }),
    ...(fixed.length > 0 && {
      fixed: Object.fromEntries(fixed.map((name) => [name, text(Properties[name])])),
    }),
  };
};

const text = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

/**
 * What a change of the template would do to what is there.
 *
 * @returns `faults`, which lose data or fail the deployment, and `changes`, which want to be recorded
 */
export const changesOf = (
  before: StatefulResources,
  after: StatefulResources,
): { readonly faults: readonly string[]; readonly changes: readonly string[] } => {
  const faults: string[] = [];
  const changes: string[] = [];
  for (const [id, was] of Object.entries(before)) {
    const is = after[id];
    if (!is) faults.push(`${id} (${was.type}) is gone: the service would lose what it holds`);
    else faults.push(...replacements(id, was, is), ...indexFaults(id, was, is));
    if (is) changes.push(...indexChanges(id, was, is));
  }
  for (const [id, { type }] of Object.entries(after)) {
    if (!before[id]) changes.push(`${id} (${type}) is new`);
  }
  return { faults, changes };
};

const replacements = (id: string, was: Stateful, is: Stateful): string[] => [
  ...(was.type === is.type ? [] : [`${id} was ${was.type} and is ${is.type}`]),
  ...(was.keys === is.keys
    ? []
    : [
        `${id} has the keys ${is.keys} instead of ${was.keys}: another, empty table takes its place`,
      ]),
  ...(JSON.stringify(was.fixed) === JSON.stringify(is.fixed)
    ? []
    : [`${id} has another name or kind: another, empty resource takes its place`]),
];

const indexFaults = (id: string, was: Stateful, is: Stateful): string[] => {
  const changed = Object.entries(was.indexes ?? {}).filter(
    ([name, keys]) => is.indexes?.[name] !== undefined && is.indexes[name] !== keys,
  );
  const updates = indexChanges(id, was, is);
  return [
    ...changed.map(([name]) => `the index ${name} of ${id} has other keys: give it another name`),
    ...(updates.length > 1
      ? [
          `DynamoDB makes or removes one index of a table with each update, and ${id} has ${updates.length}: deploy them one after the other`,
        ]
      : []),
  ];
};

const indexChanges = (id: string, was: Stateful, is: Stateful): string[] => {
  const [old, now] = [Object.keys(was.indexes ?? {}), Object.keys(is.indexes ?? {})];
  return [
    ...now.filter((name) => !old.includes(name)).map((name) => `${id} has the new index ${name}`),
    ...old.filter((name) => !now.includes(name)).map((name) => `${id} loses the index ${name}`),
  ];
};
