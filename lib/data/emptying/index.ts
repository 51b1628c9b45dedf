import { CustomResource, Duration, Stack } from 'aws-cdk-lib';
import { Policy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { credentialPrefix, secretsArn } from '../credentials.ts';
import { inlineCode } from '../../functions/inline-code.ts';
import { allow } from '../../permissions/statements.ts';

export interface EmptyingProps {
  readonly buckets: readonly Bucket[];
  readonly logGroup: LogGroup;
}

/**
 * Empties the buckets and removes the secrets when the stack is deleted, in stages that keep no data.
 * Source: docs/aws.md, "Leaving".
 */
export class Emptying extends Construct {
  constructor(scope: Construct, id: string, { buckets, logGroup }: EmptyingProps) {
    super(scope, id);
    const stack = Stack.of(this);
    const role = new Role(this, 'Role', {
      description: 'Hosted MCP: empties the stack of data before it goes',
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    });
    const policy = new Policy(this, 'Grants', {
      roles: [role],
      statements: [
        allow(
          'WriteOwnLogs',
          [logGroup.logGroupArn],
          ['logs:CreateLogStream', 'logs:PutLogEvents'],
        ),
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
        // It has names and tags, no values, and cannot be limited to some secrets.
        allow('FindSecrets', ['*'], ['secretsmanager:ListSecrets']),
        allow('DeleteSecrets', [secretsArn(stack)], ['secretsmanager:DeleteSecret']),
      ],
    });
    const lambda = new LambdaFunction(this, 'Function', {
      description: 'Empties the stack of data before it goes',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: Code.fromInline(handlerCode()),
      handler: 'index.handler',
      timeout: Duration.minutes(15),
      memorySize: 256,
      role,
      logGroup,
    });
    lambda.node.addDependency(policy);
    const resource = new CustomResource(this, 'Resource', {
      serviceToken: lambda.functionArn,
      serviceTimeout: Duration.minutes(15),
      resourceType: 'Custom::Emptying',
      properties: {
        Buckets: buckets.map(({ bucketName }) => bucketName),
        // What the names of all of them begin with.
        Secrets: credentialPrefix(stack),
      },
    });
    // What it works with goes after it.
    resource.node.addDependency(policy, ...buckets, logGroup);
  }
}

/** As it stands in the template. */
export const handlerCode = (): string => inlineCode(new URL('handler.ts', import.meta.url));
