import { ACCOUNT_ID, arnOf } from '../../../local/aws/account.ts';
import { roleArn } from '../../../local/aws/iam/evaluate.ts';
import type { Access, Context } from '../../../local/aws/iam/policy.ts';
import {
  functionOf,
  keyIn,
  logGroup,
  named,
  nameOf,
  type Placed,
  property,
} from '../stacks/physical-names.ts';
import { textOf } from '../stacks/template-graph.ts';

/**
 * What CloudFormation calls to make, read, change and remove a resource, with the properties that ours have.
 *
 * @throws Error for a type that is not in the table
 *
 * Source: the permissions of handlers in the schemas of resource types ("CloudFormation registry"), and the
 * Service Authorization Reference for the resources that each action is held against.
 */
export const callsFor = (placed: Placed): readonly Access[] => {
  const calls = CALLS[placed.resource.Type];
  if (!calls) {
    throw new Error(
      `${placed.resource.Type}: write in test/support/aws/cloudformation-calls.ts what CloudFormation calls for it`,
    );
  }
  return calls(placed).flatMap(([resource, service, actions, context = {}]) =>
    actions.split(' ').map((action) => ({ action: `${service}:${action}`, resource, context })),
  );
};

type Call = readonly [resource: string, service: string, actions: string, context?: Context];
type Calls = (placed: Placed) => readonly Call[];

/** A role is handed to a service. */
const pass = (placed: Placed, role: unknown, service: string): Call => [
  roleArn(named(role, placed)),
  'iam',
  'PassRole',
  { 'iam:PassedToService': `${service}.amazonaws.com` },
];

const tagContext = (placed: Placed, key: 'RequestTag' | 'ResourceTag'): Context =>
  Object.fromEntries(
    ((property(placed, 'Tags') ?? []) as { Key: string; Value: string }[]).map(({ Key, Value }) => [
      `aws:${key}/${Key}`,
      Value,
    ]),
  );

/** By the service, in the name of whoever makes the resource. */
const encrypted = ({ region }: Placed, key: unknown, service: string, actions: string): Call => [
  keyIn(region, key),
  'kms',
  actions,
  { 'kms:ViaService': `${service}.${region}.amazonaws.com`, 'kms:CallerAccount': '000000000000' },
];

const BUNDLE: Call = [
  'arn:aws:s3:::cdk-hnb659fds-assets-000000000000-eu-central-1/1a.zip',
  's3',
  'GetObject',
];
const BOUNDARY = {
  'iam:PermissionsBoundary': 'arn:aws:iam::000000000000:policy/HostedMcpBoundary',
};

/** Lambda looks whether whoever makes the function may know its subnets and groups; CloudFormation waits for interfaces. */
const inNetwork = (placed: Placed): readonly Call[] =>
  property(placed, 'VpcConfig') === undefined
    ? []
    : [
        [
          '*',
          'ec2',
          'DescribeSecurityGroups DescribeSubnets DescribeVpcs DescribeNetworkInterfaces',
        ],
      ];

/** Calls on the resource itself alone, which is named as CloudFormation does, or as AWS does. */
const own =
  (service: string, rest: string, actions: string): Calls =>
  (placed) => [
    [arnOf(service, placed.region, rest.replace('NAME', nameOf(placed))), service, actions],
  ];

const ofFunction =
  (actions: string): Calls =>
  (placed) => [[functionOf(placed, 'FunctionName'), 'lambda', actions]];

const ofLogGroup =
  (actions: string): Calls =>
  (placed) => [[logGroup(placed), 'logs', actions]];

const gateway =
  (path: string): Calls =>
  (placed) => [
    [`arn:aws:apigateway:${placed.region}::${path}`, 'apigateway', 'POST'],
    [`arn:aws:apigateway:${placed.region}::${path}/a1b2c3`, 'apigateway', 'GET PATCH PUT DELETE'],
    [`arn:aws:apigateway:${placed.region}::/tags/arn`, 'apigateway', 'PUT TagResource'],
  ];

