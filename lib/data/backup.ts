import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import {
  BackupPlan,
  BackupPlanRule,
  BackupResource,
  BackupSelection,
  BackupVault,
} from 'aws-cdk-lib/aws-backup';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { Schedule } from 'aws-cdk-lib/aws-events';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { uniqueName } from '../unique-name.ts';

export interface BackupProps {
  readonly tables: readonly Table[];
  readonly bucket: Bucket;
  readonly encryptionKey: IKey;
}

/**
 * One plan of AWS Backup for tables and bucket together, so that what is brought back is of one time. The
 * vault outlives the stack, and nobody removes a backup from it before its time.
 *
 * Source: docs/restore.md, "What there is to restore from".
 */
export class Backup extends Construct {
  readonly vault: BackupVault;

  constructor(scope: Construct, id: string, { tables, bucket, encryptionKey }: BackupProps) {
    super(scope, id);
    this.vault = new BackupVault(this, 'Vault', {
      backupVaultName: uniqueName(this),
      encryptionKey,
      blockRecoveryPointDeletion: true,
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
    const plan = new BackupPlan(this, 'Plan', { backupVault: this.vault });
    plan.addRule(
      new BackupPlanRule({
        ruleName: 'Daily',
        scheduleExpression: Schedule.cron({ hour: '3', minute: '0' }),
        deleteAfter: Duration.days(35),
      }),
    );
    plan.addRule(
      new BackupPlanRule({
        ruleName: 'Monthly',
        scheduleExpression: Schedule.cron({ day: '1', hour: '4', minute: '0' }),
        deleteAfter: Duration.days(366),
      }),
    );
    new BackupSelection(this, 'Selection', {
      backupPlan: plan,
      resources: [
        ...tables.map((table) => BackupResource.fromArn(table.tableArn)),
        BackupResource.fromArn(bucket.bucketArn),
      ],
      role: new Role(this, 'Role', {
        description: 'Hosted MCP: AWS Backup reads tables and files',
        assumedBy: new ServicePrincipal('backup.amazonaws.com'),
        managedPolicies: [
          'service-role/AWSBackupServiceRolePolicyForBackup',
          'AWSBackupServiceRolePolicyForS3Backup',
        ].map((name) => ManagedPolicy.fromAwsManagedPolicyName(name)),
      }).withoutPolicyUpdates(),
    });
  }
}
