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

/** Only the items of one kind. */
export const leadingKeys = (...patterns: readonly string[]): Record<string, unknown> => ({
  'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': patterns },
});

/** All items but those of some kinds. */
export const otherLeadingKeys = (...patterns: readonly string[]): Record<string, unknown> => ({
  'ForAllValues:StringNotLike': { 'dynamodb:LeadingKeys': patterns },
});

/** Whole tables, but nothing of their items besides these attributes. */
export const onlyAttributes = (names: readonly string[]): Record<string, unknown> => ({
  StringEquals: { 'dynamodb:Select': 'SPECIFIC_ATTRIBUTES' },
  'ForAllValues:StringEquals': { 'dynamodb:Attributes': names },
});

/** The data key serves a function only by way of the services that store. */
export const throughStorage = (key: IKey): Record<string, unknown> =>
  through(key, ['dynamodb', 's3']);

/** A key serves only by way of these services, in the region of a stack. */
export const through = (scope: IConstruct, services: readonly string[]) => {
  const { region, urlSuffix } = Stack.of(scope);
  return {
    StringEquals: {
      'kms:ViaService': services.map((service) => `${service}.${region}.${urlSuffix}`),
    },
  };
};

/** X-Ray knows no resources. */
export const TRACE = allow('Trace', ['*'], ['xray:PutTraceSegments', 'xray:PutTelemetryRecords']);
