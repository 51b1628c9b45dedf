import { describe, expect, test } from '@jest/globals';
import {
  policiesOf,
  type PolicyStatementText,
  type PolicyTemplate,
} from '../../lib/permissions/policies.ts';
import type { Stage } from '../../lib/stage/stage.ts';
import { synthesized } from '../support/stacks/synthesized.ts';

/** As long as a stage's name may be. */
const NAME = 'twenty-letters-stage';
const MAIL = { from: 'hosted-mcp@mail.acme.com', identity: 'mail.acme.com' };

/** Policies of roles by their role, with placeholders in place of what CloudFormation puts in. */
const policies = (stage: Partial<Stage>): [string, readonly PolicyStatementText[]][] => {
  const { data, service } = synthesized({ name: NAME, ...stage });
  const templates = [data, service].map((one) => one.toJSON() as PolicyTemplate);
  const names = { stackName: `HostedMcp-${NAME}-Data`, mail: MAIL };
  return Object.entries(policiesOf(templates, names).functions);
};

const canary = { slug: 'status', tool: 'getStatus', arguments: {} };
const stages: readonly [what: string, stage: Partial<Stage>][] = [
  ['secrets, canaries and traces', { credentialStore: 'secrets-manager', canary, traces: 'xray' }],
  ['credentials that move', { credentialStoreFormer: 'secrets-manager' }],
  ['nothing that stays', { retainData: false, backup: false, releases: 'all_at_once' }],
];

const FUNCTION = /^\$\{Functions\w+Function\.Arn\}$/;
const ALIAS = /^(?:\$\{Functions\w+Live\}|\$\{Functions\w+Function\.Arn\}:live)$/;
/** One of the stack's, or all of them by what their names begin with. */
const TABLE = /^\$\{Data(?!Descriptions)\w+\.Arn\}$|:table\/\$\{AWS::StackName\}-\*$/;
const TABLE_OR_INDEX = new RegExp(
  `${TABLE.source}|^\\$\\{Data(?!Descriptions)\\w+\\.Arn\\}/index/[a-z-]+$`,
);
const KEY = /^\$\{Keys\w+\.Arn\}$/;
const BUCKET = /^\$\{Data(?:Descriptions|Answers)\.Arn\}$/;
const OBJECTS = /^\$\{Data(?:Descriptions|Answers)\.Arn\}\/(?:[a-z]+\/)?\*$/;
const SECRETS = /:secretsmanager:.*:secret:.+\/\*$/;
const QUEUE = /^\$\{Un\w+\.Arn\}$/;
/** The ARN of a log group ends in `:*`, which stands for its streams. */
const STREAMS = /^\$\{Logs\w+\.Arn\}$/;
const EVERYTHING = /^\*$/;

/**
 * What AWS holds an action against: another resource, were it only the alias of a function in place of the
 * function, lets nobody do anything. Source: Service Authorization Reference.
 */
