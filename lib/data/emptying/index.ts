import { Aws, CustomResource, Duration, Stack } from 'aws-cdk-lib';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { credentialPrefix, secretsArn } from '../credentials.ts';
import { inlineCode } from '../../functions/inline-code.ts';
import { inlineFunction } from '../../inline-function.ts';
import { allow } from '../../permissions/statements.ts';

export interface EmptyingProps {
  readonly buckets: readonly Bucket[];
  readonly logGroup: LogGroup;
}

/** Empties stages that keep no data. Source: docs/aws.md, "Deleting a stage". */
export class Emptying extends Construct {
  constructor(scope: Construct, id: string, { buckets, logGroup }: EmptyingProps) {
    super(scope, id);
    const stack = Stack.of(this);
    const props = {
      description: 'Empties the stack of data before it goes',
      timeout: Duration.minutes(15),
      memorySize: 256,
      logGroup,
    };
    const { lambda, policy } = inlineFunction(this, handlerCode(), props, [
      allow('ReadStackStatus', [Aws.STACK_ID], ['cloudformation:DescribeStacks']),
      allow(
        'ListFiles',
        buckets.map(({ bucketArn }) => bucketArn),
        ['s3:ListBucketVersions'],
      ),
      allow(
        'DeleteFiles',
        buckets.map((bucket) => bucket.arnForObjects('*')),
        ['s3:DeleteObjectVersion'],
      ),
      // ListSecrets returns names and tags, no values, and cannot be limited to some secrets.
      allow('FindSecrets', ['*'], ['secretsmanager:ListSecrets']),
      allow('DeleteSecrets', [secretsArn(stack)], ['secretsmanager:DeleteSecret']),
    ]);
    const resource = new CustomResource(this, 'Resource', {
      serviceToken: lambda.functionArn,
      serviceTimeout: Duration.minutes(15),
      resourceType: 'Custom::Emptying',
      properties: {
        Buckets: buckets.map(({ bucketName }) => bucketName),
        Secrets: credentialPrefix(stack),
      },
    });
    // The custom resource is deleted before everything it uses.
    resource.node.addDependency(policy, ...buckets, logGroup);
  }
}

export const handlerCode = (): string => inlineCode(new URL('handler.ts', import.meta.url));
