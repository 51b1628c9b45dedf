import { describe, expect, test } from '@jest/globals';
import { policiesOf, type PolicyTemplate } from '../../lib/permissions/policies.ts';
import { ACCOUNT_ID } from '../../local/aws/account.ts';
import { evaluator } from '../../local/aws/iam/evaluate.ts';
import type { Context, Statement } from '../../local/aws/iam/policy.ts';
import { PROD, synthesized } from '../support/stacks/synthesized.ts';

const { data, service } = synthesized();
const policies = policiesOf(
  [data, service].map((one) => one.toJSON() as PolicyTemplate),
  { stackName: 'HostedMcp-prod-Data', mail: PROD.mail },
);

/** Placeholders as something that a request can name. */
const named = (text: string): string =>
  text
    .replaceAll('${AWS::StackName}', 'HostedMcp-prod-Data')
    .replaceAll('${AWS::AccountId}', ACCOUNT_ID)
    .replaceAll('${AWS::Region}', 'eu-central-1')
    .replaceAll('${AWS::URLSuffix}', 'amazonaws.com')
    .replaceAll('${AWS::Partition}', 'aws')
    .replaceAll(/\$\{Data(Descriptions|Answers)\.Arn\}/g, (_, name) => `arn:aws:s3:::${name}`)
    .replaceAll(/\$\{(\w+)[^}]*\}/g, 'arn:aws:any:::$1');

const { functions: roles, resources } = JSON.parse(named(JSON.stringify(policies))) as Readonly<
  Record<'functions' | 'resources', Readonly<Record<string, readonly Statement[]>>>
>;
const evaluate = evaluator({ administrators: [], roles, resources, encryptedWith: {} });

const KEY = 'arn:aws:any:::KeysData';
const ROLE = Object.keys(roles).find((name) => name.includes('Restore')) ?? '';
const own = (name: string) => `arn:aws:dynamodb:eu-central-1:${ACCOUNT_ID}:table/${name}`;
const through = (name: string): Context => ({
  'aws:SecureTransport': 'true',
  's3:TlsVersion': '1.3',
  'kms:CallerAccount': ACCOUNT_ID,
  'kms:ViaService': `${name}.eu-central-1.amazonaws.com`,
  'kms:GrantIsForAWSResource': 'true',
});
const may = (action: string, resource: string, context: Context = through('dynamodb')): boolean =>
  evaluate(ROLE, { action, resource, context }).allowed;

describe('the role that AWS Backup takes to restore, under the policy of the data key', () => {
  // Source: the AWS managed policy AWSBackupServiceRolePolicyForRestores, its statements on DynamoDB and KMS.
  const OF_TABLES =
    'Scan Query UpdateItem PutItem GetItem DeleteItem BatchWriteItem DescribeTable RestoreTableFromAwsBackup';
  const OF_THE_KEY =
    'Decrypt Encrypt GenerateDataKey GenerateDataKeyWithoutPlaintext ReEncryptFrom ReEncryptTo DescribeKey CreateGrant';

  test.each(OF_TABLES.split(' '))('may do %s with tables of the stage, and no other', (name) => {
    const action = `dynamodb:${name}`;

    expect(may(action, own('HostedMcp-prod-Data-DataUsersC1-9X'))).toBe(true);
    expect(may(action, own('HostedMcp-prod-Data-then'))).toBe(true);
    expect(may(action, own('HostedMcp-dev-Data-DataUsersC1-9X'))).toBe(false);
  });

  test.each(OF_THE_KEY.split(' '))('may do %s with the data key for DynamoDB', (name) => {
    expect(may(`kms:${name}`, KEY)).toBe(true);
    expect(may(`kms:${name}`, 'arn:aws:any:::KeysCredentials')).toBe(false);
  });

  // Source: the AWS managed policy AWSBackupServiceRolePolicyForS3Restore, without what makes a bucket.
  test.each([
    ...'ListBucket ListBucketVersions GetBucketVersioning GetBucketLocation GetBucketOwnershipControls'
      .split(' ')
      .map((name) => [name, ''] as const),
    ...'GetObject GetObjectVersion DeleteObject PutObjectVersionAcl GetObjectVersionAcl GetObjectTagging PutObjectTagging GetObjectAcl PutObjectAcl ListMultipartUploadParts PutObject'
      .split(' ')
      .map((name) => [name, '/deployments/1'] as const),
  ])('may do %s with the bucket of files, and none else', (name, below) => {
    const context = through('s3');

    expect(may(`s3:${name}`, `arn:aws:s3:::Descriptions${below}`, context)).toBe(true);
    expect(may(`s3:${name}`, `arn:aws:s3:::Answers${below}`, context)).toBe(false);
  });

  test('may use the data key for files, and for nobody else', () => {
    for (const action of ['kms:Decrypt', 'kms:GenerateDataKey']) {
      expect(may(action, KEY, through('s3'))).toBe(true);
      expect(may(action, KEY, through('sqs'))).toBe(false);
    }
    const itself = { ...through('dynamodb'), 'kms:GrantIsForAWSResource': 'false' };
    expect(may('kms:CreateGrant', KEY, itself)).toBe(false);
  });

  test('is taken by AWS Backup alone, and is given out by its ARN', () => {
    const [role] = Object.entries(data.findResources('AWS::IAM::Role')).flatMap(([id, found]) =>
      id.startsWith('RestoreRole') ? [found] : [],
    );
    expect(role?.['Properties'].AssumeRolePolicyDocument.Statement).toEqual([
      {
        Action: 'sts:AssumeRole',
        Effect: 'Allow',
        Principal: { Service: 'backup.amazonaws.com' },
      },
    ]);
    data.hasOutput('RestoreRole', {});
  });

  test('is in no stage without backups', () => {
    const { data: without } = synthesized({ backup: false });

    expect(JSON.stringify(without.toJSON())).not.toContain('RestoreRole');
  });
});
