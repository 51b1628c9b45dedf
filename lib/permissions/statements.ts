import { Stack } from 'aws-cdk-lib';
import { Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { IConstruct } from 'constructs';

export const allow = (
  sid: string,
  resources: string[],
  actions: string[],
  conditions: Record<string, unknown> = {},
): PolicyStatement =>
  new PolicyStatement({ sid, effect: Effect.ALLOW, resources, actions, conditions });

/** @param keys - partition keys of the items; the whole table or index if omitted */
export const allowItems = (
  sid: string,
  actions: readonly string[],
  table: string,
  keys?: readonly string[],
): PolicyStatement =>
  allow(
    sid,
    [table],
    actions.map((action) => `dynamodb:${action}`),
    keys && leadingKeys(...keys),
  );

/** Limits a grant to items with these partition keys. */
export const leadingKeys = (...patterns: readonly string[]): Record<string, unknown> => ({
  'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': patterns },
});

/** Excludes items with these partition keys. */
export const otherLeadingKeys = (...patterns: readonly string[]): Record<string, unknown> => ({
  'ForAllValues:StringNotLike': { 'dynamodb:LeadingKeys': patterns },
});

/** Limits Scan and Query to these attributes. */
export const onlyAttributes = (names: readonly string[]): Record<string, unknown> => ({
  StringEquals: { 'dynamodb:Select': 'SPECIFIC_ATTRIBUTES' },
  'ForAllValues:StringEquals': { 'dynamodb:Attributes': names },
});

/** Limits the data key to use through storage services. */
export const throughStorage = (key: IKey): Record<string, unknown> =>
  through(key, ['dynamodb', 's3']);

/** Limits a key to use through these services in the stack's region. */
export const through = (scope: IConstruct, services: readonly string[]) => {
  const { region, urlSuffix } = Stack.of(scope);
  return {
    StringEquals: {
      'kms:ViaService': services.map((service) => `${service}.${region}.${urlSuffix}`),
    },
  };
};

/** X-Ray actions have no resources. */
export const TRACE = allow('Trace', ['*'], ['xray:PutTraceSegments', 'xray:PutTelemetryRecords']);
