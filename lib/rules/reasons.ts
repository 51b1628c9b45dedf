import { Stack } from 'aws-cdk-lib';
import type { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import type { BucketName } from '../../lambdas/storage-manifest.ts';
import { edgeReasons } from '../edge/reasons.ts';
import type { Reason } from './reason.ts';
import type { Stage } from '../stage/stage.ts';

/** ARNs in the rules' notation. */
export interface RuleArns extends Readonly<Record<BucketName, string>> {
  readonly secrets: string;
  readonly kmsKeys: string;
  readonly tables: string;
  readonly networkInterfaces: string;
  readonly ec2: string;
}

/** Rules that some resource does not follow, with reasons. Source: docs/aws.md, "Rules of reviewers". */
export const reasons = (
  arns: RuleArns,
  stage: Pick<
    Stage,
    'assumableRoles' | 'credentialStore' | 'edge' | 'credentialStoreFormer' | 'stream' | 'traces'
  >,
): readonly Reason[] => [
  ...edgeReasons(stage),
  {
    rules: ['AwsSolutions-S1', 'NIST.800.53.R5-S3BucketLoggingEnabled'],
    type: 'AWS::S3::Bucket',
    reason:
      'No log of requests is kept for this bucket: it would need a second bucket. Who wants one has CloudTrail record data events of S3, with the role that made each request.',
  },
  {
    rules: ['NIST.800.53.R5-S3BucketReplicationEnabled'],
    type: 'AWS::S3::Bucket',
    reason:
      'The service and its tables are in one region, so that files in another would serve nobody. Former versions of descriptions are kept for 35 days.',
  },
  {
    rules: ['NIST.800.53.R5-S3BucketVersioningEnabled'],
    type: 'AWS::S3::Bucket',
    path: /\/Answers\//,
    reason:
      'Answers of target APIs serve for ten minutes, and nothing of them is kept longer than a day.',
  },
  {
    rules: [
      'AwsSolutions-DDB3',
      'NIST.800.53.R5-DynamoDBPITREnabled',
      'NIST.800.53.R5-DynamoDBInBackupPlan',
    ],
    type: 'AWS::DynamoDB::Table',
    path: /\/(?:Calls|Connections|Limits|RecordedCalls)\//,
    reason:
      'Counters fill up by themselves, tokens are asked for again, calls are in the log of the router, too, and what is recorded of them is to end: copies would cost more than the table and keep addresses of callers longer than is promised.',
  },
  {
    rules: ['NIST.800.53.R5-DynamoDBInBackupPlan'],
    type: 'AWS::DynamoDB::Table',
    path: /\/Data\/(?!Calls|Connections|Limits|RecordedCalls)/,
    when: (resource) => Stack.of(resource).node.tryFindChild('Backup') === undefined,
    reason:
      'Tables can be restored to any second of the last 35 days, and this stage keeps nothing beyond that: `backup` does.',
  },
  {
    rules: [
      'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSBackupServiceRolePolicyForBackup]',
      'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/AWSBackupServiceRolePolicyForS3Backup]',
    ],
    type: 'AWS::IAM::Role',
    path: /\/Backup\//,
    reason:
      'Only AWS Backup may take this role, and AWS alone knows what it calls to make a backup; the plan says of what.',
  },
  {
    rules: [
      `AwsSolutions-IAM5[Resource::${arns.tables}]`,
      'AwsSolutions-IAM5[Resource::<DataDescriptionsBF9DD5F1.Arn>/*]',
    ],
    type: 'AWS::IAM::Policy',
    path: /\/Restore\//,
    reason:
      'Only AWS Backup may take this role, to bring back what tables and files of this stage have held, under whatever name.',
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
    path: /\/(?:UndeliveredCommands|UnsentMails|Untallied)\//,
    reason: 'This queue is itself where events go that failed; an alarm tells of them.',
  },
  {
    rules: ['Serverless-SQSRedrivePolicy'],
    type: 'AWS::SQS::Queue',
    path: /\/(?:UndeliveredCommands|UnsentMails|UnstorableCalls|Untallied)\//,
    reason:
      'What is in this queue has failed at last: `hosted-mcp admin redrive` gives it on once more.',
  },
  {
    rules: ['NIST.800.53.R5-SNSEncryptedKMS'],
    type: 'AWS::SNS::Topic',
    reason:
      'Messages are names and states of alarms. A key of ours would have to let CloudWatch as a whole in, and the data key is the only one that could.',
  },
  {
    rules: ['NIST.800.53.R5-CloudWatchAlarmAction'],
    type: 'AWS::CloudWatch::Alarm',
    path: /\/Releases\//,
    reason:
      'It tells CodeDeploy, which asks for it while a release is under way. Whoever deploys hears of a release that goes back; at any other time it means nothing that other alarms do not tell.',
  },
  {
    rules: ['NIST.800.53.R5-IAMNoInlinePolicy'],
    type: 'AWS::IAM::Policy',
    reason:
      'Each policy is of this one role and ends with its function: nobody else can be given it.',
  },
  {
    rules: ['Serverless-LambdaDLQ', 'NIST.800.53.R5-LambdaDLQ'],
    type: 'AWS::Lambda::Function',
    path: /\/(?:Router|Oauth|Management|Credentials|Connections|Identity|Console|Networks\/[^/]+)\//,
    reason: 'It is invoked by callers that wait for the answer, and who waits hears of a failure.',
  },
  {
    rules: ['Serverless-LambdaDLQ', 'NIST.800.53.R5-LambdaDLQ'],
    type: 'AWS::Lambda::Function',
    path: /\/(?:Mails|Activity)\//,
    reason:
      'Events are for its alias, which has a destination for those that failed; nothing invokes the function without it.',
  },
  {
    rules: ['Serverless-LambdaDLQ', 'NIST.800.53.R5-LambdaDLQ'],
    type: 'AWS::Lambda::Function',
    path: /\/Tally\//,
    reason:
      'Each minute does again what the one before has not done, and an alarm tells of runs that fail: an event that was lost says nothing.',
  },
  {
    rules: ['Serverless-LambdaDLQ', 'NIST.800.53.R5-LambdaDLQ'],
    type: 'AWS::Lambda::Function',
    path: /\/Maintenance\//,
    reason:
      'Schedules send its commands: one that fails is logged, and the next hour or day there is another, which goes on where it broke off. What was not delivered waits in a queue.',
  },
  {
    rules: ['Serverless-LambdaDLQ', 'NIST.800.53.R5-LambdaDLQ', 'NIST.800.53.R5-LambdaConcurrency'],
    type: 'AWS::Lambda::Function',
    path: /\/Emptying\//,
    reason:
      'CloudFormation invokes it, once when the stack is made and once when it goes, and waits for what it says.',
  },
  {
    rules: ['Serverless-LambdaDLQ', 'NIST.800.53.R5-LambdaDLQ', 'NIST.800.53.R5-LambdaConcurrency'],
    type: 'AWS::Lambda::Function',
    path: /\/Canary\//,
    reason:
      'It runs once in five minutes. A walk that failed is told by an alarm, and the next one comes by itself.',
  },
  {
    rules: ['Serverless-LambdaAsyncFailureDestination'],
    type: 'AWS::Lambda::EventInvokeConfig',
    path: /\/Canary\//,
    reason: 'What it is sent is always the same: nobody would look at a walk that failed.',
  },
  {
    rules: ['Serverless-LambdaAsyncFailureDestination'],
    type: 'AWS::Lambda::EventInvokeConfig',
    path: /\/Schedules\/Tally\//,
    reason: 'What it is sent is always the same, and the next minute it is sent again.',
  },
  {
    rules: ['Serverless-EventBusDLQ'],
    type: 'AWS::Events::Rule',
    path: /\/Schedules\/Tally\//,
    reason: 'What it is sent is always the same, and the next minute it is sent again.',
  },
  {
    rules: ['NIST.800.53.R5-LambdaInsideVPC'],
    type: 'AWS::Lambda::Function',
    when: (resource) => (resource as CfnFunction).vpcConfig === undefined,
    reason:
      'It reaches AWS and public addresses of others, over TLS alone, and nothing private. In a VPC it would need a NAT gateway for them.',
  },
  {
    rules: ['Serverless-LambdaTracing'],
    type: 'AWS::Lambda::Function',
    when: (resource) => (resource as CfnFunction).tracingConfig === undefined,
    reason:
      'Traces need xray:PutTraceSegments, which no resource can limit, and are paid for. Log lines of a request have its id instead; `traces` of the stage switches them on.',
  },
  {
    rules: ['AwsSolutions-IAM5[Resource::*]'],
    type: 'AWS::IAM::Policy',
    path: /\/Functions\/(?!TallyItself)/,
    when: () => stage.traces === 'xray',
    reason: 'X-Ray takes segments without a resource; a function may send them and read nothing.',
  },
  {
    rules: ['NIST.800.53.R5-LambdaConcurrency'],
    type: 'AWS::Lambda::Function',
    path: /\/(?:Functions|Networks)\//,
    when: (resource) => (resource as CfnFunction).reservedConcurrentExecutions === undefined,
    reason:
      'This stage reserves nothing for it: a new account may run ten functions at once, of which AWS reserves none. `reserved_concurrency` and `executions` of a network do.',
  },
  {
    rules: ['Serverless-LambdaEventSourceMappingDestination'],
    type: 'AWS::Lambda::EventSourceMapping',
    reason: 'A source that is a queue takes no destination: what fails stays in the queue.',
  },
  {
    rules: [`AwsSolutions-IAM5[Resource::${arns.secrets}*/*]`],
    type: 'AWS::IAM::Policy',
    path: /\/(?:Management|Maintenance)\//,
    when: () => [stage.credentialStore, stage.credentialStoreFormer].includes('secrets-manager'),
    reason: 'The secrets below two prefixes: their names are the ids of deployments.',
  },
  {
    rules: [`AwsSolutions-IAM5[Resource::${arns.secrets}/*]`],
    type: 'AWS::IAM::Policy',
    path: /\/Credentials\//,
    when: () => [stage.credentialStore, stage.credentialStoreFormer].includes('secrets-manager'),
    reason: 'The secrets below one prefix: their names are the ids of deployments.',
  },
  {
    rules: [`AwsSolutions-IAM5[Resource::${arns.secrets}-connected/*]`],
    type: 'AWS::IAM::Policy',
    path: /\/Connections\//,
    when: () => [stage.credentialStore, stage.credentialStoreFormer].includes('secrets-manager'),
    reason: 'The secrets below one prefix: their names are the ids of deployments.',
  },
  {
    rules: stage.assumableRoles
      .filter((role) => role.endsWith('*'))
      .map((role) => `AwsSolutions-IAM5[Resource::${role}]`),
    type: 'AWS::IAM::Policy',
    path: /\/Connections\//,
    reason:
      'The roles below one path of an account, which `assumable_roles` says: each trusts this function by a policy of its own, for one deployment alone.',
  },
  {
    rules: [`AwsSolutions-IAM5[Resource::${arns.descriptions}/deployments/*]`],
    type: 'AWS::IAM::Policy',
    path: /\/(?:Management|Maintenance|Router)\//,
    reason: 'The objects below deployments/ of one bucket: their names are those of deployments.',
  },
  {
    rules: [`AwsSolutions-IAM5[Resource::${arns.kmsKeys}]`],
    type: 'AWS::IAM::Policy',
    path: /\/LinesOut\/Grants/,
    when: () => stage.stream?.to !== 'own',
    reason:
      'The key of a stream of the team, which its ARN does not name: by way of that service alone, and the policy of the key decides.',
  },
  {
    rules: ['AwsSolutions-IAM5[Resource::<StreamLinesC77CF127.Arn>/*]'],
    type: 'AWS::IAM::Policy',
    path: /\/Emptying\//,
    when: () => stage.stream?.to === 'own',
    reason: 'It removes all objects of this bucket, too.',
  },
  {
    rules: ['AwsSolutions-IAM5[Resource::<StreamLinesC77CF127.Arn>/*]'],
    type: 'AWS::IAM::Policy',
    path: /\/Stream\/Grants\//,
    reason:
      'Firehose names its files by the day and the second, and that bucket has nothing else in it.',
  },
  {
    rules: [`AwsSolutions-IAM5[Resource::${arns.answers}/*]`],
    type: 'AWS::IAM::Policy',
    path: /\/Router\//,
    reason: 'The objects of one bucket: their names are made by chance.',
  },
  {
    rules: [
      'AwsSolutions-IAM5[Resource::<DataDescriptionsBF9DD5F1.Arn>/*]',
      'AwsSolutions-IAM5[Resource::<DataAnswers03C97AB5.Arn>/*]',
      `AwsSolutions-IAM5[Resource::${arns.secrets}*/*]`,
    ],
    type: 'AWS::IAM::Policy',
    path: /\/Emptying\//,
    reason:
      'It removes all objects of these two buckets, and all secrets below one prefix, before the stack goes.',
  },
  {
    rules: ['AwsSolutions-IAM5[Resource::*]'],
    type: 'AWS::IAM::Policy',
    path: /\/Releases\//,
    reason:
      'CodeDeploy asks for the state of alarms with cloudwatch:DescribeAlarms, for which AWS gives it all of them, too.',
  },
  {
    rules: [
      'AwsSolutions-IAM5[Resource::*]',
      `AwsSolutions-IAM5[Resource::${arns.networkInterfaces}]`,
      `AwsSolutions-IAM5[Resource::${arns.ec2}]`,
    ],
    type: 'AWS::IAM::Policy',
    path: /\/Networks\//,
    reason: INTERFACES,
  },
  {
    rules: [
      'AwsSolutions-IAM5[Resource::*]',
      `AwsSolutions-IAM5[Resource::${arns.networkInterfaces}]`,
      `AwsSolutions-IAM5[Resource::${arns.ec2}]`,
    ],
    type: 'AWS::IAM::ManagedPolicy',
    path: /\/Egress\//,
    reason: INTERFACES,
  },
  {
    rules: ['AwsSolutions-IAM5[Resource::*]'],
    type: 'AWS::IAM::Policy',
    path: /\/Emptying\//,
    reason:
      'secretsmanager:ListSecrets takes no resource. It gives names, not values; the function looks for those below its prefix.',
  },
];

const INTERFACES =
  'Lambda makes, finds and removes the network interfaces of the functions with this policy, under names that nobody knows before; what only looks takes no resource. All of it is denied to the code of the functions.';