const RESOURCES: Readonly<Record<string, RegExp>> = {
  'cloudwatch:DescribeAlarms': EVERYTHING,
  'cloudformation:DescribeStacks': /^\$\{AWS::StackId\}$/,
  'dynamodb:BatchWriteItem': TABLE,
  'dynamodb:ConditionCheckItem': TABLE,
  'dynamodb:DeleteItem': TABLE,
  'dynamodb:DescribeTable': TABLE,
  'dynamodb:GetItem': TABLE,
  'dynamodb:PutItem': TABLE,
  'dynamodb:Query': TABLE_OR_INDEX,
  'dynamodb:RestoreTableFromAwsBackup': TABLE,
  'dynamodb:Scan': TABLE_OR_INDEX,
  'dynamodb:UpdateItem': TABLE,
  'kms:CreateGrant': KEY,
  'kms:Decrypt': KEY,
  'kms:DescribeKey': KEY,
  'kms:Encrypt': KEY,
  'kms:GenerateDataKey': KEY,
  'kms:GenerateDataKeyWithoutPlaintext': KEY,
  'kms:GetPublicKey': KEY,
  'kms:ReEncryptFrom': KEY,
  'kms:ReEncryptTo': KEY,
  'kms:Sign': KEY,
  'lambda:GetAlias': FUNCTION,
  'lambda:GetProvisionedConcurrencyConfig': ALIAS,
  'lambda:InvokeFunction': ALIAS,
  'lambda:UpdateAlias': FUNCTION,
  'logs:CreateLogStream': STREAMS,
  'logs:PutLogEvents': STREAMS,
  's3:DeleteObject': OBJECTS,
  's3:DeleteObjectVersion': OBJECTS,
  's3:GetBucketLocation': BUCKET,
  's3:GetBucketOwnershipControls': BUCKET,
  's3:GetBucketVersioning': BUCKET,
  's3:GetObject': OBJECTS,
  's3:GetObjectAcl': OBJECTS,
  's3:GetObjectTagging': OBJECTS,
  's3:GetObjectVersion': OBJECTS,
  's3:GetObjectVersionAcl': OBJECTS,
  's3:ListBucket': BUCKET,
  's3:ListBucketVersions': BUCKET,
  's3:ListMultipartUploadParts': OBJECTS,
  's3:PutObject': OBJECTS,
  's3:PutObjectAcl': OBJECTS,
  's3:PutObjectTagging': OBJECTS,
  's3:PutObjectVersionAcl': OBJECTS,
  'secretsmanager:CreateSecret': SECRETS,
  'secretsmanager:DeleteSecret': SECRETS,
  'secretsmanager:DescribeSecret': SECRETS,
  'secretsmanager:GetSecretValue': SECRETS,
  'secretsmanager:ListSecrets': EVERYTHING,
  'secretsmanager:PutSecretValue': SECRETS,
  'secretsmanager:RestoreSecret': SECRETS,
  'secretsmanager:TagResource': SECRETS,
  'ses:SendEmail': /:ses:.*:(?:identity|configuration-set)\/.+$/,
  'sqs:DeleteMessage': QUEUE,
  'sqs:GetQueueAttributes': QUEUE,
  'sqs:ReceiveMessage': QUEUE,
  'sqs:SendMessage': QUEUE,
  'xray:PutTelemetryRecords': EVERYTHING,
  'xray:PutTraceSegments': EVERYTHING,
};

const actionsOf = ({ Action }: PolicyStatementText) => [Action].flat() as readonly string[];

describe.each(stages)('the policies of roles in a stage with %s', (_, stage) => {
  const roles = policies(stage);

  test.each(roles)('of %s name for each action what AWS asks it for', (_role, statements) => {
    for (const statement of statements) {
      for (const action of actionsOf(statement)) {
        for (const resource of [statement['Resource']].flat()) {
          expect([action, resource]).toEqual([action, expect.stringMatching(RESOURCES[action]!)]);
        }
      }
    }
  });

  test.each(roles)('of %s look at leading keys where a request must name them', (_role, all) => {
    // Where a request names none, as that of a scan, AWS takes a condition on all of them for fulfilled.
    for (const statement of all) {
      if (!JSON.stringify(statement['Condition'] ?? {}).includes('LeadingKeys')) continue;
      for (const action of actionsOf(statement)) {
        expect(action).toMatch(/^dynamodb:(?:(?:Get|Put|Update|Delete|ConditionCheck)Item|Query)$/);
      }
    }
  });

  test.each(roles)('of %s fit into a role under the longest names', (_role, statements) => {
    const longest = 'arn:aws-us-gov:dynamodb:us-gov-west-1:111122223333:table/'.concat(
      `HostedMcp-${NAME}-Data-DataDeploymentContent5587CC2B-ABCDEFGHIJKL`,
    );
    const text = JSON.stringify({ Version: '2012-10-17', Statement: statements })
      .replaceAll(/\$\{AWS::\w+\}/g, 'us-gov-west-1')
      .replaceAll(/\$\{[^}]+\}/g, longest);
    // All inline policies of a role together. Source: IAM User Guide, "IAM and AWS STS quotas".
    expect(text.length).toBeLessThanOrEqual(10_240);
  });
});
