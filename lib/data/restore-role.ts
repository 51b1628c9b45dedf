import { Stack } from 'aws-cdk-lib';
import { Policy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import { allow, through } from '../permissions/statements.ts';
import type { Data } from './data.ts';

export interface RestoreRoleProps {
  readonly data: Data;
  readonly encryptionKey: IKey;
}

/**
 * The role may do no more than `AWSBackupServiceRolePolicyForRestores` and `AWSBackupServiceRolePolicyForS3Restore`
 * of AWS, and only with this stack's tables, files and key. Source: docs/restore.md.
 */
export class RestoreRole extends Construct {
  readonly arn: string;

  constructor(scope: Construct, id: string, { data, encryptionKey: key }: RestoreRoleProps) {
    super(scope, id);
    const stack = Stack.of(this);
    const { descriptions } = data.buckets;
    // CloudFormation begins table names with the stack's name.
    const tables = stack.formatArn({
      service: 'dynamodb',
      resource: 'table',
      resourceName: `${stack.stackName}-*`,
    });
    const role = new Role(this, 'Role', {
      description: 'Hosted MCP: AWS Backup brings back tables and files',
      assumedBy: new ServicePrincipal('backup.amazonaws.com'),
    });
    new Policy(this, 'Grants', {
      roles: [role],
      statements: [
        allow('RestoreTables', [tables], RESTORE_TABLES),
        allow('EncryptTables', [key.keyArn], ENCRYPT_TABLES, through(key, ['dynamodb'])),
        allow('LetTablesUseTheKey', [key.keyArn], ['kms:CreateGrant'], {
          Bool: { 'kms:GrantIsForAWSResource': 'true' },
        }),
        allow('LookAtTheKey', [key.keyArn], ['kms:DescribeKey']),
        allow('LookAtTheBucket', [descriptions.bucketArn], LOOK_AT_A_BUCKET),
        allow('RestoreFiles', [descriptions.arnForObjects('*')], RESTORE_FILES),
        allow(
          'EncryptFiles',
          [key.keyArn],
          ['kms:Decrypt', 'kms:GenerateDataKey'],
          through(key, ['s3']),
        ),
      ],
    });
    this.arn = role.roleArn;
  }
}

const RESTORE_TABLES = [
  'dynamodb:RestoreTableFromAwsBackup',
  'dynamodb:DescribeTable',
  'dynamodb:Scan',
  'dynamodb:Query',
  'dynamodb:GetItem',
  'dynamodb:PutItem',
  'dynamodb:UpdateItem',
  'dynamodb:DeleteItem',
  'dynamodb:BatchWriteItem',
];

const ENCRYPT_TABLES = [
  'kms:Decrypt',
  'kms:Encrypt',
  'kms:GenerateDataKey',
  'kms:GenerateDataKeyWithoutPlaintext',
  'kms:ReEncryptFrom',
  'kms:ReEncryptTo',
];

const LOOK_AT_A_BUCKET = [
  's3:ListBucket',
  's3:ListBucketVersions',
  's3:GetBucketLocation',
  's3:GetBucketOwnershipControls',
  's3:GetBucketVersioning',
];

const RESTORE_FILES = [
  's3:GetObject',
  's3:GetObjectAcl',
  's3:GetObjectTagging',
  's3:GetObjectVersion',
  's3:GetObjectVersionAcl',
  's3:PutObject',
  's3:PutObjectAcl',
  's3:PutObjectTagging',
  's3:PutObjectVersionAcl',
  's3:DeleteObject',
  's3:ListMultipartUploadParts',
];
