import { type CfnResource, CfnResource as Resource, type Stack, Validations } from 'aws-cdk-lib';
import { credentialPrefix } from './credentials.ts';
import type { DataStack } from './data-stack.ts';
import type { ServiceStack } from './service-stack.ts';

/** A rule that some resources do not follow, and why that is right. */
interface Reason {
  readonly rules: readonly string[];
  /** Of CloudFormation. */
  readonly type: string;
  /** A part of the path of those that are meant; all of the type otherwise. */
  readonly path?: RegExp;
  readonly reason: string;
}

/**
 * Every rule of the packs that some resource does not follow, for a reviewer to read.
 * Source: docs/aws.md, "Rules of reviewers".
 */
const reasons = (files: string, secrets: string): readonly Reason[] => [
  {
    rules: ['AwsSolutions-S1'],
    type: 'AWS::S3::Bucket',
    reason:
      'No log of requests is kept for this bucket: it would need a second bucket. Who wants one has CloudTrail record data events of S3, with the role that made each request.',
  },
  {
    rules: ['AwsSolutions-APIG4'],
    type: 'AWS::ApiGatewayV2::Route',
    reason:
      'The gateway authorizes nothing: functions do, route by route, since MCP asks for a challenge that an authorizer cannot give, and since metadata, sign-in and deployments of mode none are public.',
  },
  {
    rules: ['AwsSolutions-SQS3'],
    type: 'AWS::SQS::Queue',
    reason: 'This queue is itself where events go that failed at last.',
  },
  {
    rules: [`AwsSolutions-IAM5[Resource::${secrets}/*]`],
    type: 'AWS::IAM::Policy',
    path: /\/(?:Management|Maintenance|Credentials)\//,
    reason: 'The secrets below one prefix: their names are the ids of deployments.',
  },
  {
    rules: [`AwsSolutions-IAM5[Resource::${files}/deployments/*]`],
    type: 'AWS::IAM::Policy',
    path: /\/(?:Management|Maintenance|Router)\//,
    reason: 'The objects below deployments/ of one bucket: their names are those of deployments.',
  },
  {
    rules: [`AwsSolutions-IAM5[Resource::${files}/answers/*]`],
    type: 'AWS::IAM::Policy',
    path: /\/Router\//,
    reason: 'The objects below answers/ of one bucket: their names are made by chance.',
  },
];

export const acknowledgeRules = (data: DataStack, service: ServiceStack): void => {
  const resources = [...resourcesOf(data), ...resourcesOf(service)];
  for (const { rules, type, path, reason } of reasons(bucketArn(data), secretsArn(data))) {
    for (const resource of resources) {
      if (resource.cfnResourceType !== type || path?.test(resource.node.path) === false) continue;
      Validations.of(resource).acknowledge(...rules.map((id) => ({ id, reason })));
    }
  }
};

const resourcesOf = (stack: Stack): readonly CfnResource[] =>
  stack.node.findAll().filter((node) => Resource.isCfnResource(node));

/** The rules write unresolved values in a form of their own. */
const secretsArn = (data: DataStack): string =>
  `arn:<AWS::Partition>:secretsmanager:<AWS::Region>:<AWS::AccountId>:secret:${credentialPrefix(data)}`;

/** The name of the output is made from the bucket's logical id, which never changes. */
const bucketArn = (data: DataStack): string =>
  JSON.stringify({
    'Fn::GetStackOutput': {
      StackName: data.stackName,
      Region: { Ref: 'AWS::Region' },
      OutputName: 'PublishOutputFnGetAttDataDescriptionsBF9DD5F1ArnF0F26126',
    },
  });