const cloudFront = (path: string, actions: string): readonly Call[] => [
  [`arn:aws:cloudfront::000000000000:${path}`, 'cloudfront', actions],
];

const CALLS: Readonly<Record<string, Calls | undefined>> = {
  'AWS::ApiGatewayV2::Api': gateway('/apis'),
  'AWS::ApiGatewayV2::ApiMapping': gateway('/domainnames/mcp.acme.com/apimappings'),
  'AWS::ApiGatewayV2::DomainName': gateway('/domainnames'),
  'AWS::ApiGatewayV2::Integration': gateway('/apis/a1b2c3/integrations'),
  'AWS::ApiGatewayV2::Route': gateway('/apis/a1b2c3/routes'),
  'AWS::ApiGatewayV2::Stage': (placed) => [
    ...gateway('/apis/a1b2c3/stages')(placed),
    [
      '*',
      'logs',
      'CreateLogDelivery DeleteLogDelivery DescribeLogGroups DescribeResourcePolicies GetLogDelivery ListLogDeliveries PutResourcePolicy UpdateLogDelivery',
    ],
  ],
  'AWS::Backup::BackupPlan': own(
    'backup',
    'backup-plan:1a2b3c',
    'CreateBackupPlan GetBackupPlan UpdateBackupPlan DeleteBackupPlan ListTags TagResource UntagResource',
  ),
  'AWS::Backup::BackupSelection': (placed) => {
    const { IamRoleArn } = property(placed, 'BackupSelection') as { readonly IamRoleArn: unknown };
    return [
      [
        arnOf('backup', placed.region, 'backup-plan:1a2b3c'),
        'backup',
        'CreateBackupSelection GetBackupSelection DeleteBackupSelection',
      ],
      [roleArn(named(IamRoleArn, placed)), 'iam', 'GetRole'],
      pass(placed, IamRoleArn, 'backup'),
      [
        'arn:aws:iam::000000000000:role/aws-service-role/backup.amazonaws.com/AWSServiceRoleForBackup',
        'iam',
        'CreateServiceLinkedRole',
        { 'iam:AWSServiceName': 'backup.amazonaws.com' },
      ],
    ];
  },
  'AWS::Budgets::Budget': (placed) => [
    [
      `arn:aws:budgets::${ACCOUNT_ID}:budget/${(property(placed, 'Budget') as { readonly BudgetName: string }).BudgetName}`,
      'budgets',
      'ModifyBudget ViewBudget ListTagsForResource TagResource UntagResource',
    ],
  ],
  'AWS::Backup::BackupVault': (placed) => [
    [
      arnOf('backup', placed.region, `backup-vault:${placed.stackName}-1a2b3c4d`),
      'backup',
      'CreateBackupVault DescribeBackupVault DeleteBackupVault GetBackupVaultAccessPolicy GetBackupVaultNotifications PutBackupVaultAccessPolicy PutBackupVaultLockConfiguration DeleteBackupVaultLockConfiguration ListTags TagResource UntagResource',
    ],
    ['*', 'backup-storage', 'Mount MountCapsule'],
    encrypted(
      placed,
      property(placed, 'EncryptionKeyArn'),
      'backup',
      'CreateGrant GenerateDataKey Decrypt RetireGrant DescribeKey',
    ),
  ],
  'AWS::CloudFront::CachePolicy': () =>
    cloudFront(
      'cache-policy/E1A2B3',
      'CreateCachePolicy GetCachePolicy UpdateCachePolicy DeleteCachePolicy',
    ),
  'AWS::CloudFront::Distribution': () =>
    cloudFront(
      'distribution/E1A2B3',
      'CreateDistribution GetDistribution GetDistributionConfig UpdateDistribution DeleteDistribution ListTagsForResource TagResource UntagResource',
    ),
  'AWS::CloudFront::Function': (placed) =>
    cloudFront(
      `function/${textOf(property(placed, 'Name'))}`,
      'CreateFunction DescribeFunction GetFunction PublishFunction UpdateFunction DeleteFunction ListTagsForResource TagResource UntagResource',
    ),
  'AWS::CloudFront::OriginRequestPolicy': () =>
    cloudFront(
      'origin-request-policy/E1A2B3',
      'CreateOriginRequestPolicy GetOriginRequestPolicy UpdateOriginRequestPolicy DeleteOriginRequestPolicy',
    ),
  'AWS::CloudWatch::Alarm': (placed) => [
    [
      arnOf('cloudwatch', placed.region, `alarm:${nameOf(placed)}`),
      'cloudwatch',
      'PutMetricAlarm DeleteAlarms ListTagsForResource TagResource UntagResource',
    ],
    ['*', 'cloudwatch', 'DescribeAlarms'],
  ],
  'AWS::CloudWatch::Dashboard': ({ resource, region }) => [
    [
      `arn:aws:cloudwatch::000000000000:dashboard/${textOf(resource.Properties?.['DashboardName'])?.replace('${AWS::Region}', region)}`,
      'cloudwatch',
      'PutDashboard GetDashboard DeleteDashboards',
    ],
  ],
  'AWS::CodeDeploy::Application': own(
    'codedeploy',
    'application:NAME',
    'CreateApplication GetApplication DeleteApplication ListTagsForResource TagResource UntagResource',
  ),
  'AWS::CodeDeploy::DeploymentGroup': (placed) => {
    const application = named(property(placed, 'ApplicationName'), placed);
    const config = textOf(property(placed, 'DeploymentConfigName'));
    return [
      [
        arnOf('codedeploy', placed.region, `deploymentgroup:${application}/${nameOf(placed)}`),
        'codedeploy',
        'CreateDeploymentGroup GetDeploymentGroup UpdateDeploymentGroup DeleteDeploymentGroup ListTagsForResource TagResource UntagResource CreateDeployment GetDeployment StopDeployment',
      ],
      [
        arnOf('codedeploy', placed.region, `application:${application}`),
        'codedeploy',
        'GetApplicationRevision RegisterApplicationRevision',
      ],
      [
        arnOf('codedeploy', placed.region, `deploymentconfig:${config}`),
        'codedeploy',
        'GetDeploymentConfig',
      ],
      pass(placed, property(placed, 'ServiceRoleArn'), 'codedeploy'),
    ];
  },
  'AWS::DynamoDB::Table': (placed) => {
    const { KMSMasterKeyId } = property(placed, 'SSESpecification') as Record<string, unknown>;
    return [
      [
        arnOf('dynamodb', placed.region, `table/${nameOf(placed)}`),
        'dynamodb',
        'CreateTable DescribeTable UpdateTable DeleteTable DescribeTimeToLive UpdateTimeToLive DescribeContinuousBackups UpdateContinuousBackups DescribeContributorInsights DescribeKinesisStreamingDestination GetResourcePolicy ListTagsOfResource TagResource UntagResource',
      ],
      encrypted(placed, KMSMasterKeyId, 'dynamodb', 'CreateGrant Decrypt Encrypt DescribeKey'),
    ];
  },
  'AWS::Events::Rule': own(
    'events',
    'rule/NAME',
    'PutRule DescribeRule DeleteRule PutTargets ListTargetsByRule RemoveTargets ListTagsForResource TagResource UntagResource',
  ),
  'AWS::IAM::ManagedPolicy': (placed) => {
    const policy = `arn:aws:iam::000000000000:policy/${nameOf(placed)}`;
    return [
      [
        policy,
        'iam',
        'CreatePolicy GetPolicy DeletePolicy CreatePolicyVersion GetPolicyVersion ListPolicyVersions DeletePolicyVersion ListEntitiesForPolicy',
      ],
      ...(property(placed, 'Roles') as readonly unknown[]).flatMap((role): readonly Call[] => [
        [
          roleArn(named(role, placed)),
          'iam',
          'AttachRolePolicy',
          { ...BOUNDARY, 'iam:PolicyARN': policy },
        ],
        [roleArn(named(role, placed)), 'iam', 'DetachRolePolicy'],
      ]),
    ];
  },
  'AWS::IAM::Policy': (placed) =>
    (property(placed, 'Roles') as readonly unknown[]).flatMap((role): readonly Call[] => [
      [roleArn(named(role, placed)), 'iam', 'PutRolePolicy', BOUNDARY],
      [roleArn(named(role, placed)), 'iam', 'GetRolePolicy DeleteRolePolicy'],
    ]),
  'AWS::IAM::Role': (placed) => {
    const arn = roleArn(nameOf(placed));
    const attached = (property(placed, 'ManagedPolicyArns') ?? []) as readonly unknown[];
    return [
      [arn, 'iam', 'CreateRole PutRolePermissionsBoundary', BOUNDARY],
      [
        arn,
        'iam',
        'GetRole UpdateRole UpdateRoleDescription UpdateAssumeRolePolicy DeleteRole ListAttachedRolePolicies ListRolePolicies DetachRolePolicy TagRole UntagRole',
      ],
      ...attached.map((policy): Call => {
        const text = textOf(policy)?.replace(/\$\{[^}]+\}/, 'aws') ?? '';
        return [arn, 'iam', 'AttachRolePolicy', { ...BOUNDARY, 'iam:PolicyARN': text }];
      }),
    ];
  },
  'AWS::KMS::Key': (placed) => {
    const arn = keyIn(placed.region, { Ref: placed.id });
    return [
      ['*', 'kms', 'CreateKey', tagContext(placed, 'RequestTag')],
      [
        arn,
        'kms',
        'DescribeKey EnableKeyRotation GetKeyPolicy GetKeyRotationStatus ListResourceTags TagResource',
      ],
      [
        arn,
        'kms',
        'DisableKeyRotation EnableKey PutKeyPolicy ScheduleKeyDeletion UntagResource UpdateKeyDescription',
        tagContext(placed, 'ResourceTag'),
      ],
    ];
  },
  'AWS::KinesisFirehose::DeliveryStream': (placed) => {
    const { RoleARN } = property(placed, 'ExtendedS3DestinationConfiguration') as {
      readonly RoleARN: unknown;
    };
    return [
      [
        arnOf('firehose', placed.region, `deliverystream/${nameOf(placed)}`),
        'firehose',
        'CreateDeliveryStream DescribeDeliveryStream UpdateDestination DeleteDeliveryStream StartDeliveryStreamEncryption StopDeliveryStreamEncryption ListTagsForDeliveryStream TagDeliveryStream UntagDeliveryStream',
      ],
      pass(placed, RoleARN, 'firehose'),
    ];
  },
  'AWS::Lambda::Alias': (placed) => [
    [functionOf(placed, 'FunctionName'), 'lambda', 'CreateAlias GetAlias UpdateAlias DeleteAlias'],
    [
      `${functionOf(placed, 'FunctionName')}:live`,
      'lambda',
      'PutProvisionedConcurrencyConfig GetProvisionedConcurrencyConfig DeleteProvisionedConcurrencyConfig',
    ],
  ],
  'AWS::Lambda::EventInvokeConfig': (placed) => [
    [
      `${functionOf(placed, 'FunctionName')}:live`,
      'lambda',
      'PutFunctionEventInvokeConfig GetFunctionEventInvokeConfig UpdateFunctionEventInvokeConfig DeleteFunctionEventInvokeConfig',
    ],
  ],
  'AWS::Lambda::EventSourceMapping': (placed) => [
    [
      '*',
      'lambda',
      'CreateEventSourceMapping GetEventSourceMapping UpdateEventSourceMapping DeleteEventSourceMapping',
      { 'lambda:FunctionArn': functionOf(placed, 'FunctionName') },
    ],
    [
      arnOf('lambda', placed.region, 'event-source-mapping:1a2b3c'),
      'lambda',
      'ListTags TagResource UntagResource',
    ],
  ],
  'AWS::Lambda::Function': (placed) => [
    [
      arnOf('lambda', placed.region, `function:${nameOf(placed)}`),
      'lambda',
      'CreateFunction GetFunction GetFunctionCodeSigningConfig GetFunctionConfiguration UpdateFunctionCode UpdateFunctionConfiguration DeleteFunction PutFunctionConcurrency DeleteFunctionConcurrency GetRuntimeManagementConfig PutRuntimeManagementConfig ListTags TagResource UntagResource',
    ],
    [arnOf('lambda', placed.region, 'layer:CoreVersion12345678:1'), 'lambda', 'GetLayerVersion'],
    ...inNetwork(placed),
    BUNDLE,
    pass(placed, property(placed, 'Role'), 'lambda'),
  ],
  'AWS::Lambda::LayerVersion': ({ id, region }) => [
    [arnOf('lambda', region, `layer:${id}`), 'lambda', 'PublishLayerVersion'],
    [arnOf('lambda', region, `layer:${id}:1`), 'lambda', 'GetLayerVersion DeleteLayerVersion'],
    BUNDLE,
  ],
  'AWS::Lambda::Permission': ofFunction('AddPermission GetPolicy RemovePermission'),
  'AWS::Lambda::Version': ofFunction('PublishVersion GetFunctionConfiguration DeleteFunction'),
  'AWS::Logs::LogGroup': (placed) => [
    [
      logGroup(placed),
      'logs',
      'CreateLogGroup DeleteLogGroup AssociateKmsKey DisassociateKmsKey PutRetentionPolicy DeleteRetentionPolicy GetDataProtectionPolicy ListTagsForResource TagResource UntagResource',
    ],
    ['*', 'logs', 'DescribeLogGroups'],
  ],
  'AWS::Logs::LogStream': (placed) => [
    [
      logGroup(placed).replace(/\*$/, `log-stream:${nameOf(placed)}`),
      'logs',
      'CreateLogStream DeleteLogStream DescribeLogStreams',
    ],
  ],
  'AWS::Logs::MetricFilter': ofLogGroup('PutMetricFilter DescribeMetricFilters DeleteMetricFilter'),
  'AWS::Logs::SubscriptionFilter': (placed) => {
    const role = property(placed, 'RoleArn');
    const to = property(placed, 'DestinationArn');
    const isDestination = typeof to === 'string' && to.includes(':destination:');
    return [
      // What leads into another account is asked for besides.
      ...(isDestination ? [[to, 'logs', 'PutSubscriptionFilter'] as const] : []),
      ...ofLogGroup('PutSubscriptionFilter DescribeSubscriptionFilters DeleteSubscriptionFilter')(
        placed,
      ),
      ...(role === undefined ? [] : [pass(placed, role, 'logs')]),
    ];
  },
  'AWS::S3::Bucket': (placed) => [
    [
      `arn:aws:s3:::${nameOf(placed).toLowerCase()}`,
      's3',
      'CreateBucket DeleteBucket ListBucket PutBucketTagging GetBucketTagging PutEncryptionConfiguration GetEncryptionConfiguration PutLifecycleConfiguration GetLifecycleConfiguration PutBucketVersioning GetBucketVersioning PutBucketPublicAccessBlock GetBucketPublicAccessBlock PutBucketOwnershipControls GetBucketOwnershipControls GetBucketAcl GetBucketLogging GetReplicationConfiguration GetAccelerateConfiguration',
    ],
  ],
  'AWS::S3::BucketPolicy': (placed) => [
    [
      `arn:aws:s3:::${named(property(placed, 'Bucket'), placed).toLowerCase()}`,
      's3',
      'PutBucketPolicy GetBucketPolicy DeleteBucketPolicy',
    ],
  ],
  'AWS::SES::ConfigurationSet': own(
    'ses',
    'configuration-set/MailSet-1A2B3C',
    'CreateConfigurationSet DescribeConfigurationSet GetConfigurationSet PutConfigurationSetReputationOptions DeleteConfigurationSet ListTagsForResource TagResource UntagResource',
  ),
  'AWS::SES::ConfigurationSetEventDestination': own(
    'ses',
    'configuration-set/MailSet-1A2B3C',
    'CreateConfigurationSetEventDestination GetConfigurationSetEventDestinations UpdateConfigurationSetEventDestination DeleteConfigurationSetEventDestination DescribeConfigurationSet',
  ),
  'AWS::SNS::Topic': own(
    'sns',
    'NAME',
    'CreateTopic GetTopicAttributes SetTopicAttributes DeleteTopic GetDataProtectionPolicy ListSubscriptionsByTopic ListTagsForResource TagResource UntagResource',
  ),
  'AWS::SNS::TopicPolicy': (placed) =>
    (property(placed, 'Topics') as readonly unknown[]).map((topic) => [
      arnOf('sns', placed.region, named(topic, placed)),
      'sns',
      'SetTopicAttributes',
    ]),
  'AWS::SQS::Queue': own(
    'sqs',
    'NAME',
    'CreateQueue GetQueueUrl GetQueueAttributes SetQueueAttributes DeleteQueue ListQueueTags TagQueue UntagQueue',
  ),
  'AWS::SQS::QueuePolicy': (placed) =>
    (property(placed, 'Queues') as readonly unknown[]).map((queue) => [
      arnOf('sqs', placed.region, named(queue, placed)),
      'sqs',
      'SetQueueAttributes GetQueueAttributes',
    ]),
  'AWS::SecretsManager::Secret': ({ id, region }) => [
    [
      arnOf('secretsmanager', region, `secret:${id}-1A2B3C4D5E6F-a1b2c3`),
      'secretsmanager',
      'CreateSecret DescribeSecret GetSecretValue UpdateSecret DeleteSecret TagResource UntagResource',
    ],
    ['*', 'secretsmanager', 'GetRandomPassword'],
  ],
  'AWS::WAFv2::LoggingConfiguration': ({ stackName }) => [
    [
      `arn:aws:wafv2:us-east-1:000000000000:global/webacl/${stackName}/1a2b`,
      'wafv2',
      'PutLoggingConfiguration GetLoggingConfiguration DeleteLoggingConfiguration',
    ],
    ['*', 'wafv2', 'ListLoggingConfigurations'],
    [
      '*',
      'logs',
      'CreateLogDelivery DeleteLogDelivery DescribeLogGroups DescribeResourcePolicies PutResourcePolicy',
    ],
  ],
  'AWS::WAFv2::WebACL': (placed) => [
    [
      `arn:aws:wafv2:us-east-1:000000000000:global/webacl/${placed.id}-1A2B3C/1a2b`,
      'wafv2',
      'CreateWebACL GetWebACL UpdateWebACL DeleteWebACL ListTagsForResource TagResource UntagResource',
    ],
    // Seen where a role may not: https://github.com/aws-samples/amazon-cloudfront-waf-secretsmanager/issues/3.
    ...(
      (property(placed, 'Rules') ?? []) as {
        Statement: { ManagedRuleGroupStatement?: { Name: string } };
      }[]
    ).flatMap(({ Statement: { ManagedRuleGroupStatement: group } }): Call[] =>
      group
        ? [
            [
              `arn:aws:wafv2:us-east-1:000000000000:global/managedruleset/${group.Name}`,
              'wafv2',
              'CreateWebACL UpdateWebACL',
            ],
          ]
        : [],
    ),
  ],
  'Custom::Emptying': (placed) => [
    [functionOf(placed, 'ServiceToken'), 'lambda', 'InvokeFunction'],
  ],
};
